import type { CursorStep } from './calendar.machine.ts'

const steps: Readonly<Record<string, CursorStep>> = {
  ArrowLeft: 'previousDay',
  ArrowRight: 'nextDay',
  ArrowUp: 'previousWeek',
  ArrowDown: 'nextWeek',
  Home: 'weekStart',
  End: 'weekEnd',
  PageUp: 'previousMonth',
  PageDown: 'nextMonth',
}
const shiftSteps: Readonly<Record<string, CursorStep>> = { PageUp: 'previousYear', PageDown: 'nextYear' }

/** The step of the cursor for a key; with Shift, PageUp and PageDown move by a year. */
export function stepOf(key: string, isShift: boolean): CursorStep | undefined {
  const table = isShift && Object.hasOwn(shiftSteps, key) ? shiftSteps : steps
  return Object.hasOwn(table, key) ? table[key] : undefined
}
