import { call, pathSegment } from '../call.ts'
import { TotpBegun, TotpConfirmed } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

const path = '/v1/user/totp'

/** All of these only where the feature `totp` is announced. */
export const beginTotp = (password: string, signal?: AbortSignal) =>
  call(TotpBegun, { path, method: 'POST', body: { password }, signal })

export const confirmTotp = (code: string, signal?: AbortSignal) =>
  call(TotpConfirmed, { path: `${path}/confirm`, method: 'POST', body: { code }, signal })

export const removeTotp = (password: string, signal?: AbortSignal) =>
  call(nothing, { path, method: 'DELETE', body: { password }, signal })

/** By an administrator, for one who lost the phone. */
export const removeTotpOf = (login: string, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/user/${pathSegment(login)}/totp`, method: 'DELETE', signal })
