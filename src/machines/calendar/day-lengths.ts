import { dayPeriod } from '../timeline/lookup.ts'
import { addDays, type Day } from './calendar-grid.ts'

const hourMs = 3_600_000

/** The days from `first` to `last` that don't have 24 hours, as the clock changes, with their length in hours. */
export function clockChangeDays(first: Day, last: Day, zone: string): ReadonlyMap<Day, number> {
  const lengths = new Map<Day, number>()
  const end = dayPeriod(last, zone).to
  const start = Temporal.PlainDate.from(first).toZonedDateTime(zone).subtract({ hours: 1 })
  for (
    let at = start.getTimeZoneTransition('next');
    at !== null && at.epochMilliseconds < end;
    at = at.getTimeZoneTransition('next')
  ) {
    const changeDay = at.toPlainDate().toString()
    for (const day of [addDays(changeDay, -1), changeDay]) {
      const { from, to } = dayPeriod(day, zone)
      const hours = (to - from) / hourMs
      if (hours !== 24 && first <= day && day <= last) lengths.set(day, hours)
    }
  }
  return lengths
}
