import { expect, test } from 'vitest'
import { excessOf } from '../scripts/budget-limits.ts'

test('a first screen is too large above 101 % of what is recorded, and above its limit whatever is recorded', () => {
  const excess = (name: string, bytes: number, recorded: number) => excessOf({ name, bytes }, recorded)
  expect([
    excess('streams', 101_000, 100_000),
    excess('streams', 101_001, 100_000),
    excess('streams', 160_001, 160_000),
    excess('sign-in', 110_001, 110_000),
    excess('player, without shaka', 200_001, 200_000),
    excess('mosaic', 300_000, 300_000),
  ]).toEqual([
    null,
    'more than 1 % beyond the 100000 of docs/figures.md',
    'more than its limit of 160000',
    'more than its limit of 110000',
    'more than its limit of 200000',
    null,
  ])
})
