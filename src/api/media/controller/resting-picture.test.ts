import { expect, test } from 'vitest'
import { createRestingPicture } from './resting-picture.ts'

const atRest = { paused: true, seeking: false, currentTime: 2.502 }
/** The frames of a picture: the clock's, the one that the browser reports, whether exactly, and the sought one. */
const picture = (clock: number | null, reported = clock, { isExact = true, sought = null as number | null } = {}) => ({
  mediaTime: () => clock,
  reportedFrame: () => reported,
  soughtFrame: () => sought,
  isExact: () => isExact,
})

function setUp() {
  const { correction } = createRestingPicture()
  return {
    /** Checks so many times. */
    check: (frames: ReturnType<typeof picture>, { video = atRest, isHeld = false, times = 2 } = {}) =>
      Array.from({ length: times }, () => correction(video, frames, isHeld)),
  }
}
const sought = expect.closeTo(2.482)

test.each([
  ['an earlier frame', picture(2.48, 2.08)],
  ['the frame before', picture(2.48, 2.44)],
  ['the frame after', picture(2.48, 2.52)],
  ['a frame that the browser does not report exactly', picture(2.48, 2.48, { isExact: false })],
])("seeks to the clock's frame from %s, at the second check, once", (_, frames) => {
  expect(setUp().check(frames, { times: 5 })).toEqual([null, sought, null, null, null])
})

test('checks each position, and the same one again after it has played', () => {
  const { check } = setUp()
  check(picture(2.48, 2.08))
  const elsewhere = { video: { ...atRest, currentTime: 3.002 } }
  expect(check(picture(3, 2.08), elsewhere)).toEqual([null, expect.closeTo(3.002)])
  expect(check(picture(3, 2.08), elsewhere)).toEqual([null, null])
  check(picture(3), { video: { ...atRest, paused: false } })
  expect(check(picture(3, 2.08), elsewhere)).toEqual([null, expect.closeTo(3.002)])
})

test.each([
  ["the clock's frame", picture(2.48), {}],
  ['a frame that was sought', picture(2.48, 2.48, { isExact: false, sought: 2.48 }), {}],
  ['a picture that waits for others', picture(2.48, 2.48, { isExact: false }), { isHeld: true }],
  ['a video that plays', picture(2.48, 2.08), { video: { ...atRest, paused: false } }],
  ['a seek under way', picture(2.48, 2.08), { video: { ...atRest, seeking: true } }],
  ['no frame yet', picture(null), {}],
])('leaves %s alone', (_, frames, options) => {
  expect(setUp().check(frames, options)).toEqual([null, null])
})

test('a check that finds the right frame starts over', () => {
  const { check } = setUp()
  const once = { times: 1 }
  expect([picture(2.48, 2.08), picture(2.48), picture(2.48, 2.08)].map((frames) => check(frames, once))).toEqual([
    [null],
    [null],
    [null],
  ])
})
