import { expect, test } from 'vitest'
import { createSharedClock } from './shared-clock.ts'

test('the moment follows time and rate, and continues when only the rate changes', () => {
  const time = { now: 500 }
  const sharedClock = createSharedClock(() => time.now)
  const readings = [sharedClock.read()]
  const after = (passed: number) => {
    time.now += passed
    readings.push(sharedClock.read())
  }
  sharedClock.set(10_000, 1)
  after(250)
  sharedClock.set(null, 4)
  after(100)
  sharedClock.set(null, 0)
  after(9000)
  sharedClock.set(20_000, 0.5)
  after(100)
  expect(readings).toEqual([
    { at: 0, rate: 0 },
    { at: 10_250, rate: 1 },
    { at: 10_650, rate: 4 },
    { at: 10_650, rate: 0 },
    { at: 20_050, rate: 0.5 },
  ])
})

test('backwards the moment stands until it is set', () => {
  const time = { now: 0 }
  const sharedClock = createSharedClock(() => time.now)
  sharedClock.set(10_000, 1)
  time.now = 50.4
  sharedClock.set(null, -4)
  time.now = 900
  const before = sharedClock.read()
  sharedClock.set(9000.6, -4)
  expect([before, sharedClock.read()]).toEqual([
    { at: 10_050, rate: -4 },
    { at: 9001, rate: -4 },
  ])
})

test('a paused clock is at a whole millisecond', () => {
  const time = { now: 0 }
  const sharedClock = createSharedClock(() => time.now)
  sharedClock.set(1000, 1)
  time.now = 19.6
  sharedClock.set(null, 0)
  expect(sharedClock.read()).toEqual({ at: 1020, rate: 0 })
})
