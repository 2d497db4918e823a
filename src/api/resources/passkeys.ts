import { call, pathSegment } from '../call.ts'
import {
  type Assertion,
  Passkey,
  type PasskeyBody,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  Passkeys,
} from '../contract/passkeys.ts'
import { SignInAnswer } from '../contract/user.ts'
import { nothing } from '../contract/wire.ts'

const path = '/v1/user/passkeys'
const signInPath = '/v1/sign-in/passkey'
const pathOf = (id: string) => `/v1/user/passkey/${pathSegment(id)}`

/** The calls of this file: only with the feature `passkeys`. */
export const getPasskeys = (signal?: AbortSignal) => call(Passkeys, { path, signal })

/** What the browser needs to create a passkey. The answer goes to `addPasskey` within five minutes. */
export const beginPasskey = (password: string, signal?: AbortSignal) =>
  call(PasskeyCreationOptions, { path: `${path}/options`, method: 'POST', body: { password }, signal })

export const addPasskey = (body: PasskeyBody, signal?: AbortSignal) =>
  call(Passkey, { path, method: 'POST', body, signal })

export const renamePasskey = ({ id, name }: { id: string; name: string }, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'PATCH', body: { name }, signal })

export const removePasskey = (id: string, signal?: AbortSignal) =>
  call(nothing, { path: pathOf(id), method: 'DELETE', signal })

const pathOfUser = (login: string) => `/v1/user/${pathSegment(login)}`

/** The passkeys of another user, for administrators; only with the feature `user-passkeys`. */
export const getUserPasskeys = (login: string, signal?: AbortSignal) =>
  call(Passkeys, { path: `${pathOfUser(login)}/passkeys`, signal })

export const removeUserPasskey = ({ login, id }: { login: string; id: string }, signal?: AbortSignal) =>
  call(nothing, { path: `${pathOfUser(login)}/passkey/${pathSegment(id)}`, method: 'DELETE', signal })

/** What the browser needs to sign in. The answer goes to `signInWithPasskey` within five minutes. */
export const beginPasskeySignIn = (signal?: AbortSignal) =>
  call(PasskeyRequestOptions, { path: `${signInPath}/options`, method: 'POST', signal })

export const signInWithPasskey = (assertion: Assertion, signal?: AbortSignal) =>
  call(SignInAnswer, { path: signInPath, method: 'POST', body: assertion, signal })
