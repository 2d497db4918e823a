import type { TimeRange } from '../../api/contract/time-range.ts'
import { dayPeriod } from '../timeline/lookup.ts'
import { dayNumber, type Day } from './calendar-grid.ts'

/** The time range of the days from `first` to `last` in a zone, cut at `now`, and their number. */
export function periodOfDays(first: Day, last: Day, zone: string, now: number): TimeRange & { readonly days: number } {
  const from = dayPeriod(first, zone).from
  return {
    from,
    to: Math.max(from, Math.min(now, dayPeriod(last, zone).to)),
    days: dayNumber(last) - dayNumber(first) + 1,
  }
}
