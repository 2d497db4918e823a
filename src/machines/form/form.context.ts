import type { DraftRule } from './draft.ts'
import type { FieldErrors } from './form.events.ts'

export interface FormContext<Values, Facts = unknown> {
  values: Values
  /** The last saved values; at first those of the input. */
  saved: Values
  /** The values being saved; editing may continue meanwhile. */
  submitted: Values
  errors: FieldErrors
  /** Counts failed submissions, after each of which the view focuses the first invalid field. */
  failures: number
  /** A draft was restored after the session had ended. */
  isRestored: boolean
  facts: Facts
}

export interface FormInput<Values, Facts = null> {
  values: Values
  /** Data that the rules need besides the values: limits, schema fields. */
  facts: Facts
}

export interface FormRules<Values, Answer, Facts> {
  /** The field beside which an error code is shown; a field that the server names has priority. */
  fieldOfCode?: Readonly<Record<string, string>>
  /** Client-side validation; `saved`: the last saved values. */
  validate?: (values: Values, saved: Values, facts: Facts) => FieldErrors
  /** The values after saving, if they differ from what was typed; `before`: the last saved values. */
  afterSave?: (answer: Answer, before: Values, facts: Facts) => Partial<Values>
  /** Which changed values are stored as a draft; without it none are. */
  draft?: DraftRule<Values, Facts>
  /** The values that a draft restores, if they aren't stored as they are. */
  fromDraft?: (stored: object, saved: Values) => Partial<Values>
}
