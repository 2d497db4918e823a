import { setImmediate as nextTurn } from 'node:timers/promises'

const daysAtOnce = 50

/**
 * The days of a time zone that have recordings, as YYYY-MM-DD. `nextRecorded`: the first recorded moment from a moment
 * on, which is that moment itself within a segment that began before it.
 */
export const recordedDays = async (
  from: number,
  to: number,
  timezone: string,
  nextRecorded: (moment: number) => Promise<number | undefined>,
): Promise<string[]> => {
  const days: string[] = []
  let moment = await nextRecorded(from)
  while (moment !== undefined && moment < to) {
    const day = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timezone).toPlainDate()
    days.push(day.toString())
    if (days.length % daysAtOnce === 0) await nextTurn()
    moment = await nextRecorded(day.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds)
  }
  return days
}

export const isTimezone = (timezone: string): boolean => {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timezone)
    return true
  } catch {
    return false
  }
}
