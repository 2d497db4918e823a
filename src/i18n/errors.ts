import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/** The messages of docs/behaviour.md §14 and the console's own. */
const messages: Readonly<Record<string, MessageDescriptor>> = {
  ACCESS_DENIED_ERR: msg`Access denied`,
  Unavailable: msg`Unavailable`,
  Forbidden: msg`You don't have access`,
  InternalServerError: msg`Internal server error`,
  ValidationError: msg`Validation error`,
  NotFound: msg`Not found`,
  NoResponse: msg`Server is not responding`,
  IncorrectLicense: msg`License is incorrect`,
  LicenseExpired: msg`License is missing or expired`,
  EnterpriseOnly: msg`Enterprise only`,
  AuthorizationRequired: msg`You are not authorized`,
  RequestDecodeError: msg`Request decode error`,
  ResponseEncodeError: msg`Response encode error`,
  TimeRangeIsTooLong: msg`Time range is too long`,
  AuthorizationFailed: msg`Incorrect login or password`,
  PasswordIsNotComplexEnough: msg`Password is not complex enough`,
  InvalidOldPassword: msg`Invalid old password`,
  OldPasswordAndNewPasswordCannotBeSame: msg`Old password and new password cannot be same`,
  QuotaReached: msg`Quota is reached`,
  FeatureNotFound: msg`The feature didn't find in the license`,
  AlreadyUsed: msg`Already used`,
  LanguageNotLoaded: msg`The language could not be loaded`,
  SnapshotFailed: msg`The snapshot could not be saved`,
  TooManyRequests: msg`Too many attempts. Wait a little and try again.`,
  userNotFound: msg`User with email {email} has not found`,
  initialPasswordExpired: msg`This password has expired. Ask your administrator for a new one.`,
  passkeyRejected: msg`The passkey was not accepted. Sign in with your password.`,
  lastAdministrator: msg`The last administrator can't be removed, blocked or made an ordinary user`,
  '': msg`Something went wrong`,
  UnreadableReply: msg`Something went wrong`,
}

const generic = msg`Something went wrong`

export const knownText = (code: string): MessageDescriptor | undefined =>
  Object.hasOwn(messages, code) ? messages[code] : undefined

/** The message of an error. An error without one gets the generic message, with its code to be shown beside it. */
export function apiErrorText(code: string): { message: MessageDescriptor; code: string } {
  const known = knownText(code)
  return known === undefined ? { message: generic, code } : { message: known, code: '' }
}

/** Whether a 403 has no reason but a missing right. */
export const isPlainlyForbidden = (code: string): boolean =>
  code === '' || code === 'Forbidden' || code === 'ACCESS_DENIED_ERR'

/** The message of a 403: that of its code (docs/behaviour.md §4.5), that of Forbidden if it has none. */
export const forbiddenText = (code: string) => apiErrorText(code || 'Forbidden')
