/** The fields edited since the values were submitted. */
export function editedSince<Values extends object>(submitted: Values, values: Values): Partial<Values> {
  const before = new Map(Object.entries(submitted))
  const after: Partial<Values> = {}
  return Object.assign(
    after,
    Object.fromEntries(Object.entries(values).filter(([field, value]) => before.get(field) !== value)),
  )
}

/** Whether there are unsaved changes. */
export const isDirty = ({ values, saved }: { values: object; saved: object }): boolean =>
  values !== saved && JSON.stringify(values) !== JSON.stringify(saved)
