import type { QuietHours, Weekday } from '../../api/contract/alerts.ts'
import { dateFormat } from '../../i18n/formats.ts'

export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const aMonday = Date.UTC(2026, 10, 23)
const dayMs = 86_400_000

/** The short name of a weekday; an unknown one as it is. */
export function weekdayName(day: string): string {
  const index = weekdays.findIndex((one) => one === day)
  return index < 0 ? day : dateFormat({ weekday: 'short', timeZone: 'UTC' }).format(aMonday + index * dayMs)
}

/** Such as `Sat, Sun 22:00–06:00`. */
export const quietWords = ({ periods }: QuietHours): string =>
  periods.map(({ days, from, to }) => `${days.map(weekdayName).join(', ')} ${from}–${to}`).join('; ')
