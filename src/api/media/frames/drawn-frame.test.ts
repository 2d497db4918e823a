import { expect, test } from 'vitest'
import { createDrawnTrust } from './drawn-frame.ts'

const frames = (count: number, step = 0.04): number[] =>
  Array.from({ length: count }, (_, index) => 12.32 + index * step)

/** Whether a browser that reports `drawnOf` each frame is trusted after these frames. */
const isTrustedAfter = (times: readonly number[], drawnOf: (time: number) => number | null, rate = 1): boolean => {
  const trust = createDrawnTrust()
  for (const time of times) trust.compare(time, rate, () => drawnOf(time))
  return trust.isTrusted()
}

test('a browser that reports the drawn frame is trusted after three frames', () => {
  expect(isTrustedAfter(frames(2), (time) => time)).toBe(false)
  expect(isTrustedAfter(frames(3), (time) => time)).toBe(true)
})
test('late callbacks are allowed, at a higher rate more', () => {
  expect(isTrustedAfter(frames(5), (time) => time + 0.08)).toBe(true)
  expect(isTrustedAfter(frames(5, 0.27), (time) => time + 1, 16)).toBe(true)
})
test('a browser that rounds to whole seconds is never trusted', () => {
  expect(isTrustedAfter(frames(200), Math.floor)).toBe(false)
  expect(isTrustedAfter(frames(200, 0.27), Math.floor, 16)).toBe(false)
})
test('nor without VideoFrame, nor while paused', () => {
  expect(isTrustedAfter(frames(5), () => null)).toBe(false)
  expect(isTrustedAfter([12.32, 12.32, 12.32, 12.32], (time) => time)).toBe(false)
})
test('the first disagreement ends the trust', () => {
  const trust = createDrawnTrust()
  for (const time of frames(3)) trust.compare(time, 1, () => time)
  for (const time of frames(30)) trust.compare(time, 1, () => 12)
  expect(trust.isTrusted()).toBe(false)
})
