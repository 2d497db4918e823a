import { call } from '../call.ts'
import { SignInAnswer, type SignInBody, type UnlockBody, User, type ProfilePatch } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'
import type * as z from 'zod/mini'

export const getCurrentUser = (signal?: AbortSignal) => call(User, { path: '/v1/user', signal })

export const patchCurrentUser = (body: ProfilePatch, signal?: AbortSignal) =>
  call(nothing, { path: '/v1/user', method: 'PATCH', body, signal })

export const signIn = (body: z.input<typeof SignInBody>, signal?: AbortSignal) =>
  call(SignInAnswer, { path: '/v1/sign-in', method: 'POST', body, signal })

export const signOut = (signal?: AbortSignal) => call(nothing, { path: '/v1/sign-out', method: 'POST', signal })

/** Creates the first administrator, signs in and answers the user (docs/behaviour.md §2). */
export const unlock = (body: z.input<typeof UnlockBody>, signal?: AbortSignal) =>
  call(User, { path: '/v1/system/unlock', method: 'POST', body, signal })
