/** Why a sign-in failed; the console's sign-in page has words for each. */
export type FailureCode = 'away' | 'denied' | 'expired' | 'forbidden' | 'blocked' | 'throttled' | 'failed'

export class SignInFailure extends Error {
  readonly code: FailureCode

  /** `reason` is for the log. */
  constructor(code: FailureCode, reason: string = code) {
    super(reason)
    this.name = 'SignInFailure'
    this.code = code
  }
}
