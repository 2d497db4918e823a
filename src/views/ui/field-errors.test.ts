import { expect, test } from 'vitest'
import { activate, loadMessages, i18n } from '../../i18n/i18n.ts'
import { fieldText } from './field-errors.ts'

test('beside a field a code has words, with its reason where it is known, and what is already words is left alone', async () => {
  await activate('en')
  await loadMessages('pages')
  const words = (code: string) => {
    const found = fieldText(code)
    return found === undefined ? undefined : i18n._(found)
  }
  expect(
    [
      'required',
      'InvalidOldPassword',
      'PasswordIsNotComplexEnough.news',
      'No. Not so',
      'must be shorter',
      'toString',
    ].map(words),
  ).toEqual(['Fill this in', 'Invalid old password', 'Password is not complex enough', undefined, undefined, undefined])
})
