import { expect, test } from 'vitest'
import { createFrameTable } from '../frames/frame-table.ts'
import { createStalePicture } from './stale-picture.ts'

function setUp() {
  const table = createFrameTable()
  table.put({ start: 2, duration: 2, offsets: Array.from({ length: 50 }, (_, index) => 0.08 + index * 0.04) })
  return createStalePicture(table)
}
const atRest = { paused: true, seeking: false, currentTime: 2.502 }

test('reports an older frame at the second check, once for each position', () => {
  const { isStale } = setUp()
  const looks = [2.08, 2.08, 2.08, 2.08].map((shown) => isStale(atRest, shown))
  expect(looks).toEqual([false, true, false, false])
  const elsewhere = { ...atRest, currentTime: 3.002 }
  expect([isStale(elsewhere, 2.08), isStale(elsewhere, 2.08)]).toEqual([false, true])
})

test.each([
  ['the frame of the playhead', atRest, 2.48],
  ['a frame that is about to be drawn', atRest, 2.4],
  ['a video that plays', { ...atRest, paused: false }, 2.08],
  ['a seek under way', { ...atRest, seeking: true }, 2.08],
  ['no frame yet', atRest, null],
  ['a position of no known segment', { ...atRest, currentTime: 9 }, 2.08],
] as const)('says nothing of %s', (_, video, shown) => {
  const { isStale } = setUp()
  expect([isStale(video, shown), isStale(video, shown)]).toEqual([false, false])
})

test('a check without a stale frame starts over', () => {
  const { isStale } = setUp()
  expect([isStale(atRest, 2.08), isStale(atRest, 2.48), isStale(atRest, 2.08)]).toEqual([false, false, false])
})
