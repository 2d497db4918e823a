import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { Assertion, NewCredential, PasskeyCreationOptions, PasskeyRequestOptions } from '../contract/passkeys.ts'

/**
 * Why the browser made no passkey, or used none. `cancelled`: by the user, or nobody answered in time. `existing`: the
 * device has one of this user already. `unsuitable`: no device here can keep one and verify the user.
 */
export type PasskeyFailure = 'cancelled' | 'existing' | 'unsuitable' | 'failed'

export type PasskeyResult<T> = { ok: true; value: T } | { ok: false; reason: PasskeyFailure }

/** By the name of the browser's error. */
const reasons: Readonly<Record<string, PasskeyFailure>> = {
  AbortError: 'cancelled',
  NotAllowedError: 'cancelled',
  InvalidStateError: 'existing',
  ConstraintError: 'unsuitable',
  NotSupportedError: 'unsuitable',
}

/** Asks the browser; an aborted `signal` closes its dialog. */
async function ask<T>(start: () => Promise<T>, signal: AbortSignal): Promise<PasskeyResult<T>> {
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return { ok: true, value: await start() }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    return { ok: false, reason: reasons[name] ?? 'failed' }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

export const createPasskey = (optionsJSON: PasskeyCreationOptions, signal: AbortSignal) =>
  ask(async (): Promise<NewCredential> => {
    const { id, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports = [] } = response
    return { id, response: { clientDataJSON, attestationObject, transports } }
  }, signal)

/** The user chooses one of the passkeys for this server. */
export const choosePasskey = (optionsJSON: PasskeyRequestOptions, signal: AbortSignal) =>
  ask(async (): Promise<Assertion> => {
    const { id, response } = await startAuthentication({ optionsJSON })
    const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response
    return { id, response: { clientDataJSON, authenticatorData, signature, userHandle } }
  }, signal)
