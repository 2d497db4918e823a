import type { PasswordFlaw, ApiErrorCode } from '../../src/api/contract/api-error.ts'

type Extras = { message?: string; details?: Record<string, unknown>; retryAfterSeconds?: number }

/** An expected refusal, thrown anywhere in a call and sent as `{code, message?, details?}` (docs/wire.md §2). */
export class ApiError extends Error {
  readonly status: number
  readonly code: ApiErrorCode | ''
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, code: ApiErrorCode | '', extras: Extras = {}) {
    super(extras.message ?? '')
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = extras.details
    this.retryAfterSeconds = extras.retryAfterSeconds
  }
}

const withMessage = (message: string | undefined): Extras => (message === undefined ? {} : { message })

/** 400 with `{fieldPath: message}`; forms show the message beside the field. */
export const validationError = (details: Record<string, string>) => new ApiError(400, 'ValidationError', { details })
export const requestDecodeError = (message?: string) => new ApiError(400, 'RequestDecodeError', withMessage(message))
export const timeRangeIsTooLong = (maxSeconds: number) =>
  new ApiError(400, 'TimeRangeIsTooLong', { details: { maxSeconds } })
/** `reason` is from a fixed vocabulary, never ffmpeg's own text. */
export const probeError = (reason: string) => new ApiError(400, 'ProbeError', { message: reason, details: { reason } })
export const incorrectLicense = () => new ApiError(400, 'IncorrectLicense')
/** `reason` is the broken rule, for translation; `message` is English. */
export const passwordIsNotComplexEnough = (reason: PasswordFlaw, message: string) =>
  new ApiError(400, 'PasswordIsNotComplexEnough', { message, details: { password: message, reason } })
export const invalidOldPassword = () => new ApiError(400, 'InvalidOldPassword')
export const oldPasswordAndNewPasswordCannotBeSame = () => new ApiError(400, 'OldPasswordAndNewPasswordCannotBeSame')
export const unknownLifetimeCode = () => new ApiError(400, 'UnknownLifetimeCode')
export const authorizationRequired = () => new ApiError(401, 'AuthorizationRequired')
export const authorizationFailed = () => new ApiError(401, 'AuthorizationFailed')
/** The password is right, but an administrator chose it, and it has expired. */
export const initialPasswordExpired = () =>
  new ApiError(401, 'AuthorizationFailed', { details: { reason: 'initialPasswordExpired' } })
/** The password is right; the second factor is missing. */
export const secondFactorRequired = () => new ApiError(401, 'SecondFactorRequired')
export const wrongCode = () => new ApiError(401, 'AuthorizationFailed', { details: { code: 'Wrong, or already used' } })
export const forbidden = (message?: string) => new ApiError(403, 'Forbidden', withMessage(message))
/** The share is right; its password is missing. */
export const sharePasswordRequired = () => new ApiError(403, 'SharePasswordRequired')
export const licenseExpired = () => new ApiError(403, 'LicenseExpired')
export const featureNotFound = () => new ApiError(403, 'FeatureNotFound')
export const quotaReached = () => new ApiError(403, 'QuotaReached')
export const auditLogsDisabled = () => new ApiError(403, 'AuditLogsDisabled')
export const notFound = () => new ApiError(404, 'NotFound')
/** `details` names the field whose value is in use. */
export const alreadyUsed = (details: Record<string, string>) => new ApiError(409, 'AlreadyUsed', { details })
export const actionNotAcceptable = (message?: string) => new ApiError(409, 'ActionNotAcceptable', withMessage(message))
/** No administrator exists yet (docs/behaviour.md §2); the code is empty, as the status suffices. */
export const notInitialised = () => new ApiError(423, '', { message: 'The server is not initialised' })
export const tooManyRequests = (retryAfterSeconds: number) =>
  new ApiError(429, 'TooManyRequests', { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) })
export const unavailable = (retryAfterSeconds?: number) =>
  new ApiError(503, 'Unavailable', retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
