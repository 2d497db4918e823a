import type * as z from 'zod/mini'
import { call } from '../call.ts'
import type { ResetBody, SendResetBody } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

/** Sends a code by mail; after `retryAfterSeconds` of the reply another may be sent (docs/behaviour.md §11). */
export const sendResetCode = (body: z.input<typeof SendResetBody>, signal?: AbortSignal) =>
  call(nothing, { path: '/v1/password/send-reset', method: 'POST', body, signal })

export const resetPassword = (body: z.input<typeof ResetBody>, signal?: AbortSignal) =>
  call(nothing, { path: '/v1/password/reset', method: 'POST', body, signal })
