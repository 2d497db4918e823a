import type { Assertion, PasskeyRequestOptions } from '../../api/contract/passkeys.ts'
import type { FieldErrors } from '../form/form.events.ts'

export type SignInEvent =
  | { type: 'credentials.edited'; login?: string; password?: string; code?: string }
  | { type: 'credentials.submitted' }
  /** Goes back from the code to login and password. */
  | { type: 'password.requested' }
  /** From the root machine: it couldn't fetch the user after the sign-in. `code`: of the toast to raise, else ''. */
  | { type: 'session.refused'; code: string }
  /** From the root machine: the kiosk login of settings that arrived after the page had opened. */
  | { type: 'credentials.prefilled'; login: string; password: string }
  | { type: 'passkey.requested' }

export type Answer = { mustChangePassword: boolean }
export type Credentials = { name: string; password: string; code?: string }

export interface SignInContext {
  login: string
  password: string
  /** Of the second factor; '' until the server requires it. */
  code: string
  /** The password was just reset: `recover` in the address. The page shows a message. */
  isReset: boolean
  /** The server's errors of the fields `login`, `password` and `code`. */
  errors: FieldErrors
  /** Until the next attempt is allowed, by the server's `Retry-After`. */
  secondsLeft: number
  /** Counts failed attempts, after each of which the view focuses the password or the code. */
  failures: number
  /** The options from the server, with its challenge, and the passkey's signed answer to them. */
  request: PasskeyRequestOptions | null
  assertion: Assertion | null
}
