/** Reads an input of type `datetime-local`, in the browser's zone, as epoch milliseconds; null if it is empty. */
export function momentOf(local: string): number | null {
  const at = local === '' ? Number.NaN : new Date(local).getTime()
  return Number.isNaN(at) ? null : at
}

/** The value of an input of type `datetime-local`, in the browser's zone; '' for null. */
export function localOf(epochMs: number | null): string {
  if (epochMs === null) return ''
  const local = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
