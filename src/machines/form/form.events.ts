import type { DraftFound } from './draft.ts'

/** A code that views have words for (`code.reason` where the server gives a reason), or the server's own words. */
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

/** More for a parent whose page shows more of some errors than the form does. */
export type FormRefused = { type: 'form.refused'; code: string }
