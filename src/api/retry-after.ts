/**
 * The seconds of a retry-after header (RFC 9110 §10.2.3); null without a valid one. An HTTP-date counts from the
 * answer's own date, without one from this machine's clock.
 */
export function retryAfterOf(headers: Pick<Headers, 'get'>): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value)
  // Date.parse reads more than dates: -1 as a year.
  const until = /^[A-Z][a-z]{2}/.test(value.trim()) ? Date.parse(value) : Number.NaN
  const date = Date.parse(headers.get('date') ?? '')
  const now = Number.isNaN(date) ? Date.now() : date
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now) / 1000))
}
