import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  intervalsWithin,
  mergeChunks,
  nextFragmentAfter,
  intervalChunkOf,
  addLive,
  previousFragmentBefore,
  type Interval,
  type IntervalChunk,
} from './intervals.ts'
import { coveredPeriods, dayPeriod, lookUp, type Known, type Query } from './lookup.ts'

const live = { available: true, windowStart: 900, now: 1000 }

function known(recorded: readonly Interval[], overrides: Partial<Known> = {}): Known {
  return {
    intervals: addLive(recorded, live, 5000),
    live,
    covered: null,
    recorded: { from: 0, to: 900 },
    ...overrides,
  }
}

const all = intervalChunkOf({
  period: { startTime: 0, endTime: 1000 },
  ranges: [
    { date: 100, status: 1 },
    { date: 200, status: 0 },
    { date: 600, status: 1 },
    { date: 700, status: 0 },
  ],
}).intervals

/** Repeats the query until it is answered, and loads the 50 ms around each unknown moment. */
function searched(whole: readonly Interval[], query: Query): Interval | null {
  const chunks: IntervalChunk[] = []
  for (;;) {
    const result = lookUp(known(mergeChunks(chunks)), query)
    if (result.isKnown) return result.interval
    if (chunks.length > 30) throw new Error('no answer after 30 chunks')
    const from = Math.floor(result.unknownAt / 50) * 50
    chunks.push({ from, to: from + 50, intervals: intervalsWithin(whole, from, from + 50) })
  }
}

describe('what precedes a moment', () => {
  const preceding = (at: number) => searched(all, { kind: 'preceding', at })

  test('is the fragment that contains the moment before it, as far as it is known', () => {
    expect(lookUp(known(all), { kind: 'preceding', at: 650 })).toEqual({
      isKnown: true,
      interval: { type: 'fragment', from: 600, to: 700 },
    })
    expect(preceding(200)).toEqual({ type: 'fragment', from: 150, to: 200 })
  })

  test('else the one before the gap, also before live', () => {
    expect([preceding(600), preceding(1000)]).toEqual([
      { type: 'fragment', from: 150, to: 200 },
      { type: 'fragment', from: 650, to: 700 },
    ])
  })

  test('is nothing at the start of the archive', () => {
    expect([preceding(100), preceding(0)]).toEqual([null, null])
  })

  test('days without recordings are skipped', () => {
    const covered = [
      { from: 0, to: 250 },
      { from: 550, to: Number.POSITIVE_INFINITY },
    ]
    expect(lookUp(known(intervalsWithin(all, 550, 1000), { covered }), { kind: 'preceding', at: 600 })).toEqual({
      isKnown: false,
      unknownAt: 249,
    })
  })
})

describe('a picked moment', () => {
  test('in a gap is answered by the fragment after it', () => {
    expect(lookUp(known(all), { kind: 'picked', at: 300 })).toEqual({
      isKnown: true,
      interval: { type: 'fragment', from: 600, to: 700 },
    })
  })

  test('in the gap before live, or after now, has no next fragment', () => {
    expect(lookUp(known(all), { kind: 'picked', at: 800 })).toEqual({ isKnown: true, interval: null })
    expect(lookUp(known(all), { kind: 'picked', at: 2000 })).toEqual({ isKnown: true, interval: null })
  })

  test("is loaded if it isn't known, and so is what follows a gap", () => {
    expect(lookUp(known([]), { kind: 'picked', at: 300 })).toEqual({ isKnown: false, unknownAt: 300 })
    expect(lookUp(known(intervalsWithin(all, 0, 400)), { kind: 'picked', at: 300 })).toEqual({
      isKnown: false,
      unknownAt: 400,
    })
  })

  test('days without recordings are skipped', () => {
    const covered = [
      { from: 0, to: 250 },
      { from: 550, to: Number.POSITIVE_INFINITY },
    ]
    expect(lookUp(known(intervalsWithin(all, 0, 400), { covered }), { kind: 'picked', at: 300 })).toEqual({
      isKnown: false,
      unknownAt: 550,
    })
    expect(
      lookUp(known(intervalsWithin(all, 0, 400), { covered: [{ from: 0, to: 250 }] }), { kind: 'picked', at: 300 }),
    ).toEqual({
      isKnown: true,
      interval: null,
    })
  })
})

describe('the next and the previous fragment', () => {
  test('after the last fragment comes live', () => {
    expect(lookUp(known(all), { kind: 'next', at: 700 })).toEqual({
      isKnown: true,
      interval: { type: 'live', from: 900, to: 1000 },
    })
    expect(lookUp(known(all), { kind: 'next', at: 200 })).toMatchObject({ interval: { from: 600 } })
    expect(lookUp(known(all), { kind: 'next', at: 1000 })).toEqual({ isKnown: true, interval: null })
  })

  test('before a fragment that starts where the known time starts, more is loaded', () => {
    expect(lookUp(known(intervalsWithin(all, 650, 1000)), { kind: 'next', at: 650 })).toEqual({
      isKnown: false,
      unknownAt: 649,
    })
    expect(lookUp(known(intervalsWithin(all, 600, 1000)), { kind: 'next', at: 600 })).toEqual({
      isKnown: false,
      unknownAt: 599,
    })
    expect(lookUp(known(intervalsWithin(all, 550, 1000)), { kind: 'next', at: 600 })).toMatchObject({
      interval: { from: 600 },
    })
  })

  test('the previous fragment is answered once its start is known', () => {
    expect(lookUp(known(all), { kind: 'previous', at: 650 })).toEqual({
      isKnown: true,
      interval: { type: 'fragment', from: 100, to: 200 },
    })
    expect(lookUp(known(intervalsWithin(all, 150, 1000)), { kind: 'previous', at: 650 })).toEqual({
      isKnown: false,
      unknownAt: 149,
    })
    expect(lookUp(known(intervalsWithin(all, 500, 1000)), { kind: 'previous', at: 650 })).toEqual({
      isKnown: false,
      unknownAt: 499,
    })
    expect(lookUp(known(all), { kind: 'previous', at: 100 })).toEqual({ isKnown: true, interval: null })
  })

  test('days without recordings are skipped backwards', () => {
    const covered = [
      { from: 0, to: 250 },
      { from: 550, to: Number.POSITIVE_INFINITY },
    ]
    expect(lookUp(known(intervalsWithin(all, 500, 1000), { covered }), { kind: 'previous', at: 600 })).toEqual({
      isKnown: false,
      unknownAt: 249,
    })
    expect(lookUp(known([], { covered: [], recorded: null }), { kind: 'previous', at: 600 })).toEqual({
      isKnown: true,
      interval: null,
    })
  })

  test('loading chunk by chunk ends with the same answer as knowing all', () => {
    const range = fc.record({ date: fc.integer({ min: 0, max: 899 }), status: fc.integer({ min: 0, max: 1 }) })
    const kind = fc.constantFrom('next' as const, 'previous' as const)
    fc.assert(
      fc.property(fc.array(range), kind, fc.integer({ min: 1, max: 899 }), (ranges, which, at) => {
        const whole = intervalChunkOf({ period: { startTime: 0, endTime: 900 }, ranges }).intervals
        const placed = addLive(whole, live, 5000)
        const wanted =
          which === 'next' ? (nextFragmentAfter(placed, at)?.from ?? 900) : previousFragmentBefore(placed, at)?.from
        expect(searched(whole, { kind: which, at })?.from).toBe(wanted)
      }),
      { numRuns: 1000 },
    )
  })
})

test('a day has its real length, and adjacent days are one range', () => {
  const hour = 3_600_000
  const { from, to } = dayPeriod('2026-10-25', 'Europe/Berlin')
  expect([new Date(from).toISOString(), (to - from) / hour]).toEqual(['2026-10-24T22:00:00.000Z', 25])
  expect(
    coveredPeriods(['2026-10-25', '2026-10-24', '2026-10-20'], 'Europe/Berlin', Date.UTC(2026, 9, 26, 12)),
  ).toEqual([
    dayPeriod('2026-10-20', 'Europe/Berlin'),
    { from: dayPeriod('2026-10-24', 'Europe/Berlin').from, to: Number.POSITIVE_INFINITY },
  ])
})
