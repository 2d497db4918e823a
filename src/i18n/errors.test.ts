import { describe, expect, test } from 'vitest'
import { refusalCodes } from '../api/contract/refusal.ts'
import { refusalText } from './errors.ts'
import { activate, i18n } from './i18n.ts'
import { successText } from './successes.ts'

/** The table of spec.md §8, word for word; the two rows without a code of their own are the console's NoResponse and ''. */
const table: Readonly<Record<string, string>> = {
  ACCESS_DENIED_ERR: 'Access denied',
  Unavailable: 'Unavailable',
  Forbidden: "You don't have access",
  InternalServerError: 'Internal server error',
  '': 'Something went wrong',
  ValidationError: 'Validation error',
  NotFound: 'Not found',
  NoResponse: 'Server is not responding',
  IncorrectLicense: 'License is incorrect',
  LicenseExpired: 'License is missing or expired',
  EnterpriseOnly: 'Enterprise only',
  AuthorizationRequired: 'You are not authorized',
  RequestDecodeError: 'Request decode error',
  ResponseEncodeError: 'Response encode error',
  TimeRangeIsTooLong: 'Time range is too long',
  AuthorizationFailed: 'Incorrect login or password',
  PasswordIsNotComplexEnough: 'Password is not complex enough',
  InvalidOldPassword: 'Invalid old password',
  OldPasswordAndNewPasswordCannotBeSame: 'Old password and new password cannot be same',
  QuotaReached: 'Quota is reached',
  FeatureNotFound: "The feature didn't find in the license",
  AlreadyUsed: 'Already used',
}

/** spec.md §8, codes known without a message. */
const wordless = [
  'ProbeError', 'AuditLogsDisabled', 'BadRequest', 'ActionNotAcceptable', 'LifetimeCodeRequired', 'TooManyRequests', 'UnknownLifetimeCode',
  'EHOSTUNREACH', 'HTTP_NOT_FOUND', 'HTTP_UNAUTHORIZED',
]

const said = (code: string) => {
  const { message, code: shown } = refusalText(code)
  return { words: i18n._(message), shown }
}

describe('the catalogue (spec.md §8)', () => {
  test.each(Object.entries(table))('%s reads %s', async (code, words) => {
    await activate('en')
    expect(said(code)).toEqual({ words, shown: '' })
  })

  test('every code of the wire is in the table or known without a message', () => {
    expect(refusalCodes.toSorted()).toEqual([...Object.keys(table).filter((code) => !['', 'NoResponse'].includes(code)), ...wordless].toSorted())
  })

  test.each([...wordless.filter((code) => code !== 'TooManyRequests'), 'SomethingNew', 'toString', '__proto__'])(
    '%s reads as the generic words and the code',
    async (code) => {
      await activate('en')
      expect(said(code)).toEqual({ words: 'Something went wrong', shown: code })
    },
  )

  test('all of it is spoken in Russian', async () => {
    await activate('en')
    const english = Object.keys(table).map((code) => said(code).words)
    await activate('ru')
    const same = Object.keys(table).map((code) => said(code).words).filter((words, index) => words === english[index] || !/[а-яё]/i.test(words))
    expect(same).toEqual([])
  })
})

describe('success (spec.md §8)', () => {
  test.each([
    ['codeSent', 'Code has been sent to ann@example.org'],
    ['passwordChanged', 'Password has been changed'],
    ['profileUpdated', 'Profile has been updated'],
    ['streamSaved', 'Stream settings has been saved'],
    ['toString', 'Done'],
  ])('%s reads %s', async (code, words) => {
    await activate('en')
    expect(i18n._({ ...successText(code), values: { email: 'ann@example.org' } })).toBe(words)
  })
})
