import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { monthOf, type Day } from './calendar-grid.ts'
import { canChoose, monthsShown } from './calendar-rules.ts'
import type { calendarMachine } from './calendar.machine.ts'

export type CalendarRef = ActorRefFrom<typeof calendarMachine>
export type CalendarSnapshot = SnapshotFrom<typeof calendarMachine>

export const selectError = ({ context }: CalendarSnapshot) => context.error
export const selectFirstMonth = ({ context }: CalendarSnapshot) => context.month
export const selectMonthCount = ({ context }: CalendarSnapshot) => monthsShown(context.properties)
export const selectMode = ({ context }: CalendarSnapshot) => context.properties.mode
export const selectSelected = ({ context }: CalendarSnapshot) => context.selected
/** Whether more than one day can be selected, as `aria-multiselectable` says. */
export const selectIsMultiselectable = ({ context }: CalendarSnapshot) => context.properties.mode !== 'single'
export const selectCanMoveBack = ({ context: { properties, month } }: CalendarSnapshot) =>
  properties.min === undefined || month > monthOf(properties.min)
export const selectCanMoveForward = ({ context: { properties, month } }: CalendarSnapshot) =>
  properties.max === undefined || month + monthsShown(properties) - 1 < monthOf(properties.max)

export type DayLook = {
  readonly isSelected: boolean
  /** Whether the day is within the selected period and not one of its ends. */
  readonly isBetween: boolean
  readonly isDisabled: boolean
  readonly isToday: boolean
}

export function lookOf(snapshot: CalendarSnapshot, day: Day): DayLook {
  const { properties, selected } = snapshot.context
  const [start, end] = selected
  const isBetween = properties.mode === 'period' && start !== undefined && end !== undefined && start < day && day < end
  const first = snapshot.matches('choosingEnd') || properties.mode === 'multi' ? (start ?? null) : null
  return {
    isSelected: selected.includes(day) || isBetween,
    isBetween,
    isDisabled: !selected.includes(day) && !canChoose(properties, first, day),
    isToday: day === properties.today,
  }
}
