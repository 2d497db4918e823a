/** `2026-11-21 14:05:03` of a zone's wall clock. */
export const localText = (at: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(at / 1000) * 1000).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ')

/** The moment of a wall-clock text in epoch milliseconds; the earlier one where the clock repeats. Null for anything else. */
export function momentOfLocal(text: string, zone: string): number | null {
  const written = text.trim().replace(/[ T]+/, 'T')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/.test(written)) return null
  try {
    return Temporal.PlainDateTime.from(written, { overflow: 'reject' }).toZonedDateTime(zone).epochMilliseconds
  } catch {
    return null
  }
}
