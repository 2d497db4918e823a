/** The value of an earlier step of a machine, which always exists when the machine reaches the next step. */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error('the earlier step is missing')
  return value
}
