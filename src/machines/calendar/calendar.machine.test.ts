import { createActor } from 'xstate'
import { describe, expect, test } from 'vitest'
import { walkEdges } from '../../../tests/machines/edges.ts'
import { calendarMachine, type CalendarEvent, type CalendarReport } from './calendar.machine.ts'
import { propertyErrorOf, type CalendarProperties } from './calendar-rules.ts'
import { lookOf } from './calendar.selectors.ts'
import { firstDayOf, monthOf } from './calendar-grid.ts'

const base: CalendarProperties = { mode: 'single', today: '2026-11-21' }

describe('edges', () => {
  const pick = (day: string): CalendarEvent => ({ type: 'calendar.dayPicked', day })
  const configured = (properties: Partial<CalendarProperties>): CalendarEvent => ({
    type: 'calendar.configured',
    properties: { ...base, ...properties },
  })
  const events: readonly CalendarEvent[] = [
    pick('2026-11-10'),
    pick('2026-11-20'),
    pick('not a day'),
    { type: 'calendar.rangePicked', day: '2026-11-12' },
    { type: 'calendar.cursorMoved', step: 'nextWeek' },
    { type: 'calendar.monthsMoved', by: -1 },
    configured({ mode: 'single' }),
    configured({ mode: 'multi', maxRangeDays: 30 }),
    configured({ mode: 'period', maxRangeDays: 5 }),
    configured({ mode: 'period', selected: ['2026-11-01'] }),
    configured({ min: '2026-12-01', max: '2026-01-01' }),
  ]

  test('all are walked', () => {
    const walked = walkEdges(calendarMachine, {
      model: calendarMachine.provide({ actions: { report: () => undefined } }),
      input: base,
      events,
      name: ({ value, context }) =>
        JSON.stringify([value, context['properties'], context['selected'].toSorted().slice(0, 2)]),
    })
    expect(walked.strayed).toEqual([])
    expect(walked.covered).toEqual(walked.declared)
  })
})

function start(properties: Partial<CalendarProperties>) {
  const actor = createActor(calendarMachine, { input: { ...base, ...properties } })
  const received: CalendarReport[] = []
  actor.on('calendar.chosen', (report) => received.push(report))
  actor.start()
  const selected = () => actor.getSnapshot().context.selected
  const pick = (...days: string[]) => {
    for (const day of days) actor.send({ type: 'calendar.dayPicked', day })
    return selected()
  }
  return { actor, received, pick, selected }
}

describe('a single day', () => {
  test('is the last one picked; days out of bounds and disabled ones are not selected', () => {
    const { pick } = start({ min: '2026-11-05', max: '2026-11-21', disabled: ['2026-11-10'] })
    expect(pick('2026-11-07', '2026-11-08')).toEqual(['2026-11-08'])
    expect(pick('2026-11-04', '2026-11-22', '2026-11-10')).toEqual(['2026-11-08'])
  })
})

describe('a period', () => {
  test('alternates between its start and its end, in whichever order they come', () => {
    const { pick, received } = start({ mode: 'period' })
    expect(pick('2026-11-10')).toEqual(['2026-11-10'])
    expect(pick('2026-11-07')).toEqual(['2026-11-07', '2026-11-10'])
    expect(pick('2026-11-20')).toEqual(['2026-11-20'])
    expect(pick('2026-11-20')).toEqual(['2026-11-20', '2026-11-20'])
    expect(received.map(({ isComplete }) => isComplete)).toEqual([false, true, false, true])
  })

  test('ends within the maximum range of its first day', () => {
    const { pick, actor } = start({ mode: 'period', maxRangeDays: 3 })
    expect(pick('2026-11-10', '2026-11-14')).toEqual(['2026-11-10'])
    expect(lookOf(actor.getSnapshot(), '2026-11-13').isDisabled).toBe(false)
    expect(lookOf(actor.getSnapshot(), '2026-11-14').isDisabled).toBe(true)
    expect(pick('2026-11-07')).toEqual(['2026-11-07', '2026-11-10'])
    expect(lookOf(actor.getSnapshot(), '2026-11-08')).toEqual({
      isSelected: true,
      isBetween: true,
      isDisabled: false,
      isToday: false,
    })
    expect(pick('2026-10-01')).toEqual(['2026-10-01'])
  })
})

describe('many days', () => {
  test('a selected day is deselected by a click, and excluded weekdays are skipped', () => {
    const { pick, actor, selected } = start({ mode: 'multi', excludedWeekdays: [6, 7] })
    expect(pick('2026-11-18', '2026-11-21', '2026-11-19', '2026-11-18')).toEqual(['2026-11-19'])
    actor.send({ type: 'calendar.rangePicked', day: '2026-11-24' })
    expect(selected()).toEqual(['2026-11-19', '2026-11-20', '2026-11-23', '2026-11-24'])
    expect(lookOf(actor.getSnapshot(), '2026-11-22').isDisabled).toBe(true)
  })

  test('lie within the maximum range of the first', () => {
    const { pick, actor, selected } = start({ mode: 'multi', maxRangeDays: 2 })
    expect(pick('2026-11-10', '2026-11-13', '2026-11-12', '2026-11-07')).toEqual(['2026-11-10', '2026-11-12'])
    actor.send({ type: 'calendar.rangePicked', day: '2026-11-01' })
    expect(selected()).toEqual(['2026-11-10', '2026-11-12', '2026-11-11', '2026-11-09', '2026-11-08'])
  })
})

describe('properties', () => {
  test.each([
    [{ min: '2026-12-01', max: '2026-11-01' }, 'minAfterMax'],
    [{ mode: 'period', selected: ['2026-11-05', '2026-11-01'] }, 'startAfterEnd'],
    [{ mode: 'period', selected: ['2026-11-05', '2026-11-09'], max: '2026-11-08' }, 'outsideAllowed'],
    [{ selected: ['2026-11-05'], min: '2026-11-06' }, 'outsideAllowed'],
    [{ selected: ['5.11.2026'] }, 'notADay'],
    [{ min: '2026-02-30' }, 'notADay'],
    [{ months: 4 }, 'wrongMonths'],
    [{ months: 15 }, 'wrongMonths'],
    [{ months: 0 }, 'wrongMonths'],
    [{ selected: ['2026-11-05', '2026-11-06'] }, 'wrongCount'],
    [{ months: 12, min: '2026-11-01', max: '2026-11-01' }, null],
  ] as const)('%j: %s', (properties, error) => {
    expect(propertyErrorOf({ ...base, ...properties })).toBe(error)
  })

  test('invalid ones are an error until valid ones arrive', () => {
    const { actor, pick } = start({ min: '2026-12-01', max: '2026-11-01' })
    expect([actor.getSnapshot().value, pick('2026-11-05')]).toEqual(['invalid', []])
    actor.send({ type: 'calendar.configured', properties: base })
    expect([actor.getSnapshot().value, pick('2026-11-05')]).toEqual(['choosingDay', ['2026-11-05']])
  })
})

describe('cursor and months', () => {
  test('the cursor moves by the keys of a grid, within bounds, and takes the months along', () => {
    const { actor } = start({ min: '2026-03-10', max: '2026-11-25' })
    const at = () => [actor.getSnapshot().context.cursor, firstDayOf(actor.getSnapshot().context.month)]
    const move = (step: Extract<CalendarEvent, { type: 'calendar.cursorMoved' }>['step']) => {
      actor.send({ type: 'calendar.cursorMoved', step })
      return at()
    }
    expect(at()).toEqual(['2026-11-21', '2026-09-01'])
    expect(move('previousDay')).toEqual(['2026-11-20', '2026-09-01'])
    expect(move('weekStart')).toEqual(['2026-11-16', '2026-09-01'])
    expect(move('weekEnd')).toEqual(['2026-11-22', '2026-09-01'])
    expect(move('nextWeek')).toEqual(['2026-11-25', '2026-09-01'])
    expect(move('previousWeek')).toEqual(['2026-11-18', '2026-09-01'])
    expect(move('nextDay')).toEqual(['2026-11-19', '2026-09-01'])
    expect(move('previousMonth')).toEqual(['2026-10-19', '2026-09-01'])
    expect(move('previousYear')).toEqual(['2026-03-10', '2026-03-01'])
    expect(move('nextMonth')).toEqual(['2026-04-10', '2026-03-01'])
    expect(move('nextYear')).toEqual(['2026-11-25', '2026-09-01'])
  })

  test.each([
    [{ min: '2026-11-10', max: '2026-11-25' }, '2026-09-01'],
    [{ min: '2026-10-10', max: '2026-11-25', selected: ['2026-10-12'] }, '2026-09-01'],
    [{ min: '2026-11-10' }, '2026-11-01'],
    [{ min: '2026-11-10', max: '2027-06-01' }, '2026-11-01'],
    [{ max: '2026-11-25', selected: ['2026-05-02'] }, '2026-03-01'],
  ])('%j opens at %s: past months rather than future ones, if they can be selected', (properties, first) => {
    expect(firstDayOf(start(properties).actor.getSnapshot().context.month)).toBe(first)
  })

  test('months move as long as one of them has a day to select', () => {
    const { actor } = start({ min: '2026-08-10', max: '2026-11-25' })
    const moved = (by: number) => {
      actor.send({ type: 'calendar.monthsMoved', by })
      const { month, cursor } = actor.getSnapshot().context
      return [month - monthOf('2026-01-01') + 1, cursor]
    }
    expect(moved(-3)).toEqual([6, '2026-08-10'])
    expect(moved(-3)).toEqual([6, '2026-08-10'])
    expect(moved(5)).toEqual([11, '2026-11-01'])
    expect(moved(1)).toEqual([11, '2026-11-01'])
  })
})
