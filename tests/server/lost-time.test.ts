import { expect, test } from 'vitest'
import { createLostTimes } from '../../server/streams/lost-time.ts'

const open = () => {
  const clock = { now: 0 }
  const lost = createLostTimes(() => clock.now)
  return { clock, lost, line: lost.follow() }
}

test('what lies between two segments is lost, and what lies before the first one', () => {
  const { clock, lost, line } = open()
  clock.now = 1000
  line.begin()
  line.begin()
  line.recorded({ start: 3000, finish: 5000 })
  line.recorded({ start: 5000, finish: 7000 })
  expect(lost.totalMs()).toBe(2000)
  line.recorded({ start: 17_000, finish: 18_000 })
  expect(lost.totalMs()).toBe(12_000)
})

test('nothing is lost while nobody wants it recorded, nor by a segment of a time that is recorded', () => {
  const { clock, lost, line } = open()
  line.begin()
  line.recorded({ start: 0, finish: 5000 })
  line.rest()
  line.recorded({ start: 9000, finish: 10_000 })
  clock.now = 3_600_000
  expect(lost.totalMs()).toBe(0)
  line.begin()
  line.recorded({ start: 3_590_000, finish: 3_601_000 })
  line.recorded({ start: 3_590_000, finish: 3_592_000 })
  line.recorded({ start: 3_601_000, finish: 3_602_000 })
  expect(lost.totalMs()).toBe(0)
})

test('it grows while a camera is away, and never shrinks', () => {
  const { clock, lost, line } = open()
  const other = lost.follow()
  line.begin()
  other.begin()
  clock.now = 100_000
  other.recorded({ start: 0, finish: 100_000 })
  expect(lost.totalMs()).toBe(30_000)
  line.rest()
  expect(lost.totalMs()).toBe(30_000)
  line.begin()
  line.recorded({ start: 140_000, finish: 150_000 })
  expect(lost.totalMs()).toBe(40_000)
})
