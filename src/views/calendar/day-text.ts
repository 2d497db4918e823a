import { dayNumber, type Day } from '../../machines/calendar/calendar-grid.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats a day, in UTC: each day has 24 hours there. */
export function formatDay(day: Day, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  formats.set(key, format)
  return format.format(dayNumber(day) * 86_400_000)
}
