import { expect, test } from 'vitest'
import { gradientOf, shareOf } from './playlist-share.ts'

const playlist = { from: 1000, to: 2000 }

test('shares of a playlist lie within it', () => {
  expect(
    shareOf(playlist, 1250, [
      { from: 0, to: 1500 },
      { from: 1750, to: 9000 },
    ]),
  ).toEqual({
    played: 0.25,
    buffered: [
      { from: 0, to: 0.5 },
      { from: 0.75, to: 1 },
    ],
  })
  expect([
    shareOf(playlist, 0, []).played,
    shareOf(playlist, 5000, []).played,
    shareOf({ from: 5, to: 5 }, 5, []).played,
  ]).toEqual([0, 1, 0])
  expect(shareOf(playlist, 1250, [{ from: 0, to: 900 }]).buffered).toEqual([])
})

test('ranges are drawn with hard ends', () => {
  expect(gradientOf([{ from: 0, to: 0.5 }], 'red')).toBe(
    'linear-gradient(to right, transparent 0.00%, red 0.00% 50.00%, transparent 50.00%)',
  )
  expect(gradientOf([], 'red')).toBe('none')
})
