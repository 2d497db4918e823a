import { dateFormat } from '../../i18n/formats.ts'
import { dayNumber, type Day } from '../../machines/calendar/calendar-grid.ts'

/** The start of a day in UTC, epoch milliseconds: for its date, whatever the zone. */
export const utcStart = (day: Day): number => dayNumber(day) * 86_400_000

/** A format for `utcStart` of a day. */
export const calendarFormat = (options: Intl.DateTimeFormatOptions, locale: string): Intl.DateTimeFormat =>
  dateFormat({ ...options, timeZone: 'UTC' }, locale)

/** What a calendar shows of a day: its weekday, its month or its full date. */
export const dayText = (day: Day, locale: string, options: Intl.DateTimeFormatOptions): string =>
  calendarFormat(options, locale).format(utcStart(day))
