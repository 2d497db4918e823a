import type { DraftFound } from './draft.ts'

/**
 * Wrong fields and what is wrong with each: a code the views have words for (`code.reason` where the server gives one),
 * or the server's own words.
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

/** What a form tells its parent once it is saved. */
export type FormReport<Values, Answer> = { type: 'form.saved'; answer: Answer; values: Values }

/** What it tells besides, for a parent whose page says more of some errors than the form does. */
export type FormRefused = { type: 'form.refused'; code: string }
