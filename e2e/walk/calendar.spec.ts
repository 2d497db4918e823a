import { expect, type Locator, type Page } from 'playwright/test'
import { createActor, type AnyEventObject, type AnyStateMachine, type SnapshotFrom } from 'xstate'
import { adjacencyMapToArray, getAdjacencyMap } from 'xstate/graph'
import {
  calendarMachine,
  type CalendarEvent,
  type CalendarReport,
  type CursorStep,
} from '../../src/machines/calendar/calendar.machine.ts'
import { addDays, firstDayOf, lengthOfMonth, monthOf, type Day } from '../../src/machines/calendar/calendar-grid.ts'
import { monthsShown, type CalendarProperties, type PropertyError } from '../../src/machines/calendar/calendar-rules.ts'
import { lookOf, selectCanMoveBack, selectCanMoveForward } from '../../src/machines/calendar/calendar.selectors.ts'
import { test } from './walk.ts'

type Snapshot = SnapshotFrom<typeof calendarMachine>

const base: CalendarProperties = { mode: 'single', today: '2026-11-21' }
const bounds = { min: '2026-10-05', max: '2026-11-25' }
const configurations: readonly CalendarProperties[] = [
  base,
  { ...base, ...bounds, months: 6, disabled: ['2026-11-09'] },
  { ...base, mode: 'period' },
  { ...base, ...bounds, mode: 'period', maxRangeDays: 5, disabled: ['2026-11-09'], selected: ['2026-11-12'] },
  { ...base, mode: 'period', selected: ['2026-11-12', '2026-11-14'] },
  { ...base, mode: 'multi' },
  { ...base, ...bounds, mode: 'multi', excludedWeekdays: [6, 7], disabled: ['2026-11-11'] },
  { ...base, mode: 'multi', maxRangeDays: 2 },
]
const mistakes: Readonly<Record<PropertyError, [CalendarProperties, string]>> = {
  notADay: [{ ...base, min: '2026-02-30' }, 'Days must have the form YYYY-MM-DD.'],
  minAfterMax: [{ ...base, min: '2026-12-01', max: '2026-11-01' }, 'The earliest allowed day is after the latest.'],
  startAfterEnd: [
    { ...base, mode: 'period', selected: ['2026-11-05', '2026-11-01'] },
    'The start of the period is after its end.',
  ],
  outsideAllowed: [
    { ...base, min: '2026-11-06', selected: ['2026-11-05'] },
    'A selected day is outside the allowed days.',
  ],
  wrongMonths: [{ ...base, months: 4 }, 'The number of months must be 3, 6, 9 or 12.'],
  wrongCount: [{ ...base, selected: ['2026-11-05', '2026-11-06'] }, 'Too many days are selected.'],
}

const configured = (properties: CalendarProperties): CalendarEvent => ({ type: 'calendar.configured', properties })
const days = ['2026-11-09', '2026-11-12', '2026-11-14']
const fixtures = {
  'calendar.dayPicked': days.map((day): CalendarEvent => ({ type: 'calendar.dayPicked', day })),
  'calendar.rangePicked': [{ type: 'calendar.rangePicked', day: '2026-11-13' }],
  'calendar.cursorMoved': [
    { type: 'calendar.cursorMoved', step: 'previousDay' },
    { type: 'calendar.cursorMoved', step: 'nextMonth' },
  ],
  'calendar.monthsMoved': [
    { type: 'calendar.monthsMoved', by: -1 },
    { type: 'calendar.monthsMoved', by: 1 },
  ],
  'calendar.configured': [...configurations, ...Object.values(mistakes).map(([properties]) => properties)].map(
    configured,
  ),
} satisfies Record<CalendarEvent['type'], readonly CalendarEvent[]>

/**
 * Of what is selected the first and the last bear on what comes next; where the cursor is and which months are shown
 * doesn't.
 */
const nameOf = ({ value, context: { properties, selected } }: Pick<Snapshot, 'value' | 'context'>) =>
  JSON.stringify([value, properties, selected[0], selected.at(-1), selected.toSorted()])

/**
 * What keeps the walk to some hundred steps: a calendar is set up from the first one, to which everything leads back;
 * it is leafed through where nothing more was chosen; and of many days the first is asked for where it may lie too far.
 */
function isWalked({ context: { properties, selected } }: Pick<Snapshot, 'context'>, event: AnyEventObject): boolean {
  const { mode, maxRangeDays } = properties
  if (event.type === 'calendar.dayPicked')
    return mode !== 'multi' || event['day'] !== days[0] || (maxRangeDays !== undefined && selected.length > 0)
  if (event.type === 'calendar.rangePicked' || event['properties'] === base) return true
  const isFresh = selected.length === (properties.selected?.length ?? 0)
  return isFresh && (event.type !== 'calendar.configured' || properties === base)
}

const model: AnyStateMachine = calendarMachine.provide({ actions: { report: () => undefined } })
const isOfCalendar = (event: AnyEventObject): event is CalendarEvent => Object.hasOwn(fixtures, event.type)
const traversal = {
  input: base,
  events: Object.values(fixtures).flat(),
  serializeState: nameOf,
  filterEvents: isWalked,
}
/** Which event leads from each state of the model to which other. */
const steps = Map.groupBy(
  adjacencyMapToArray(getAdjacencyMap(model, traversal)).flatMap(({ state, event, nextState }) =>
    isOfCalendar(event) ? [{ from: nameOf(state), event, to: nameOf(nextState) }] : [],
  ),
  ({ from }) => from,
)
const keyOf = (event: AnyEventObject) => JSON.stringify(event)

/**
 * The events that lead from a state of the model to the nearest step that was not made yet, that step included; none
 * when all were.
 */
function wayToNew(start: string, done: ReadonlySet<string>): CalendarEvent[] {
  const seen = new Set([start])
  const ways: { name: string; events: CalendarEvent[] }[] = [{ name: start, events: [] }]
  for (const { name, events } of ways) {
    for (const { event, to } of steps.get(name) ?? []) {
      if (!done.has(`${name} ${keyOf(event)}`)) return [...events, event]
      if (!seen.has(to)) ways.push({ name: to, events: [...events, event] })
      seen.add(to)
    }
  }
  return []
}

const keys = {
  previousDay: 'ArrowLeft',
  nextDay: 'ArrowRight',
  previousWeek: 'ArrowUp',
  nextWeek: 'ArrowDown',
  weekStart: 'Home',
  weekEnd: 'End',
  previousMonth: 'PageUp',
  nextMonth: 'PageDown',
  previousYear: 'Shift+PageUp',
  nextYear: 'Shift+PageDown',
} satisfies Readonly<Record<CursorStep, string>>
const cursorSteps: readonly CursorStep[] = [
  'nextYear',
  'previousMonth',
  'nextDay',
  'nextWeek',
  'weekStart',
  'weekEnd',
  'previousDay',
  'previousWeek',
  'previousYear',
  'nextMonth',
  'nextYear',
]

/** The calendar on the screen and its machine beside it, which get the same events. */
class Pair {
  readonly actor = createActor(calendarMachine, { input: base }).start()
  private readonly page: Page
  private presses = 0
  private chosen: CalendarReport | null = null

  constructor(page: Page) {
    this.page = page
    this.actor.on('calendar.chosen', (report) => {
      this.chosen = report
    })
  }

  async open(): Promise<void> {
    await this.page.goto('/ui/?walk=calendar')
    await this.check()
  }

  cell(day: Day): Locator {
    return this.page.locator(`[data-day="${day}"]`)
  }

  /** The gesture for an event: the pointer and the keys take turns in choosing. */
  private async gesture(event: CalendarEvent): Promise<unknown> {
    const { page } = this
    switch (event.type) {
      case 'calendar.configured':
        await page.getByLabel('Properties').fill(JSON.stringify(event.properties))
        return page.getByRole('button', { name: 'Apply' }).click()
      case 'calendar.cursorMoved':
        return page.locator('[data-day][tabindex="0"]').press(keys[event.step])
      case 'calendar.monthsMoved':
        return page.getByRole('button', { name: event.by < 0 ? 'Previous month' : 'Next month' }).click()
      case 'calendar.dayPicked':
      case 'calendar.rangePicked': {
        await this.reveal(event.day)
        const modifiers = event.type === 'calendar.rangePicked' ? (['Shift'] as const) : []
        this.presses += 1
        if (this.presses % 2 === 1) return this.cell(event.day).click({ modifiers: [...modifiers], force: true })
        return this.cell(event.day).press([...modifiers, 'Enter'].join('+'))
      }
    }
  }

  /** A day of a month that isn't shown is come to by the buttons, as a person does it. */
  private async reveal(day: Day): Promise<void> {
    const { properties, month } = this.actor.getSnapshot().context
    const by = monthOf(day) < month ? -1 : 1
    if (monthOf(day) >= month && monthOf(day) < month + monthsShown(properties)) return
    await this.apply({ type: 'calendar.monthsMoved', by })
    await this.reveal(day)
  }

  async apply(event: CalendarEvent): Promise<void> {
    const before = this.actor.getSnapshot()
    if (before.matches('invalid') && event.type !== 'calendar.configured') return
    // Shift picks a range in mode `multi` alone, where the machine takes one.
    if (event.type === 'calendar.rangePicked' && before.context.properties.mode !== 'multi') return
    if (event.type === 'calendar.monthsMoved' && !(event.by < 0 ? selectCanMoveBack : selectCanMoveForward)(before)) {
      return expect(
        this.page.getByRole('button', { name: event.by < 0 ? 'Previous month' : 'Next month' }),
      ).toBeDisabled()
    }
    await this.gesture(event)
    if (event.type === 'calendar.configured') this.chosen = null
    this.actor.send(event)
    await this.check()
    await expect(this.page.locator('output')).toHaveText(JSON.stringify(this.chosen))
  }

  /**
   * What must be visible in the state of the machine: the mistake in words, or every day of every month as it stands.
   */
  async check(): Promise<void> {
    const snapshot = this.actor.getSnapshot()
    const { error, month, properties, cursor } = snapshot.context
    if (snapshot.matches('invalid')) {
      await expect(this.page.getByRole('alert')).toHaveText(
        `The calendar's settings are wrong. ${error === null ? '' : mistakes[error][1]}`,
      )
      return expect(this.page.locator('[data-day]')).toHaveCount(0)
    }
    const shown = Array.from({ length: monthsShown(properties) }, (_month, index) => month + index)
    const wanted = shown
      .flatMap((one) => Array.from({ length: lengthOfMonth(one) }, (_day, index) => addDays(firstDayOf(one), index)))
      .map((day) => {
        const { isSelected, isDisabled, isToday } = lookOf(snapshot, day)
        return [day, isSelected && 'selected', isDisabled && 'disabled', isToday && 'today', day === cursor && 'cursor']
          .filter(Boolean)
          .join(' ')
      })
    await expect.poll(() => this.page.evaluate(readDays), { intervals: [10] }).toEqual(wanted)
  }
}

const readDays = () =>
  [...document.querySelectorAll<HTMLElement>('[data-day]')].map((cell) =>
    [
      cell.dataset['day'],
      cell.ariaSelected === 'true' && 'selected',
      cell.ariaDisabled === 'true' && 'disabled',
      cell.ariaCurrent === 'date' && 'today',
      cell.tabIndex === 0 && 'cursor',
    ]
      .filter(Boolean)
      .join(' '),
  )

test('every step of the calendar, in every mode, on the machine and on the screen side by side', async ({ page }) => {
  test.setTimeout(180_000)
  const pair = new Pair(page)
  await pair.open()
  const done = new Set<string>()
  for (;;) {
    const way = wayToNew(nameOf(pair.actor.getSnapshot()), done)
    if (way.length === 0) break
    for (const event of way) {
      done.add(`${nameOf(pair.actor.getSnapshot())} ${keyOf(event)}`)
      await pair.apply(event)
    }
  }
  expect(done.size).toBe([...steps.values()].flat().length)
})

test('every key of the grid moves the focus, within the allowed days, and takes the months along', async ({ page }) => {
  const pair = new Pair(page)
  await pair.open()
  await pair.apply(configured({ ...base, min: '2026-03-10', max: '2027-12-25' }))
  for (const step of cursorSteps) {
    await pair.apply({ type: 'calendar.cursorMoved', step })
    await expect(pair.cell(pair.actor.getSnapshot().context.cursor)).toBeFocused()
  }
  expect(pair.actor.getSnapshot().context.cursor).toBe('2027-11-23')
})
