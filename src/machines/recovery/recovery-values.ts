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

/** Codes and passwords are checked by the server (docs/behaviour.md §16); here they must not be empty. */
export function missing(context: RecoveryValues, fields: readonly Field[]): FieldErrors {
  return Object.fromEntries(fields.filter((field) => context[field].trim() === '').map((field) => [field, 'required']))
}

export function fieldErrors({ code, details }: ApiError): FieldErrors {
  if (code === 'PasswordIsNotComplexEnough') return { password: withReason(code, details) }
  if (code === 'UnknownLifetimeCode' || code === 'LifetimeCodeRequired') return { code }
  if (code !== 'ValidationError') return {}
  return Object.fromEntries(
    allFields.flatMap((field) => (typeof details[field] === 'string' ? [[field, details[field]]] : [])),
  )
}
