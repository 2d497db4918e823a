import { expect, test } from 'vitest'
import { fasterBackwards, fasterForwards, shuttleSpeeds } from './speeds.ts'

test('each press plays faster backwards', () => {
  expect([0.25, 1, 16, -1, -2, -8, -16].map(fasterBackwards)).toEqual([-1, -1, -1, -2, -4, -16, -16])
})

test('each press plays faster forwards, and slower backwards before', () => {
  expect([-16, -2, -1, 0.25, 1, 8, 16].map(fasterForwards)).toEqual([-8, -1, 1, 0.5, 2, 16, 16])
})

test('the shuttle rests in its middle', () => {
  expect(shuttleSpeeds).toEqual([-16, -8, -4, -2, -1, 0, 1, 2, 4, 8, 16])
})
