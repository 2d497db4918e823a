import { choosePasskey } from '../../api/browser/passkeys.ts'
import type { Assertion, PasskeyRequestOptions } from '../../api/contract/passkeys.ts'
import { beginPasskeySignIn, signInWithPasskey } from '../../api/resources/passkeys.ts'
import { required } from '../shared/required.ts'

/** The steps of signing in with a passkey; loaded when a visitor asks for it, as most type a password. */
export const begin = beginPasskeySignIn
export const choose = async (request: PasskeyRequestOptions | null, signal: AbortSignal) =>
  choosePasskey(required(request), signal)
export const verify = async (assertion: Assertion | null, signal: AbortSignal) =>
  signInWithPasskey(required(assertion), signal)
