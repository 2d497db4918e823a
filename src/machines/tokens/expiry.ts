export type Expiry = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'never' | 'date'

const days: Partial<Record<Expiry, number>> = { day: 1, week: 7, month: 30, quarter: 90, year: 365 }

/** RFC 3339; null: never. `date` is the last day on which the token works, in the user's time zone. */
export function expireTimeOf(expiry: Expiry, date: string, now: number, timeZone: string): string | null {
  if (expiry === 'never') return null
  if (expiry === 'date') {
    const next = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timeZone)
    return iso(next.epochMilliseconds - 1)
  }
  return iso(now + (days[expiry] ?? 0) * 86_400_000)
}

const iso = (epochMs: number) => new Date(epochMs).toISOString()
