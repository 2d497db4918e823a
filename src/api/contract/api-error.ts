import * as z from 'zod/mini'

/** Every code of docs/behaviour.md §14, those with a message and those without. Other servers may send others. */
export const apiErrorCodes = [
  'ACCESS_DENIED_ERR',
  'Unavailable',
  'Forbidden',
  'InternalServerError',
  'ValidationError',
  'NotFound',
  'IncorrectLicense',
  'LicenseExpired',
  'EnterpriseOnly',
  'AuthorizationRequired',
  'RequestDecodeError',
  'ResponseEncodeError',
  'TimeRangeIsTooLong',
  'AuthorizationFailed',
  'PasswordIsNotComplexEnough',
  'InvalidOldPassword',
  'OldPasswordAndNewPasswordCannotBeSame',
  'QuotaReached',
  'FeatureNotFound',
  'AlreadyUsed',
  'ProbeError',
  'AuditLogsDisabled',
  'BadRequest',
  'ActionNotAcceptable',
  'LifetimeCodeRequired',
  'TooManyRequests',
  'UnknownLifetimeCode',
  'EHOSTUNREACH',
  'HTTP_NOT_FOUND',
  'HTTP_UNAUTHORIZED',
  'SecondFactorRequired',
  'SharePasswordRequired',
] as const

export type ApiErrorCode = (typeof apiErrorCodes)[number]

/** `details.reason` of PasswordIsNotComplexEnough. */
export type PasswordFlaw = 'tooShort' | 'tooLong' | 'tooUniform' | 'tooCommon' | 'sameAsLogin' | 'tooObvious'

export const ApiErrorBody = z.object({
  code: z.string(),
  message: z.optional(z.string()),
  details: z.optional(z.record(z.string(), z.unknown())),
})
