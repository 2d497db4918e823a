import { expect, test } from 'vitest'
import type { Interval } from '../timeline/intervals.ts'
import { bytesOf, rangeFactsOf } from './range-facts.ts'

const fragment = (from: number, to: number): Interval => ({ type: 'fragment', from, to })

test('what of a range is recorded, and its gaps, including those at the ends', () => {
  const list: Interval[] = [
    fragment(0, 100),
    { type: 'gap', from: 100, to: 150 },
    fragment(150, 300),
    fragment(400, 500),
  ]
  expect(rangeFactsOf(list, { from: 50, to: 450 })).toEqual({ recordedMs: 250, gaps: 2, gapMs: 150 })
  expect(rangeFactsOf(list, { from: 0, to: 100 })).toEqual({ recordedMs: 100, gaps: 0, gapMs: 0 })
  expect(rangeFactsOf(list, { from: 120, to: 350 })).toEqual({ recordedMs: 150, gaps: 2, gapMs: 80 })
  expect(rangeFactsOf([], { from: 0, to: 10 })).toEqual({ recordedMs: 0, gaps: 1, gapMs: 10 })
})

test('the size follows from the bit rate where it is known', () => {
  const facts = { recordedMs: 60_000, gaps: 0, gapMs: 0 }
  expect([bytesOf(facts, 800_000), bytesOf(facts, null), bytesOf(facts, 0)]).toEqual([6_000_000, null, null])
})
