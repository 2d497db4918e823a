import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linesOf, nearest, roundTop, summaryOf } from './series-geometry.ts'
import {
  spanBetween,
  canZoomIn,
  canZoomOut,
  maxLengthMs,
  moved,
  searchOf,
  minLengthMs,
  spanOf,
  rangeOf,
  ticksOf,
  zoomed,
} from './stats-span.ts'

const at = (text: string) => Date.parse(`2026-11-21T${text}Z`)
const hour = 3_600_000

describe('the span of the charts', () => {
  test.each([
    ['', { kind: 'last', hours: 6 }],
    ['?hours=24', { kind: 'last', hours: 24 }],
    ['?hours=-1', { kind: 'last', hours: 6 }],
    ['?hours=1000', { kind: 'last', hours: 6 }],
    [
      '?from=2026-11-21T08:00:00Z&to=2026-11-21T09:00:00Z',
      { kind: 'between', from: at('08:00:00'), to: at('09:00:00') },
    ],
    ['?from=2026-11-21T09:00:00Z&to=2026-11-21T08:00:00Z', { kind: 'last', hours: 6 }],
    ['?from=nonsense&to=2026-11-21T08:00:00Z', { kind: 'last', hours: 6 }],
  ] as const)('%s is read', (search, span) => {
    expect(spanOf(search)).toEqual(span)
  })

  test('is read as it was written', () => {
    const second = fc.integer({ min: 0, max: 4e9 }).map((seconds) => seconds * 1000)
    const span = fc.oneof(
      fc.record({ kind: fc.constant('last' as const), hours: fc.integer({ min: 1, max: 168 }) }),
      fc
        .record({ kind: fc.constant('between' as const), from: second, to: second })
        .filter(({ from, to }) => to - from >= 60_000),
    )
    fc.assert(
      fc.property(span, (one) => {
        expect(spanOf(searchOf({ ...one, node: '' }))).toEqual(one)
      }),
    )
  })

  test('the last hours end now', () => {
    expect(rangeOf({ kind: 'last', hours: 2 }, at('10:00:00'))).toEqual({ from: at('08:00:00'), to: at('10:00:00') })
  })

  test('zooming keeps the moment under the pointer', () => {
    expect(zoomed({ from: at('08:00:00'), to: at('12:00:00') }, 0.5, at('09:00:00'), at('20:00:00'))).toEqual({
      kind: 'between',
      from: at('08:30:00'),
      to: at('10:30:00'),
    })
  })

  test('moving and choosing stay before the latest moment', () => {
    const range = { from: at('08:00:00'), to: at('12:00:00') }
    expect(moved(range, -0.25, at('12:00:00'))).toEqual({ kind: 'between', from: at('07:00:00'), to: at('11:00:00') })
    expect(moved(range, 0.25, at('12:00:00'))).toEqual({ kind: 'between', ...range })
    expect(spanBetween(at('10:00:00'), at('09:00:00'), at('12:00:00'))).toEqual({
      kind: 'between',
      from: at('09:00:00'),
      to: at('10:00:00'),
    })
  })

  test('is never shorter than five minutes nor longer than a week', () => {
    const moment = fc.integer({ min: 0, max: 2e12 })
    fc.assert(
      fc.property(moment, moment, moment, (one, other, latest) => {
        const span = spanBetween(one, other, latest)
        if (span.kind !== 'between') throw new Error('no range')
        expect(span.to - span.from).toBeGreaterThanOrEqual(minLengthMs - 1000)
        expect(span.to - span.from).toBeLessThanOrEqual(maxLengthMs + 1000)
        expect(span.to).toBeLessThanOrEqual(latest + 1000)
      }),
    )
    expect([
      canZoomIn({ from: 0, to: minLengthMs }),
      canZoomIn({ from: 0, to: hour }),
      canZoomOut({ from: 0, to: maxLengthMs }),
      canZoomOut({ from: 0, to: hour }),
    ]).toEqual([false, true, false, true])
  })

  test('has ticks at round local times', () => {
    const east = 5.5 * hour
    const ticks = ticksOf({ from: at('08:10:00'), to: at('14:10:00') }, 6, () => east)
    expect(ticks.map((tick) => new Date(tick + east).toISOString().slice(11, 16))).toEqual([
      '14:00',
      '15:00',
      '16:00',
      '17:00',
      '18:00',
      '19:00',
    ])
    expect(ticksOf({ from: 0, to: 400 * 24 * hour }, 6, () => 0).length).toBeGreaterThan(0)
    const centuries = ticksOf({ from: 0, to: 400 * 365 * 24 * hour }, 6, () => east)
    expect([centuries.length <= 1001, (Number(centuries[1]) + east) % (24 * hour)]).toEqual([true, 0])
  })

  test.each([
    [
      '2026-03-27T00:00',
      '2026-03-31T00:00',
      ['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00', '2026-03-30T22:00'],
    ],
    [
      '2026-03-28T23:30',
      '2026-03-29T03:30',
      ['2026-03-29T00:00', '2026-03-29T01:00', '2026-03-29T02:00', '2026-03-29T03:00'],
    ],
    [
      '2026-10-24T22:30',
      '2026-10-25T02:30',
      ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
    ],
    // 02:00 comes twice, and has one tick.
    [
      '2026-10-24T21:30',
      '2026-10-25T05:30',
      ['2026-10-24T22:00', '2026-10-25T00:00', '2026-10-25T03:00', '2026-10-25T05:00'],
    ],
  ])('has ticks at the local times of Berlin, where clocks change, from %s to %s', (from, to, expected) => {
    const moment = (text: string) => Date.parse(`${text}Z`)
    const offsetMsAt = (tick: number) =>
      tick >= moment('2026-03-29T01:00') && tick < moment('2026-10-25T01:00') ? 2 * hour : hour
    const ticks = ticksOf({ from: moment(from), to: moment(to) }, 5, offsetMsAt)
    expect(ticks.map((tick) => new Date(tick).toISOString().slice(0, 16))).toEqual(expected)
  })

  test('has ticks at quarters of an hour and minutes that local time has beside UTC', () => {
    const nepal = 5.75 * hour
    const localTimes = (to: string) =>
      ticksOf({ from: at('08:00:00'), to: at(to) }, 3, () => nepal).map((tick) =>
        new Date(tick + nepal).toISOString().slice(11, 16),
      )
    expect(localTimes('08:30:00')).toEqual(['13:50', '14:00', '14:10'])
    expect(localTimes('10:00:00')).toEqual(['14:00', '15:00'])
  })
})

describe('a series', () => {
  const points = [
    [0, 1],
    [10, 3],
    [20, null],
    [30, 2],
  ] as const

  test('is drawn with its gaps', () => {
    expect(linesOf(points, { from: 0, to: 30, top: 4, width: 300, height: 100 })).toEqual([
      { d: 'M0 75L100 25', area: 'M0 75L100 25L100 100L0 100Z' },
      { d: 'M300 50', area: 'M300 50L300 100L300 100Z' },
    ])
  })

  test('has a summary of the shown range', () => {
    expect(summaryOf(points, { from: 0, to: 30 })).toEqual({
      last: { time: 30, value: 2 },
      lowest: 1,
      mean: 2,
      highest: 3,
    })
    expect(summaryOf(points, { from: 40, to: 50 })).toBeNull()
  })

  test('has the value nearest to a moment, or none', () => {
    expect([nearest(points, 12, 5), nearest(points, 20, 5), nearest([], 0, 5)]).toEqual([
      { time: 10, value: 3 },
      null,
      null,
    ])
  })

  test.each([
    [0, 1],
    [0.3, 0.4],
    [7, 10],
    [41, 50],
    [100, 100],
    [1001, 2000],
  ])('of at most %d is under %d', (value, top) => {
    expect(roundTop(value)).toBeCloseTo(top, 10)
  })
})
