import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Interval } from '../../machines/timeline/intervals.ts'
import { clockText, localTimeOf, offsetText } from './local-time.ts'
import { spansOf } from './spans.ts'

describe('spans', () => {
  const period = { from: 0, to: 1000 }

  test('a fragment has one pixel at least, a gap shows where it has one', () => {
    const intervals: Interval[] = [
      { type: 'gap', from: 0, to: 305 },
      { type: 'fragment', from: 305, to: 306 },
      { type: 'gap', from: 306, to: 500 },
      { type: 'fragment', from: 500, to: 600 },
      { type: 'gap', from: 600, to: 604 },
      { type: 'fragment', from: 604, to: 700 },
      { type: 'live', from: 900, to: 950 },
      { type: 'gap', from: 950, to: 5000 },
    ]
    expect(spansOf({ intervals, period, width: 100, now: 950 })).toEqual({
      known: [
        { left: 0, right: 70 },
        { left: 90, right: 95 },
      ],
      fragment: [
        { left: 30, right: 31 },
        { left: 50, right: 70 },
      ],
      live: [{ left: 90, right: 95 }],
    })
  })

  test('of many intervals a pixel they are as if each was drawn', () => {
    const step = fc.record({ length: fc.integer({ min: 1, max: 40 }), isUnknown: fc.boolean(), isLive: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 300 }), fc.integer({ min: 1, max: 60 }), (steps, width) => {
        let at = 0
        const intervals = steps.flatMap(({ length, isUnknown, isLive }, index): Interval[] => {
          at += length
          const isLast = index === steps.length - 1
          const type = isLast && isLive ? 'live' : index % 2 === 0 ? 'fragment' : 'gap'
          return isUnknown && !isLast ? [] : [{ type, from: at - length, to: at }]
        })
        const scene = { period: { from: 0, to: at }, width, now: at }
        const drawn = { known: new Set<number>(), fragment: new Set<number>(), live: new Set<number>(), gap: new Set() }
        const pixelsOf = (spans: ReturnType<typeof spansOf>, kind: 'known' | 'fragment' | 'live') =>
          spans[kind].flatMap(({ left, right }) => Array.from({ length: right - left }, (_, x) => left + x))
        for (const interval of intervals) {
          const one = spansOf({ ...scene, intervals: [interval] })
          for (const kind of ['known', 'fragment', 'live'] as const)
            for (const x of pixelsOf(one, kind)) drawn[kind].add(x)
        }
        const spans = spansOf({ ...scene, intervals })
        for (const kind of ['known', 'fragment', 'live'] as const)
          expect(new Set(pixelsOf(spans, kind))).toEqual(drawn[kind])
      }),
    )
  })

  test('there are never more of them than pixels', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(lengths, fc.integer({ min: 10, max: 300 }), (steps, width) => {
        let at = 0
        const intervals = steps.map((step, index): Interval => {
          at += step
          return { type: index % 2 === 0 ? 'fragment' : 'gap', from: at - step, to: at }
        })
        const { fragment, known } = spansOf({ intervals, period: { from: 0, to: at }, width, now: at })
        expect(fragment.length).toBeLessThanOrEqual(width / 2 + 1)
        expect(known).toEqual([{ left: 0, right: width }])
      }),
    )
  })
})

test('the wall clock reads by the zone, and names its offset where it comes twice', () => {
  const berlin = localTimeOf('Europe/Berlin')
  expect(berlin.hourMinuteSecond(Date.UTC(2026, 10, 21, 13, 5, 3, 999))).toBe('14:05:03')
  expect(berlin.hourMinuteSecond(Date.UTC(2026, 9, 25, 0, 30))).toBe('02:30:00 +02:00')
  expect(berlin.hourMinute(Date.UTC(2026, 9, 25, 1, 30))).toBe('02:30 +01:00')
  expect(berlin.day(Date.UTC(2026, 10, 21, 23, 30)) - berlin.day(Date.UTC(2026, 10, 21, 22, 30))).toBe(1)
  expect([offsetText(-12_600_000), clockText(3_600_000 * 25, null), clockText(0, 5.75 * 3_600_000)]).toEqual([
    '−03:30',
    '01:00',
    '00:00 +05:45',
  ])
})
