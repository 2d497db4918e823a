import type { ApiError } from '../../api/reply.ts'
import type { FieldErrors } from './form.events.ts'

/** The `fieldOfCode` of a form that shows these errors of the call beside one field. */
export const besideField = (field: string, codes: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(codes.map((code) => [code, field]))

interface FormFields {
  fieldOfCode: Readonly<Record<string, string>>
  values: object
}

/** The errors to show beside fields: those that a ValidationError names, else the field of the code. */
export function fieldErrors(
  { code, details }: ApiError,
  { fieldOfCode, values }: FormFields,
): Readonly<Record<string, string>> {
  const named = Object.entries(details).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  if (code === 'ValidationError') return Object.fromEntries(named)
  const field = fieldOfCode[code]
  if (field === undefined) return {}
  return { [named.find(([name]) => isFieldOf(values, name))?.[0] ?? field]: withReason(code, details) }
}

/** `reason` is a fixed word for the rule that was broken, if a code has several. */
export const withReason = (code: string, { reason }: ApiError['details']): string =>
  typeof reason === 'string' ? `${code}.${reason}` : code

/** Whether the form has the field of a wire path, or of its first segment: `location` for `location.name`. */
const isFieldOf = (values: object, path: string): boolean =>
  Object.hasOwn(values, path) || Object.hasOwn(values, path.split('.')[0] ?? '')

const formCodes = new Set([
  'ValidationError',
  'InvalidOldPassword',
  'OldPasswordAndNewPasswordCannotBeSame',
  'IncorrectLicense',
  'ActionNotAcceptable',
  'NotStored',
])

/**
 * Whether an error that is shown beside a field needs no toast besides: errors of a ValidationError's fields
 * (docs/wire.md §2), of the old password and the licence (docs/behaviour.md §12), those that only the form translates,
 * and a browser that can't store.
 */
export const isShownByForm = ({ code }: ApiError): boolean => formCodes.has(code)

export function areAllShown(errors: Readonly<Record<string, string>>, values: object): boolean {
  const paths = Object.keys(errors)
  return paths.length > 0 && paths.every((path) => isFieldOf(values, path))
}

/** The errors of the fields that don't change. */
export const errorsBeside = (changed: object, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !isFieldOf(changed, path)))

/** The errors without those that the form's own rules gave `before` and don't give any more. */
export const remainingErrors = (errors: FieldErrors, before: FieldErrors, after: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([path, text]) => before[path] !== text || after[path] === text))
