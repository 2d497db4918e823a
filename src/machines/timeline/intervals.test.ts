import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  intervalsWithin,
  intervalAt,
  mergeChunks,
  nextFragmentAfter,
  intervalChunkOf,
  addLive,
  previousFragmentBefore,
  type Interval,
} from './intervals.ts'

const answer = (from: number, to: number, ...ranges: [number, number][]) => ({
  period: { startTime: from, endTime: to },
  ranges: ranges.map(([date, status]) => ({ date, status })),
})

describe('intervalChunkOf', () => {
  test('each date starts a range that lasts to the next one, the last to the end of the period', () => {
    expect(intervalChunkOf(answer(0, 100, [0, 1], [40, 0], [60, 2])).intervals).toEqual([
      { type: 'fragment', from: 0, to: 40 },
      { type: 'gap', from: 40, to: 60 },
      { type: 'fragment', from: 60, to: 100 },
    ])
  })

  test('an answer without ranges is one gap, and what precedes the first date is one', () => {
    expect(intervalChunkOf(answer(0, 100)).intervals).toEqual([{ type: 'gap', from: 0, to: 100 }])
    expect(intervalChunkOf(answer(0, 100, [30, 1])).intervals).toEqual([
      { type: 'gap', from: 0, to: 30 },
      { type: 'fragment', from: 30, to: 100 },
    ])
  })

  test('neighbours of one kind are one interval', () => {
    expect(intervalChunkOf(answer(0, 100, [0, 1], [20, 7], [50, 1])).intervals).toEqual([
      { type: 'fragment', from: 0, to: 100 },
    ])
  })

  test('disorder, repetition and dates outside the period do no harm', () => {
    expect(intervalChunkOf(answer(0, 100, [60, 0], [-50, 1], [60, 1], [80, 0], [500, 1])).intervals).toEqual([
      { type: 'fragment', from: 0, to: 80 },
      { type: 'gap', from: 80, to: 100 },
    ])
  })

  test('covers its period without holes, whatever comes', () => {
    const range = fc.tuple(fc.integer({ min: -50, max: 150 }), fc.integer({ min: 0, max: 2 }))
    fc.assert(
      fc.property(fc.array(range), (ranges) => {
        const { intervals } = intervalChunkOf(answer(0, 100, ...ranges))
        expect(intervals[0]?.from).toBe(0)
        expect(intervals.at(-1)?.to).toBe(100)
        intervals.slice(1).forEach((interval, index) => {
          expect(interval.from).toBe(intervals[index]?.to)
          expect(interval.type).not.toBe(intervals[index]?.type)
        })
      }),
    )
  })
})

describe('mergeChunks', () => {
  test('a fragment across the border of two chunks is one', () => {
    const early = intervalChunkOf(answer(0, 100, [0, 0], [90, 1]))
    const late = intervalChunkOf(answer(100, 200, [100, 1], [110, 0]))
    expect(mergeChunks([late, early])).toEqual([
      { type: 'gap', from: 0, to: 90 },
      { type: 'fragment', from: 90, to: 110 },
      { type: 'gap', from: 110, to: 200 },
    ])
  })

  test('of overlapping chunks the last counts, and unknown time stays unknown', () => {
    const old = intervalChunkOf(answer(0, 100, [0, 1]))
    const fresh = intervalChunkOf(answer(40, 60, [40, 0]))
    const far = intervalChunkOf(answer(300, 400, [300, 1]))
    const merged = mergeChunks([old, fresh, far])
    expect(merged).toEqual([
      { type: 'fragment', from: 0, to: 40 },
      { type: 'gap', from: 40, to: 60 },
      { type: 'fragment', from: 60, to: 100 },
      { type: 'fragment', from: 300, to: 400 },
    ])
    expect(intervalAt(merged, 200)).toBeUndefined()
  })
})

describe('addLive', () => {
  const recorded: Interval[] = [
    { type: 'gap', from: 0, to: 50 },
    { type: 'fragment', from: 50, to: 100 },
  ]

  test('live reaches from the start of its window to now, and the trailing gap follows', () => {
    expect(addLive(recorded, { available: true, windowStart: 90, now: 100 }, 160)).toEqual([
      { type: 'gap', from: 0, to: 50 },
      { type: 'fragment', from: 50, to: 90 },
      { type: 'live', from: 90, to: 100 },
      { type: 'gap', from: 100, to: 160 },
    ])
  })

  test('a stream that is not available has no live interval, and nothing recorded lies ahead of now', () => {
    expect(addLive(recorded, { available: false, windowStart: 90, now: 95 }, 160)).toEqual([
      { type: 'gap', from: 0, to: 50 },
      { type: 'fragment', from: 50, to: 95 },
      { type: 'gap', from: 95, to: 160 },
    ])
  })
})

describe('looking up', () => {
  const list = addLive(
    mergeChunks([intervalChunkOf(answer(0, 100, [10, 1], [30, 0], [60, 1], [70, 0]))]),
    { available: true, windowStart: 110, now: 120 },
    200,
  )

  test('an interval holds its start and not its end', () => {
    expect(intervalAt(list, 10)).toEqual({ type: 'fragment', from: 10, to: 30 })
    expect(intervalAt(list, 30)).toEqual({ type: 'gap', from: 30, to: 60 })
    expect(intervalAt(list, 105)).toBeUndefined()
    expect(intervalAt(list, -1)).toBeUndefined()
    expect(intervalAt(list, 200)).toBeUndefined()
  })

  test('the next and the previous fragment are never the one at hand', () => {
    expect(nextFragmentAfter(list, 5)?.from).toBe(10)
    expect(nextFragmentAfter(list, 10)?.from).toBe(10)
    expect(nextFragmentAfter(list, 11)?.from).toBe(60)
    expect(nextFragmentAfter(list, 61)).toBeUndefined()
    expect(previousFragmentBefore(list, 65)?.from).toBe(10)
    expect(previousFragmentBefore(list, 70)?.from).toBe(60)
    expect(previousFragmentBefore(list, 500)?.from).toBe(60)
    expect(previousFragmentBefore(list, 20)).toBeUndefined()
  })

  test('agrees with a plain scan', () => {
    const range = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 1 }))
    fc.assert(
      fc.property(fc.array(range), fc.integer({ min: -5, max: 105 }), (ranges, at) => {
        const { intervals } = intervalChunkOf(answer(0, 100, ...ranges))
        const fragments = intervals.filter(({ type }) => type === 'fragment')
        expect(intervalAt(intervals, at)).toEqual(intervals.find(({ from, to }) => from <= at && at < to))
        expect(nextFragmentAfter(intervals, at)).toEqual(fragments.find(({ from }) => from >= at))
        expect(previousFragmentBefore(intervals, at)).toEqual(fragments.findLast(({ to }) => to <= at))
        expect(intervalsWithin(intervals, 20, 40).reduce((sum, { from, to }) => sum + to - from, 0)).toBe(20)
      }),
    )
  })
})
