import { type Weekday, weekdays } from '../../src/api/contract/alerts.ts'
import { validationError } from '../http/api-error.ts'
import { isTimezone } from '../time-zone.ts'
import type { QuietHours } from './happenings.ts'

const weekdayOf = (date: Temporal.PlainDate): Weekday => weekdays[date.dayOfWeek - 1] ?? 'mon'

const momentOn = (date: Temporal.PlainDate, time: string, zone: string): number =>
  date.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(zone).epochMilliseconds

/**
 * Whether a moment lies in quiet hours. A period that ends no later than it begins ends on the next day. A time that
 * occurs twice, when clocks are set back, means its first occurrence; a time that is skipped, when clocks are set
 * forward, means the time that is later by the skipped period.
 */
export const isQuiet = (quietHours: QuietHours | null, moment: number): boolean => {
  if (quietHours === null || !isTimezone(quietHours.timezone)) return false
  const { timezone, periods } = quietHours
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(moment)).toZonedDateTimeISO(timezone).toPlainDate()
  return [today.subtract({ days: 1 }), today].some((date) =>
    periods.some(({ days, from, to }) => {
      if (!days.includes(weekdayOf(date))) return false
      const last = to > from ? date : date.add({ days: 1 })
      return momentOn(date, from, timezone) <= moment && moment < momentOn(last, to, timezone)
    }),
  )
}

/** The quiet hours of a request; null without periods. Throws a ValidationError unless the time zone exists. */
export const quietHoursOf = (given: QuietHours | null | undefined): QuietHours | null => {
  if (given == null || given.periods.length === 0) return null
  if (!isTimezone(given.timezone)) throw validationError({ 'quietHours.timezone': 'Unknown time zone' })
  return given
}
