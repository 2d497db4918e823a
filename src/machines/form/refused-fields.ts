import type { ApiError } from '../../api/reply.ts'

interface Known {
  fieldOfCode: Readonly<Record<string, string>>
  values: object
}

/** Where an error lands beside the fields: by the names of a ValidationError, else by its code. */
export function fieldErrors(
  { code, details }: ApiError,
  { fieldOfCode, values }: Known,
): Readonly<Record<string, string>> {
  const named = Object.entries(details).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  if (code === 'ValidationError') return Object.fromEntries(named)
  const field = fieldOfCode[code]
  if (field === undefined) return {}
  return { [named.find(([name]) => isFieldOf(values, name))?.[0] ?? field]: withReason(code, details) }
}

/** `reason` is a word of a fixed vocabulary: which rule of several was broken. */
export const withReason = (code: string, { reason }: ApiError['details']): string =>
  typeof reason === 'string' ? `${code}.${reason}` : code

/** A path of the wire belongs to the form where its first step does: `location.name` to `location`. */
export const isFieldOf = (values: object, path: string): boolean =>
  Object.hasOwn(values, path) || Object.hasOwn(values, path.split('.')[0] ?? '')

const ofTheForm = new Set([
  'ValidationError',
  'InvalidOldPassword',
  'OldPasswordAndNewPasswordCannotBeSame',
  'IncorrectLicense',
  'ActionNotAcceptable',
  'NotKept',
])

/**
 * Whether an error is shown in the form alone; all others are shown in a toast as well. Those of
 * a ValidationError's fields are (docs/wire.md §2), the old password and the licence (docs/behaviour.md §12), what the
 * form alone has words for, and what this browser can't keep.
 */
export const isOfTheForm = ({ code }: ApiError): boolean => ofTheForm.has(code)

export function areAllShown(errors: Readonly<Record<string, string>>, values: object): boolean {
  const paths = Object.keys(errors)
  return paths.length > 0 && paths.every((path) => isFieldOf(values, path))
}
