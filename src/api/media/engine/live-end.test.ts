import { expect, test } from 'vitest'
import { createLiveEnd } from './live-end.ts'

const holdBack = 3.2

test('the end is an average, from the first segment of a load on', () => {
  const liveEnd = createLiveEnd()
  expect(liveEnd.isKnown()).toBe(false)
  liveEnd.note(8, 100, holdBack)
  expect([liveEnd.isKnown(), liveEnd.at(101), liveEnd.behind()]).toEqual([true, 9, 0])
  liveEnd.note(10, 103, holdBack)
  expect(liveEnd.at(103)).toBeCloseTo(10.5)
  liveEnd.note(10, 200, holdBack)
  expect(liveEnd.at(103)).toBeCloseTo(10.5)
  liveEnd.restart()
  liveEnd.note(2, 300, holdBack)
  expect([liveEnd.at(300), liveEnd.behind()]).toEqual([2, 0])
})

test('after a gap it is that of the segments since, and behind by all gaps together', () => {
  const liveEnd = createLiveEnd()
  liveEnd.note(8, 100, holdBack)
  liveEnd.note(10, 107, holdBack)
  expect([liveEnd.at(107), liveEnd.behind()]).toEqual([10, 5])
  liveEnd.note(12, 113, holdBack)
  expect([liveEnd.at(113), liveEnd.behind()]).toEqual([12, 9])
  // A clock that stood while the machine slept.
  liveEnd.note(100, 114, holdBack)
  expect([liveEnd.at(114), liveEnd.behind()]).toEqual([100, 0])
})
