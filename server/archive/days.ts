import { setImmediate as turn } from 'node:timers/promises'

const daysAtOnce = 50

/**
 * The days of a time zone that have recordings, as YYYY-MM-DD. `nextStart`: the first recorded moment from a moment on.
 */
export const recordedDays = async (
  from: number,
  to: number,
  timezone: string,
  nextStart: (moment: number) => Promise<number | undefined>,
): Promise<string[]> => {
  const days: string[] = []
  let moment = await nextStart(from)
  while (moment !== undefined && moment < to) {
    const day = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timezone).toPlainDate()
    days.push(day.toString())
    if (days.length % daysAtOnce === 0) await turn()
    moment = await nextStart(day.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds)
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
