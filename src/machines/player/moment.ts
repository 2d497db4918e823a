/** The moment that an address asks for, `?at=` an instant, in epoch milliseconds; null for live. */
export function momentOf(search: string): number | null {
  const at = Date.parse(new URLSearchParams(search).get('at') ?? '')
  return Number.isNaN(at) ? null : at
}

/** The query of an address at a moment; null takes it out. What else the query has stays. */
export function searchAt(search: string, at: number | null): string {
  const query = new URLSearchParams(search)
  if (at === null) query.delete('at')
  else query.set('at', new Date(at).toISOString())
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
