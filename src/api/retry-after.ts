/**
 * Seconds that an answer asks to wait (RFC 9110 §10.2.3); null where it doesn't. The HTTP-date form is read against the
 * answer's own date, else against the clock here.
 */
export function retryAfterOf(headers: Pick<Headers, 'get'>): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value)
  // What isn't a date may be one to a lenient reader: -1 is a year.
  const until = /^[A-Z][a-z]{2}/.test(value.trim()) ? Date.parse(value) : Number.NaN
  const sentAt = Date.parse(headers.get('date') ?? '')
  const now = Number.isNaN(sentAt) ? Date.now() : sentAt
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now) / 1000))
}
