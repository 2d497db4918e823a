import { setImmediate as turn } from 'node:timers/promises'

/** In one turn of the event loop: some milliseconds. */
const daysAtOnce = 50

/**
 * The days of a zone in which something is recorded, as YYYY-MM-DD. `nextStart` answers the first recorded moment at or after one.
 * A day reaches from its first moment to the next day's, whatever its length (23 or 25 hours).
 */
export const recordedDays = async (
  from: number,
  to: number,
  timezone: string,
  nextStart: (moment: number) => number | undefined,
): Promise<string[]> => {
  const days: string[] = []
  let moment = nextStart(from)
  while (moment !== undefined && moment < to) {
    const day = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timezone).toPlainDate()
    days.push(day.toString())
    if (days.length % daysAtOnce === 0) await turn()
    moment = nextStart(day.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds)
  }
  return days
}

/** True for a zone that this runtime knows. */
export const isTimezone = (timezone: string): boolean => {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone)
    return true
  } catch {
    return false
  }
}
