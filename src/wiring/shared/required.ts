/** The value of an earlier step, which a machine has before it comes to this one. */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error('the earlier step is missing')
  return value
}
