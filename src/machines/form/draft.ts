/** Takes out of what was typed what must not be kept in the browser: passwords, and addresses that hold them. */
export type DraftRule<Values, Facts = null> = (changed: Partial<Values>, facts: Facts) => Partial<Values>

export type DraftCommand = { type: 'draft.changed'; values: object }
export type DraftFound = { type: 'draft.found'; values: object }

export function changedIn<Values extends object>(values: Values, saved: Values): Partial<Values> {
  const before = new Map(Object.entries(saved))
  const isChanged = ([field, value]: [string, unknown]) =>
    kindOf(value) !== '' && JSON.stringify(before.get(field)) !== JSON.stringify(value)
  const changed: Partial<Values> = {}
  return Object.assign(changed, Object.fromEntries(Object.entries(values).filter(isChanged)))
}

/** What is found again, of the fields that the form still has and of the same kind. */
export function foundOf<Values extends object>(found: object, saved: Values): Partial<Values> {
  const kinds = new Map(Object.entries(saved).map(([field, value]) => [field, kindOf(value)]))
  const values: Partial<Values> = {}
  return Object.assign(
    values,
    Object.fromEntries(Object.entries(found).filter(([field, value]) => kinds.get(field) === kindOf(value))),
  )
}

/** Texts, numbers, flags and lists are kept; nothing else is. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' || value === undefined ? '' : typeof value
}
