import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser'
import type { Assertion, NewCredential, PasskeyCreationOptions, PasskeyRequestOptions } from '../contract/passkeys.ts'

/**
 * Why the browser created or used no passkey. `cancelled`: by the user, or nobody answered in time. `existing`: the
 * device has a passkey of this user already. `unsuitable`: no device here can keep a passkey and verify the user.
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

/** Runs a WebAuthn request; when `signal` aborts, the browser closes its dialog. */
async function run<T>(start: () => Promise<T>, signal: AbortSignal): Promise<PasskeyResult<T>> {
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
  run(async (): Promise<NewCredential> => {
    const { id, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports = [] } = response
    return { id, response: { clientDataJSON, attestationObject, transports } }
  }, signal)

/** The user chooses one of the passkeys for this server. */
export const choosePasskey = (optionsJSON: PasskeyRequestOptions, signal: AbortSignal) =>
  run(async (): Promise<Assertion> => {
    const { id, response } = await startAuthentication({ optionsJSON })
    const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response
    return { id, response: { clientDataJSON, authenticatorData, signature, userHandle } }
  }, signal)
