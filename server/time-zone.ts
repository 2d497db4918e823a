/** Whether a time zone exists. By Intl, as Temporal takes a moment like 2026-11-21T08:00Z for the zone of it. */
export const isTimezone = (timezone: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch {
    return false
  }
}
