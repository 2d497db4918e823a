/** Timers run at once if they are to wait longer than 24 days. */
const maxSeconds = 86_400

/**
 * The seconds of a retry-after header (RFC 9110 §10.2.3), at most a day; null without a valid one. An HTTP-date counts
 * from the answer's own date, without one from this machine's clock.
 */
export function retryAfterOf(headers: Pick<Headers, 'get'>): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Math.min(maxSeconds, Number(value))
  // Date.parse reads more than dates: -1 as a year.
  const until = /^[A-Z][a-z]{2}/.test(value.trim()) ? Date.parse(value) : Number.NaN
  const date = Date.parse(headers.get('date') ?? '')
  const now = Number.isNaN(date) ? Date.now() : date
  return Number.isNaN(until) ? null : Math.min(maxSeconds, Math.max(0, Math.ceil((until - now) / 1000)))
}
