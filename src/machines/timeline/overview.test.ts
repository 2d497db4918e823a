import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeAnnotations, firstAfter, timelineAnnotationOf } from './annotations.ts'
import { dateLabels, overviewPeriod, momentByKey } from './overview.ts'

const day = 24 * 3600_000
const now = Date.UTC(2026, 10, 21, 12)

test('the overview shows all that is recorded, and three days at least', () => {
  const shown = { from: now - 20 * 3600_000, to: now + 3 * 3600_000 }
  const to = now + 6 * 3600_000
  expect(overviewPeriod(null, shown, now)).toEqual({ from: now - 3 * day, to })
  expect(overviewPeriod({ from: now - 40 * day, to: now }, shown, now)).toEqual({ from: now - 40 * day, to })
  expect(overviewPeriod(null, { from: now - 90 * day, to: now - 89 * day }, now)).toEqual({ from: now - 90 * day, to })
})

test('the overview stands still while a period is dragged a little, and while minutes pass', () => {
  const shown = { from: now - 20 * 3600_000, to: now + 3 * 3600_000 }
  const moved = { from: shown.from + 3600_000, to: shown.to + 3600_000 }
  expect(overviewPeriod(null, moved, now + 60_000)).toEqual({ from: now - 3 * day, to: now + 6 * 3600_000 })
})

test('dates are days, weeks or months, as the width allows, at the start of local days', () => {
  const texts = (days: number, width: number) =>
    dateLabels({ from: now - days * day, to: now }, width, 'Europe/Berlin').map(
      ({ at, isMonth }) => `${new Date(at).toISOString().slice(0, 13)}${isMonth ? ' month' : ''}`,
    )
  expect(texts(4, 400)).toEqual(['2026-11-17T23', '2026-11-18T23', '2026-11-19T23', '2026-11-20T23'])
  expect(texts(28, 400)).toEqual(['2026-10-30T23', '2026-11-06T23', '2026-11-13T23', '2026-11-20T23'])
  expect(texts(365, 1000)).toEqual(
    expect.arrayContaining(['2026-03-31T22 month', '2026-10-31T23 month', '2025-11-30T23 month']),
  )
})

test('dates are 70 px apart or more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 7, max: 3000 }), fc.integer({ min: 300, max: 2000 }), (days, width) => {
      const xs = dateLabels({ from: now - days * day, to: now }, width, 'America/New_York').map(({ x }) => x)
      const gaps = xs.slice(1).map((x, index) => x - (xs[index] ?? 0))
      expect(gaps.every((gap) => gap > 60)).toBe(true)
      expect(xs.length).toBeLessThan(500)
    }),
  )
})

const chunk = (...content: ReturnType<typeof timelineAnnotationOf>[]) => ({
  from: 0,
  to: 1,
  loadedAt: 0,
  isStale: false,
  content,
})

test('annotations come once, by their start, and an end before the start is the start', () => {
  const late = timelineAnnotationOf({ type: 'event', time: 50, timeEnd: 70 })
  const early = timelineAnnotationOf({ type: 'status', time: 10, timeEnd: 5 })
  const annotations = mergeAnnotations([chunk(late), chunk(early, late)])
  expect(annotations).toEqual([
    { type: 'status', from: 10, to: 10, isEvent: false },
    { type: 'event', from: 50, to: 70, isEvent: true },
  ])
  expect([firstAfter(annotations, 9), firstAfter(annotations, 10), firstAfter(annotations, 60)]).toEqual([0, 1, 2])
})

test('annotations with the same start differ by their end, type and label; of a repeated one the last counts', () => {
  const person = { type: 'event', time: 50, timeEnd: 70, label: 'person', score: 0.4 }
  const car = { ...person, label: 'car' }
  const shorter = timelineAnnotationOf({ ...person, timeEnd: 60 })
  const object = timelineAnnotationOf({ ...person, type: 'object' })
  const before = chunk(timelineAnnotationOf(person), timelineAnnotationOf(car))
  expect(mergeAnnotations([before, chunk(shorter, timelineAnnotationOf({ ...person, score: 0.9 }), object)])).toEqual([
    timelineAnnotationOf({ ...person, score: 0.9 }),
    timelineAnnotationOf(car),
    shorter,
    object,
  ])
})

test('keys centre the shown period by days and weeks, within the archive and not beyond now', () => {
  const shown = (middle: number) => ({
    coverage: { recorded: { from: now - 10 * day, to: now } },
    period: { from: middle - 3600_000, to: middle + 3600_000 },
    live: { now },
  })
  const from = (middle: number, keys: readonly string[]) => keys.map((key) => momentByKey(key, shown(middle)))
  const middle = now - 8 * day
  expect(from(middle, ['ArrowLeft', 'ArrowRight', 'PageUp', 'Home', 'End', 'Enter', 'toString'])).toEqual([
    middle - day,
    middle + day,
    middle + 7 * day,
    now - 10 * day,
    now,
    undefined,
    undefined,
  ])
  expect([momentByKey('PageDown', shown(middle)), momentByKey('ArrowUp', shown(now))]).toEqual([now - 10 * day, now])
})
