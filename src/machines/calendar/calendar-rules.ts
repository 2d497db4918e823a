import { dayNumber, isDay, weekdayOf, type Day } from './calendar-grid.ts'

export type CalendarProperties = {
  readonly mode: 'period' | 'single' | 'multi'
  readonly today: Day
  /** How many months are shown: 3, 6, 9 or 12; by default 3. */
  readonly months?: number
  readonly min?: Day
  readonly max?: Day
  readonly disabled?: readonly Day[]
  /** How many days the others may be before or after the day that was selected first. */
  readonly maxRangeDays?: number
  /** In multi mode: 1 for Monday to 7 for Sunday. */
  readonly excludedWeekdays?: readonly number[]
  /** What is selected at first: one day, the ends of a period, or any days. */
  readonly selected?: readonly Day[]
}

/** Why the calendar can't be shown (docs/behaviour.md §9). */
export type PropertyError =
  | 'notADay'
  | 'minAfterMax'
  | 'startAfterEnd'
  | 'outsideAllowed'
  | 'wrongMonths'
  | 'wrongCount'

const minMonths = 3
const maxMonths = 12

export const monthsShown = ({ months }: CalendarProperties): number => months ?? minMonths

export function propertyErrorOf(properties: CalendarProperties): PropertyError | null {
  const { mode, today, min, max, disabled = [], selected = [] } = properties
  const months = monthsShown(properties)
  if (
    ![today, ...disabled, ...selected, ...(min === undefined ? [] : [min]), ...(max === undefined ? [] : [max])].every(
      isDay,
    )
  )
    return 'notADay'
  if (months < minMonths || months > maxMonths || months % minMonths !== 0) return 'wrongMonths'
  if (min !== undefined && max !== undefined && min > max) return 'minAfterMax'
  if ((mode === 'single' && selected.length > 1) || (mode === 'period' && selected.length > 2)) return 'wrongCount'
  const [start, end] = selected
  if (mode === 'period' && start !== undefined && end !== undefined && start > end) return 'startAfterEnd'
  if (selected.some((day) => !isWithin(properties, day))) return 'outsideAllowed'
  return null
}

const isWithin = ({ min, max }: CalendarProperties, day: Day): boolean =>
  (min === undefined || day >= min) && (max === undefined || day <= max)

/** Whether a day can be selected; `first` is the day that was selected first, null if none is. */
export function canChoose(properties: CalendarProperties, first: Day | null, day: Day): boolean {
  const { mode, disabled, maxRangeDays, excludedWeekdays } = properties
  if (!isDay(day) || !isWithin(properties, day) || disabled?.includes(day)) return false
  if (mode === 'multi' && excludedWeekdays?.includes(weekdayOf(day))) return false
  return maxRangeDays === undefined || first === null || Math.abs(dayNumber(day) - dayNumber(first)) <= maxRangeDays
}
