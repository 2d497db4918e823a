import { call, pathSegment } from '../call.ts'
import { TotpBegun, TotpConfirmed } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

const path = '/v1/user/totp'

/** The calls of this file: only with the feature `totp`. */
export const beginTotp = (password: string, signal?: AbortSignal) =>
  call(TotpBegun, { path, method: 'POST', body: { password }, signal })

export const confirmTotp = (code: string, signal?: AbortSignal) =>
  call(TotpConfirmed, { path: `${path}/confirm`, method: 'POST', body: { code }, signal })

export const removeTotp = (password: string, signal?: AbortSignal) =>
  call(nothing, { path, method: 'DELETE', body: { password }, signal })

/** Turns off another user's second factor; for administrators only. */
export const removeTotpOf = (login: string, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/user/${pathSegment(login)}/totp`, method: 'DELETE', signal })
