import { type Weekday, weekdays } from '../../src/api/contract/alerts.ts'
import { isTimezone } from '../archive/playback/days.ts'
import { validationError } from '../http/api-error.ts'
import type { QuietHours } from './happenings.ts'

const weekdayOf = (date: Temporal.PlainDate): Weekday => weekdays[date.dayOfWeek - 1] ?? 'mon'

const startOn = (date: Temporal.PlainDate, time: string, zone: string): number =>
  date.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(zone).epochMilliseconds

/**
 * Whether a moment lies in quiet hours. A period that ends no later than it begins ends on the next day. Of a time that
 * occurs twice, as the clock is set back, it is the first one; one that is skipped is as much later.
 */
export const isQuiet = (hours: QuietHours | null, moment: number): boolean => {
  if (hours === null || !isTimezone(hours.timezone)) return false
  const { timezone, periods } = hours
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(moment)).toZonedDateTimeISO(timezone).toPlainDate()
  return [today.subtract({ days: 1 }), today].some((date) =>
    periods.some(({ days, from, to }) => {
      if (!days.includes(weekdayOf(date))) return false
      const last = to > from ? date : date.add({ days: 1 })
      return startOn(date, from, timezone) <= moment && moment < startOn(last, to, timezone)
    }),
  )
}

/** What a request asks for; null without periods. Throws a ValidationError unless the time zone exists. */
export const requireHours = (hours: QuietHours | null | undefined): QuietHours | null => {
  if (hours == null || hours.periods.length === 0) return null
  if (!isTimezone(hours.timezone)) throw validationError({ 'quietHours.timezone': 'Unknown time zone' })
  return hours
}
