/** `2026-11-21T14:05:03` of a zone's wall clock. */
export const localText = (at: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(at / 1000) * 1000).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' })

/** The moment of a wall-clock text in epoch milliseconds; the earlier one where the clock repeats. Null for anything else. */
export function momentOfLocal(text: string, zone: string): number | null {
  if (!/^\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(text)) return null
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return null
  }
}
