import { expect, test } from 'vitest'
import type { Interval } from './intervals.ts'
import { stillsOf, stillStep } from './stills.ts'

const minute = 60_000
const from = Date.UTC(2026, 10, 21, 12)
const period = { from, to: from + 5 * minute }

test.each([
  [5 * minute, 1500, 20_000],
  [5 * minute, 1200, 30_000],
  [10 * minute, 1200, 60_000],
  [14 * minute, 1200, 60_000],
  [15 * minute, 1200, 120_000],
  [28 * minute, 1200, 120_000],
  [29 * minute, 1200, null],
  [5 * minute, 390, 120_000],
  [5 * minute, 200, null],
])('%d ms on %d px have a still every %s ms', (length, width, step) => {
  expect(stillStep({ from, to: from + length }, width)).toBe(step)
})

test('stills stand at whole steps, and only where something is recorded', () => {
  const intervals: Interval[] = [
    { type: 'fragment', from: from - minute, to: from + 45_000 },
    { type: 'gap', from: from + 45_000, to: from + 4 * minute + 1 },
    { type: 'fragment', from: from + 4 * minute + 1, to: from + 4.5 * minute },
    { type: 'live', from: from + 4.5 * minute, to: from + 5 * minute },
  ]
  expect(stillsOf({ period, width: 1200, intervals })).toEqual([
    { at: from, left: 0, width: 120 },
    { at: from + 30_000, left: 120, width: 120 },
  ])
})

test('the first still begins before the period, so that a move uncovers it step by step', () => {
  const intervals: Interval[] = [{ type: 'fragment', from: from - minute, to: from + 10 * minute }]
  const moved = { from: from + 10_000, to: from + 10_000 + 5 * minute }
  const stills = stillsOf({ period: moved, width: 1200, intervals })
  expect([stills[0], stills.length]).toEqual([{ at: from, left: -40, width: 120 }, 11])
})
