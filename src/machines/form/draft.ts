/** The changed values that may be stored in the browser: no passwords, and no URLs that contain one. */
export type DraftRule<Values, Facts = null> = (changed: Partial<Values>, facts: Facts, saved: Values) => object

export type DraftCommand = { type: 'draft.changed'; values: object }
export type DraftFound = { type: 'draft.found'; values: object }

/** The values that differ from the saved ones: texts, numbers, flags and lists, but no objects. */
export function changedIn<Values extends object>(values: Values, saved: Values): Partial<Values> {
  const before = new Map(Object.entries(saved))
  const isChanged = ([field, value]: [string, unknown]) =>
    kindOf(value) !== '' && JSON.stringify(before.get(field)) !== JSON.stringify(value)
  const changed: Partial<Values> = {}
  return Object.assign(changed, Object.fromEntries(Object.entries(values).filter(isChanged)))
}

/** The stored values that the form can use: of its fields those whose kind is still the same. */
export function restorableOf<Values extends object>(stored: object, saved: Values): Partial<Values> {
  const kinds = new Map(Object.entries(saved).map(([field, value]) => [field, kindOf(value)]))
  const values: Partial<Values> = {}
  return Object.assign(
    values,
    Object.fromEntries(Object.entries(stored).filter(([field, value]) => kinds.get(field) === kindOf(value))),
  )
}

/** '' for any other kind of value, which isn't stored. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' || value === undefined ? '' : typeof value
}
