import type { ApiError } from '../../api/reply.ts'
import type { FieldErrors } from '../form/form.events.ts'
import { withReason } from '../form/refused-fields.ts'

export interface RecoveryValues {
  email: string
  code: string
  password: string
}

export const allFields = ['email', 'code', 'password'] as const
type Field = (typeof allFields)[number]

export const isComplete = (context: RecoveryValues, fields: readonly Field[]) =>
  Object.keys(missing(context, fields)).length === 0

/** The empty ones of the fields, as errors. The server checks codes and passwords (docs/behaviour.md §16). */
export function missing(context: RecoveryValues, fields: readonly Field[]): FieldErrors {
  return Object.fromEntries(fields.filter((field) => context[field].trim() === '').map((field) => [field, 'required']))
}

/** The errors of fields in the server's answer. */
export function fieldErrors({ code, details }: ApiError): FieldErrors {
  if (code === 'PasswordIsNotComplexEnough') return { password: withReason(code, details) }
  if (code === 'UnknownLifetimeCode' || code === 'LifetimeCodeRequired') return { code }
  if (code !== 'ValidationError') return {}
  return Object.fromEntries(
    allFields.flatMap((field) => (typeof details[field] === 'string' ? [[field, details[field]]] : [])),
  )
}
