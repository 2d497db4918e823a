import type * as z from 'zod/mini'
import { call, pathSegment } from '../call.ts'
import { validationError } from '../check.ts'
import { ReadTokenCreated, TokenBody, Tokens } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

export const getTokens = (signal?: AbortSignal) => call(Tokens, { path: '/v1/tokens', signal })

/** `expireTime` is RFC 3339; null: never. Only this reply has the secret `token`, and other servers may omit it. */
export const createToken = async (body: z.input<typeof TokenBody>, signal?: AbortSignal) =>
  validationError(TokenBody, body) ?? call(ReadTokenCreated, { path: '/v1/token', method: 'POST', body, signal })

export const deleteToken = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/token/${pathSegment(id)}`, method: 'DELETE', signal })

export const getUserTokens = (login: string, signal?: AbortSignal) =>
  call(Tokens, { path: `/v1/user/${pathSegment(login)}/tokens`, signal })

export const deleteUserToken = ({ login, id }: { login: string; id: string }, signal?: AbortSignal) =>
  call(nothing, { path: `/v1/user/${pathSegment(login)}/token/${pathSegment(id)}`, method: 'DELETE', signal })
