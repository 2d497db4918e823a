import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playRoundsBackwards } from './reverse-rounds.ts'
import { createSharedClock } from './shared-clock.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const start = 1_000_000

/**
 * Plays backwards. `readyAfter`: how long the pictures of a round take. `moments`: how far before the start the clock
 * was in each round. All in milliseconds.
 */
function playing(rate: number, readyAfter: (round: number) => number) {
  const clock = createSharedClock(() => performance.now())
  const moments: number[] = []
  const ending = new AbortController()
  let since = performance.now()
  const watched = {
    read: clock.read,
    set(at: number | null, speed: number) {
      clock.set(at, speed)
      moments.push(start - clock.read().at)
      since = performance.now()
    },
  }
  clock.set(start, rate)
  const played = playRoundsBackwards(
    watched,
    () => performance.now() - since >= readyAfter(moments.length),
    ending.signal,
  )
  return { clock, moments, ending, played }
}

test.each([-1, -2, -4, -8, -16])('at %d× the clock keeps its speed', async (rate) => {
  const { clock } = playing(rate, () => 60)
  await vi.advanceTimersByTimeAsync(10_000)
  const passed = start - clock.read().at
  expect(passed).toBeLessThanOrEqual(10_000 * -rate)
  expect(passed).toBeGreaterThan(9800 * -rate)
})

test('no more than ten pictures a second, and fewer on a slow machine, at the same speed', async () => {
  const fast = playing(-4, () => 0)
  await vi.advanceTimersByTimeAsync(2000)
  fast.ending.abort()
  const slow = playing(-4, () => 480)
  await vi.advanceTimersByTimeAsync(2000)
  expect([fast.moments.length, slow.moments]).toEqual([20, [2000, 4000, 6000, 8000]])
})

test('a picture that takes longer than a second is no longer waited for', async () => {
  const { moments } = playing(-1, (round) => (round === 1 ? 60_000 : 80))
  await vi.advanceTimersByTimeAsync(1300)
  expect(moments).toEqual([100, 1100, 1200, 1300])
})

test('another moment and another speed apply in the next round', async () => {
  const { clock, moments } = playing(-1, () => 0)
  await vi.advanceTimersByTimeAsync(100)
  clock.set(start - 50_000, -8)
  await vi.advanceTimersByTimeAsync(100)
  expect(moments).toEqual([100, 50_800])
})

test('ends with a clock that goes forwards, and by an abort', async () => {
  const { clock, moments, played } = playing(-1, () => 0)
  clock.set(null, 0)
  await vi.advanceTimersByTimeAsync(100)
  await played
  const aborted = playing(-1, () => 0)
  aborted.ending.abort()
  await aborted.played
  expect([moments, aborted.moments, vi.getTimerCount()]).toEqual([[], [], 0])
})
