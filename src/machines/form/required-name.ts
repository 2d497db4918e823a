import type { FieldErrors } from './form.events.ts'

/** The error of an empty name, for the `validate` rule of a form. */
export const nameErrors = ({ name }: { name: string }): FieldErrors => (name.trim() === '' ? { name: 'required' } : {})
