import type { ApiError } from '../../api/reply.ts'
import type { FieldErrors } from '../form/form.events.ts'

/** The fields of the form by their names on the wire. */
const fields: Readonly<Record<string, string>> = { name: 'login', password: 'password', code: 'code' }

/** The errors of a ValidationError by field; null if it isn't one, or has an error of another path. */
export function signInErrors({ code, details }: ApiError): FieldErrors | null {
  const named = Object.entries(details).map(([path, text]) => [fields[path], text])
  const areFields = named.every(([field, text]) => field !== undefined && typeof text === 'string')
  return code === 'ValidationError' && named.length > 0 && areFields ? Object.fromEntries(named) : null
}

/** The code of the toast of another error. */
export function toastCode({ status, code, details }: ApiError): string {
  if (details['reason'] === 'initialPasswordExpired') return 'initialPasswordExpired'
  return code === '' && status === 401 ? 'AuthorizationFailed' : code
}
