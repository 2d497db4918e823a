/** Whether a time zone exists. By Intl, as Temporal takes a moment like 2026-11-21T08:00Z for the zone of it. */
export const isTimezone = (timezone: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch {
    return false
  }
}

/** The offset from UTC that a time zone has from a moment on. `from` in epoch milliseconds, `offset` like +03:00. */
export type ZoneOffset = { from: number; offset: string; seconds: number }

/** The offset at the start of a range, and those that follow if the zone's time changes within it. */
export const zoneOffsets = (timezone: string, from: number, to: number): ZoneOffset[] => {
  const found: ZoneOffset[] = []
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(Math.floor(from)).toZonedDateTimeISO(
    timezone,
  )
  while (at !== null && (found.length === 0 || at.epochMilliseconds < to)) {
    found.push({ from: at.epochMilliseconds, offset: at.offset, seconds: at.offsetNanoseconds / 1e9 })
    at = at.getTimeZoneTransition('next')
  }
  return found
}
