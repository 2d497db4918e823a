import type { DraftFound } from './draft.ts'
import type { LeaveEvent } from './leaving-region.ts'

/**
 * By field path: a code that the views translate, `code.reason` if the server gives a reason, or the server's message.
 */
export type FieldErrors = Readonly<Record<string, string>>

export type FormEvent<Values> =
  | { type: 'form.edited'; values: Partial<Values> }
  | { type: 'form.submitted' }
  | { type: 'form.cancelled' }
  | { type: 'form.reset'; values: Values }
  /** Values that nobody typed; what was typed in other fields remains unsaved. */
  | { type: 'form.rebased'; values: Partial<Values> }
  | LeaveEvent
  | DraftFound

/** To the parent after saving. */
export type FormReport<Values, Answer> = { type: 'form.saved'; answer: Answer; values: Values }

/** To the parent after a refused submission, whose page may react to some codes. */
export type FormRefused = { type: 'form.refused'; code: string }
