import { expect, test } from 'vitest'
import { createLiveGroup } from './live-group.ts'

/** A group of three pictures, and its clock. */
function open() {
  const clock = { now: 0 }
  const group = createLiveGroup(() => clock.now)
  return { clock, near: group.join(), far: group.join(), late: group.join() }
}

test('all pictures get the latency of the slowest one', () => {
  const { near, far } = open()
  expect([near(1.5), far(4), near(1.5), far(4)]).toEqual([0, 0, 2.5, 0])
  expect([far(2), near(1.5)]).toEqual([0, 0.5])
})

test('a picture more than 10 s late neither delays others nor is delayed', () => {
  const { near, late } = open()
  expect([near(2), late(27), near(2)]).toEqual([0, 0, 0])
  expect([late(9), near(2), late(27), near(2)]).toEqual([0, 7, 0, 0])
})

test('a picture that stops reporting is forgotten', () => {
  const { clock, near, far } = open()
  expect([far(4), near(1)]).toEqual([0, 3])
  clock.now = 3000
  expect(near(1)).toBe(3)
  clock.now = 3001
  expect(near(1)).toBe(0)
})
