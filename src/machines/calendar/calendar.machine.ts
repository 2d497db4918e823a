import { assign, enqueueActions, setup } from 'xstate'
import { addDays, addMonths, dayNumber, firstDayOf, monthOf, weekdayOf, type Day } from './calendar-grid.ts'
import {
  canChoose,
  monthsShown,
  propertyErrorOf,
  type CalendarProperties,
  type PropertyError,
} from './calendar-rules.ts'

export type CursorStep =
  | 'previousDay'
  | 'nextDay'
  | 'previousWeek'
  | 'nextWeek'
  | 'weekStart'
  | 'weekEnd'
  | 'previousMonth'
  | 'nextMonth'
  | 'previousYear'
  | 'nextYear'

export type CalendarEvent =
  | { readonly type: 'calendar.dayPicked'; readonly day: Day }
  /** In multi mode: selects every selectable day from the one selected last to this one. */
  | { readonly type: 'calendar.rangePicked'; readonly day: Day }
  | { readonly type: 'calendar.cursorMoved'; readonly step: CursorStep }
  | { readonly type: 'calendar.monthsMoved'; readonly by: number }
  | { readonly type: 'calendar.configured'; readonly properties: CalendarProperties }

/** Reports the selection to the parent. `isComplete` is false while a period has no end. */
export type CalendarReport = {
  readonly type: 'calendar.chosen'
  readonly selected: readonly Day[]
  readonly isComplete: boolean
}

/** `error`: what is wrong with the properties; `cursor`: the day with the keyboard focus. */
export type CalendarContext = {
  readonly properties: CalendarProperties
  readonly error: PropertyError | null
  readonly selected: readonly Day[]
  readonly cursor: Day
  /** The number of the first month shown (`monthOf`). */
  readonly month: number
}

/**
 * Selects days (docs/behaviour.md §9): a period by its first and last day, a single day, or several. Days that are out
 * of bounds, disabled, excluded or too far from the first selected one can't be selected. Invalid properties lead to
 * the state `invalid` until valid ones arrive.
 */
export const calendarMachine = setup({
  types: {
    context: {} as CalendarContext,
    events: {} as CalendarEvent,
    input: {} as CalendarProperties,
    emitted: {} as CalendarReport,
  },
  guards: {
    isInvalid: ({ context }) => context.error !== null,
    isSingle: ({ context }) => context.properties.mode === 'single',
    isMulti: ({ context }) => context.properties.mode === 'multi',
    hasOnlyPeriodStart: ({ context }) => context.selected.length === 1,
    /** Whether the day can be the first one to be selected. */
    canChoose: ({ context }, { day }: { day: Day }) => canChoose(context.properties, null, day),
    /** Whether the day can be selected besides those that are selected. */
    canAdd: ({ context }, { day }: { day: Day }) => canChoose(context.properties, context.selected[0] ?? null, day),
    isChosen: ({ context }, { day }: { day: Day }) => context.selected.includes(day),
  },
  actions: {
    configure: assign((_, { properties }: { properties: CalendarProperties }) => contextOf(properties)),
    chooseOnly: assign((_, { day }: { day: Day }) => ({ selected: [day], cursor: day })),
    completePeriod: assign(({ context }, { day }: { day: Day }) => ({
      selected: [...context.selected, day].sort(),
      cursor: day,
    })),
    addDay: assign(({ context }, { day }: { day: Day }) => ({ selected: [...context.selected, day], cursor: day })),
    addRange: assign(({ context }, { day }: { day: Day }) => ({ selected: withRange(context, day), cursor: day })),
    removeDay: assign(({ context }, { day }: { day: Day }) => ({
      selected: context.selected.filter((one) => one !== day),
      cursor: day,
    })),
    moveCursor: assign(({ context }, { step }: { step: CursorStep }) => {
      const cursor = bounded(context.properties, movedCursor(context.cursor, step))
      return { cursor, month: firstMonthShowing(context, cursor) }
    }),
    moveMonths: assign(({ context }, { by }: { by: number }) => movedMonths(context, by)),
    report: enqueueActions(({ context: { selected, properties }, enqueue, self }) => {
      const isComplete = properties.mode !== 'period' || selected.length === 2
      const report: CalendarReport = { type: 'calendar.chosen', selected, isComplete }
      enqueue.emit(report)
      if (self._parent) enqueue.sendTo(self._parent, report)
    }),
  },
}).createMachine({
  id: 'calendar',
  context: ({ input }) => contextOf(input),
  initial: 'checking',
  on: {
    'calendar.configured': { target: '.checking', actions: { type: 'configure', params: ({ event }) => event } },
    'calendar.cursorMoved': { actions: { type: 'moveCursor', params: ({ event }) => event } },
    'calendar.monthsMoved': { actions: { type: 'moveMonths', params: ({ event }) => event } },
  },
  states: {
    checking: {
      always: [
        { guard: 'isInvalid', target: 'invalid' },
        { guard: 'isSingle', target: 'choosingDay' },
        { guard: 'isMulti', target: 'choosingDays' },
        { guard: 'hasOnlyPeriodStart', target: 'choosingEnd' },
        { target: 'choosingStart' },
      ],
    },
    invalid: { tags: 'error' },
    choosingDay: {
      on: {
        'calendar.dayPicked': {
          guard: { type: 'canChoose', params: ({ event }) => event },
          actions: [{ type: 'chooseOnly', params: ({ event }) => event }, 'report'],
        },
      },
    },
    choosingStart: {
      on: {
        'calendar.dayPicked': {
          guard: { type: 'canChoose', params: ({ event }) => event },
          target: 'choosingEnd',
          actions: [{ type: 'chooseOnly', params: ({ event }) => event }, 'report'],
        },
      },
    },
    choosingEnd: {
      on: {
        'calendar.dayPicked': {
          guard: { type: 'canAdd', params: ({ event }) => event },
          target: 'choosingStart',
          actions: [{ type: 'completePeriod', params: ({ event }) => event }, 'report'],
        },
      },
    },
    choosingDays: {
      on: {
        'calendar.dayPicked': [
          {
            guard: { type: 'isChosen', params: ({ event }) => event },
            actions: [{ type: 'removeDay', params: ({ event }) => event }, 'report'],
          },
          {
            guard: { type: 'canAdd', params: ({ event }) => event },
            actions: [{ type: 'addDay', params: ({ event }) => event }, 'report'],
          },
        ],
        'calendar.rangePicked': { actions: [{ type: 'addRange', params: ({ event }) => event }, 'report'] },
      },
    },
  },
})

function contextOf(properties: CalendarProperties): CalendarContext {
  const error = propertyErrorOf(properties)
  const { selected = [], today } = properties
  const cursor = error === null ? bounded(properties, selected.at(-1) ?? today) : '1970-01-01'
  return {
    properties,
    error,
    selected,
    cursor,
    month: error === null ? firstMonth(properties, cursor) : monthOf(cursor),
  }
}

/**
 * The first month shown. The cursor's month is the last one, as archives lie in the past, unless that would show months
 * before `min`. No month after `max` is shown.
 */
function firstMonth(properties: CalendarProperties, cursor: Day): number {
  const { min, max } = properties
  const others = monthsShown(properties) - 1
  const first = Math.max(monthOf(cursor) - others, min === undefined ? 0 : Math.min(monthOf(cursor), monthOf(min)))
  return max === undefined ? first : Math.min(first, monthOf(max) - others)
}

function bounded({ min, max }: CalendarProperties, day: Day): Day {
  if (min !== undefined && day < min) return min
  return max !== undefined && day > max ? max : day
}

function movedCursor(cursor: Day, step: CursorStep): Day {
  switch (step) {
    case 'previousDay':
      return addDays(cursor, -1)
    case 'nextDay':
      return addDays(cursor, 1)
    case 'previousWeek':
      return addDays(cursor, -7)
    case 'nextWeek':
      return addDays(cursor, 7)
    case 'weekStart':
      return addDays(cursor, 1 - weekdayOf(cursor))
    case 'weekEnd':
      return addDays(cursor, 7 - weekdayOf(cursor))
    case 'previousMonth':
      return addMonths(cursor, -1)
    case 'nextMonth':
      return addMonths(cursor, 1)
    case 'previousYear':
      return addMonths(cursor, -12)
    case 'nextYear':
      return addMonths(cursor, 12)
  }
}

/** The first month to show so that the day is visible; the present one if it is already. */
function firstMonthShowing({ month, properties }: CalendarContext, day: Day): number {
  const target = monthOf(day)
  return Math.min(target, Math.max(month, target - monthsShown(properties) + 1))
}

/** Shows other months if one of them is within `min` and `max`; the cursor moves into them. */
function movedMonths(context: CalendarContext, by: number): Partial<CalendarContext> {
  const { properties, month, cursor } = context
  const { min, max } = properties
  const count = monthsShown(properties)
  const moved = month + by
  if (
    (max !== undefined && by > 0 && moved > monthOf(max)) ||
    (min !== undefined && by < 0 && moved + count - 1 < monthOf(min))
  )
    return {}
  const cursorMonth = Math.min(moved + count - 1, Math.max(moved, monthOf(cursor)))
  const day = monthOf(cursor) === cursorMonth ? cursor : firstDayOf(cursorMonth)
  return { month: moved, cursor: bounded(properties, day) }
}

/** The selection with every selectable day from the one selected last to `day`, in this direction. */
function withRange({ properties, selected }: CalendarContext, day: Day): Day[] {
  const from = dayNumber(selected.at(-1) ?? day)
  const to = dayNumber(day)
  const step = from <= to ? 1 : -1
  const days = Array.from({ length: Math.abs(to - from) + 1 || 0 }, (_day, index) =>
    addDays('1970-01-01', from + index * step),
  )
  const first = selected[0] ?? null
  return [
    ...selected,
    ...days.filter((one) => !selected.includes(one) && canChoose(properties, first ?? days[0] ?? null, one)),
  ]
}
