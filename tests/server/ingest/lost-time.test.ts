import { expect, test } from 'vitest'
import { createLostTimes } from '../../../server/streams/lost-time.ts'

const open = () => {
  const clock = { now: 0 }
  const lost = createLostTimes(() => clock.now)
  return { clock, lost, tracker: lost.track() }
}

test('the time between two segments is lost, and the time before the first one', () => {
  const { clock, lost, tracker } = open()
  clock.now = 1000
  tracker.begin()
  tracker.begin()
  tracker.recorded({ start: 3000, finish: 5000 })
  tracker.recorded({ start: 5000, finish: 7000 })
  expect(lost.totalMs()).toBe(2000)
  tracker.recorded({ start: 17_000, finish: 18_000 })
  expect(lost.totalMs()).toBe(12_000)
})

test('no time is lost during a pause, nor by a segment of a time that is already recorded', () => {
  const { clock, lost, tracker } = open()
  tracker.begin()
  tracker.recorded({ start: 0, finish: 5000 })
  tracker.pause()
  tracker.recorded({ start: 9000, finish: 10_000 })
  clock.now = 3_600_000
  expect(lost.totalMs()).toBe(0)
  tracker.begin()
  tracker.recorded({ start: 3_590_000, finish: 3_601_000 })
  tracker.recorded({ start: 3_590_000, finish: 3_592_000 })
  tracker.recorded({ start: 3_601_000, finish: 3_602_000 })
  expect(lost.totalMs()).toBe(0)
})

test('lost time grows while a camera is away, and never shrinks', () => {
  const { clock, lost, tracker } = open()
  const other = lost.track()
  tracker.begin()
  other.begin()
  clock.now = 100_000
  other.recorded({ start: 0, finish: 100_000 })
  expect(lost.totalMs()).toBe(30_000)
  tracker.pause()
  expect(lost.totalMs()).toBe(30_000)
  tracker.begin()
  tracker.recorded({ start: 140_000, finish: 150_000 })
  expect(lost.totalMs()).toBe(40_000)
})
