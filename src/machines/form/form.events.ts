import type { DraftFound } from './draft.ts'

/**
 * By field path: a code that the views translate, `code.reason` if the server gives a reason, or the server's message.
 */
export type FieldErrors = Readonly<Record<string, string>>

export type FormEvent<Values> =
  | { type: 'form.edited'; values: Partial<Values> }
  | { type: 'form.submitted' }
  | { type: 'form.cancelled' }
  | { type: 'form.reset'; values: Values }
  | { type: 'leave.attempted' }
  | { type: 'leave.confirmed' }
  | { type: 'leave.cancelled' }
  | DraftFound

export type FormReport<Values, Answer> = { type: 'form.saved'; answer: Answer; values: Values }

/** Sent besides, to a parent whose page says more about some errors than the form. */
export type FormRefused = { type: 'form.refused'; code: string }
