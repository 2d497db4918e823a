import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { knownText } from '../../i18n/errors.ts'
import type { FieldErrors } from '../../machines/form/form.events.ts'
import { serverText } from './server-words.ts'

const fields: Readonly<Record<string, MessageDescriptor>> = {
  required: msg`Fill this in`,
  invalidEmail: msg`This isn't an email address`,
  invalidLogin: msg`A login can't contain spaces or slashes`,
  tooLong: msg`This is too long`,
  unreadableTime: msg`Enter a time like 2026-11-21 14:05:03`,
  invalidNumber: msg`Enter a whole number`,
  invalidJson: msg`This isn't valid JSON yet`,
  UnknownLifetimeCode: msg`This code is wrong or no longer works`,
  LifetimeCodeRequired: msg`Enter the code from the email`,
  'PasswordIsNotComplexEnough.tooShort': msg`Password is not complex enough: use 8 characters or more`,
  'PasswordIsNotComplexEnough.tooLong': msg`The password is too long: use 256 characters or fewer`,
  'PasswordIsNotComplexEnough.tooUniform': msg`Password is not complex enough: use 4 different characters or more`,
  'PasswordIsNotComplexEnough.tooCommon': msg`Password is not complex enough: it is one of the most common ones`,
  'PasswordIsNotComplexEnough.sameAsLogin': msg`Password is not complex enough: it must differ from the login`,
  'PasswordIsNotComplexEnough.tooObvious': msg`Password is not complex enough: it is made of words easy to guess`,
}

/** The text of an error code, which may have a reason after a dot; undefined for another server's text. */
export function fieldText(code: string): MessageDescriptor | undefined {
  if (Object.hasOwn(fields, code)) return fields[code]
  const [, known] = /^(\w+)(?:\.\w+)?$/.exec(code) ?? []
  return (known === undefined ? undefined : knownText(known)) ?? serverText(code)
}

const shownText = (error: string, i18n: I18n): string => {
  const known = fieldText(error)
  return known === undefined ? error : i18n._(known)
}

/** The texts of all errors, each once. */
export const fieldTexts = (errors: FieldErrors, i18n: I18n): readonly string[] => [
  ...new Set(Object.values(errors).map((error) => shownText(error, i18n))),
]

/** The error of a field: the console's text for a known code, the server's text otherwise. */
export function useFieldError(errors: FieldErrors): (field: string) => string | undefined {
  const { i18n } = useLingui()
  return (field) => {
    const error = errors[field]
    return error === undefined ? undefined : shownText(error, i18n)
  }
}
