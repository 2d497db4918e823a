import { useLingui } from '@lingui/react/macro'
import { type QuietHours, weekdays } from '../../api/contract/alerts.ts'
import { formatDateTime } from '../../i18n/formats.ts'

const aMonday = Date.UTC(2026, 10, 23)
const dayMs = 86_400_000

/** The short names of weekdays; an unknown one as it is. */
export function useWeekdays(): (day: string) => string {
  // Renders anew in another language.
  useLingui()
  return (day) => {
    const index = weekdays.findIndex((one) => one === day)
    return index < 0 ? day : formatDateTime(aMonday + index * dayMs, { weekday: 'short', timeZone: 'UTC' })
  }
}

/** Such as `Sat, Sun 22:00–06:00`. */
export function useQuietWords(): (hours: QuietHours) => string {
  const nameOf = useWeekdays()
  return ({ periods }) => periods.map(({ days, from, to }) => `${days.map(nameOf).join(', ')} ${from}–${to}`).join('; ')
}
