import { expect, test } from 'vitest'
import { isLiveMoment, isOtherMoment, archiveMoment, stepped } from './sync-moments.ts'

const now = 1_700_000_000_000

test('the last 15 seconds are live', () => {
  expect([isLiveMoment(now - 14_999, now), isLiveMoment(now - 15_000, now)]).toEqual([true, false])
})

test('a moment of the archive is at least 15 seconds old', () => {
  expect([archiveMoment(now, now), archiveMoment(now - 60_000, now)]).toEqual([now - 15_000, now - 60_000])
})

test('a step is one frame, and never into live', () => {
  const at = now - 60_000
  expect([stepped(at, 1, now), stepped(at, -1, now), stepped(now - 15_000, 1, now)]).toEqual([
    at + 40,
    at - 40,
    now - 15_000,
  ])
})

test('an address requests another moment if it is more than five seconds of playback away', () => {
  const at = now - 60_000
  expect([
    isOtherMoment(null, { at, rate: 1 }),
    isOtherMoment(at, { at: null, rate: 1 }),
    isOtherMoment(at + 5000, { at, rate: 1 }),
    isOtherMoment(at - 5001, { at, rate: 1 }),
    isOtherMoment(at + 20_000, { at, rate: 4 }),
    isOtherMoment(at + 2501, { at, rate: 0.5 }),
  ]).toEqual([false, true, false, true, false, false])
})
