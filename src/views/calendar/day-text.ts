import { dayNumber, type Day } from '../../machines/calendar/calendar-grid.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats in UTC, where every day has 24 hours. */
export function written(day: Day, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  formats.set(key, format)
  return format.format(dayNumber(day) * 86_400_000)
}
