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
const longSteps: Readonly<Record<string, CursorStep>> = { PageUp: 'previousYear', PageDown: 'nextYear' }

export function stepOf(key: string, isShift: boolean): CursorStep | undefined {
  const table = isShift && Object.hasOwn(longSteps, key) ? longSteps : steps
  return Object.hasOwn(table, key) ? table[key] : undefined
}
