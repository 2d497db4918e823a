import { describe, expect, test } from 'vitest'
import { createSyncController, rateCorrection, type SyncedVideo } from './sync-controller.ts'
import { createUtcMap } from '../playlist/utc-map.ts'

const start = Date.UTC(2026, 10, 21, 8)

describe('the correction of the rate', () => {
  test.each([
    ['at the clock', 0, 0, 0],
    ['less than half a frame off', -20, 0, 0],
    ['a little behind', -25, 0, 0.03],
    ['behind', -50, 0, 0.05],
    ['ahead', 50, 0, -0.05],
    ['behind by the largest drift that the rate corrects', -500, 0, 0.1],
    ['still catching up', -12, 0.05, 0.05],
    ['still slowing down', 12, -0.05, -0.05],
    ['nearly caught up', -6, 0.05, 0],
    ['past the clock', 3, 0.05, 0],
    ['farther behind than before', -79, 0.05, 0.08],
    ['a little farther behind than before', -69, 0.05, 0.05],
    ['far past the clock', 80, 0.1, 0],
  ])('%s: a drift of %d ms and a correction of %d give %d', (_, drift, current, expected) => {
    expect(rateCorrection(drift, current, 1)).toBeCloseTo(expected, 10)
  })

  test.each([
    ['at 2×, more than half a frame behind', -11, 0, 2, 0.03],
    ['at 2×, less than half a frame behind', -9, 0, 2, 0],
    ['at 16×, behind by less than the smallest threshold', -5, 0, 16, 0],
    ['at 4×, still catching up', -5, 0.03, 4, 0.03],
    ['far behind, without sound', -400, 0, 4, 0.3],
    ['far behind, with sound', -400, 0, 2, 0.1],
  ])('%s: a drift of %d ms, a correction of %d and a rate of %d give %d', (_, drift, current, rate, expected) => {
    expect(rateCorrection(drift, current, rate)).toBeCloseTo(expected, 10)
  })

  test.each([501, -501])('a drift of %d ms is corrected by a seek', (drift) => {
    expect([1, 4].map((rate) => rateCorrection(drift, 0, rate))).toEqual([null, null])
  })
})

/** Ten seconds of video, a gap of a minute, ten seconds of video. */
const map = createUtcMap([
  { media: 0, duration: 10, utc: start },
  { media: 10, duration: 10, utc: start + 70_000 },
])

/** A sync controller of a video; `log`: what it told the video to do. */
function open(state: Partial<SyncedVideo> = {}) {
  const log: string[] = []
  const video = { currentTime: 0, seeking: false, readyState: 4, paused: true, playbackRate: 1, ...state }
  const syncController = createSyncController({
    video: () => video,
    map: () => map,
    keyframeAt: (media) => Math.floor(media / 2) * 2,
    play: () => {
      video.paused = false
      log.push('play')
    },
    hold: () => {
      video.paused = true
      log.push('hold')
    },
    setRate: (rate) => {
      video.playbackRate = rate
      log.push(`rate ${rate}`)
    },
  })
  return { syncController, log, video }
}

describe('a picture that follows a clock', () => {
  test('shows the frame of a paused clock and has settled', () => {
    const { syncController, log, video } = open({ paused: false, currentTime: 3 })
    const reading = { at: start + 5000, rate: 0 }
    const before = syncController.isSettled(reading)
    syncController.update(reading, 0)
    expect({ log, before, at: video.currentTime, after: syncController.isSettled(reading) }).toEqual({
      log: ['hold'],
      before: false,
      at: 5.002,
      after: true,
    })
  })

  test('is sought once after a pause, since it may show the next frame', () => {
    const { syncController, log, video } = open({ paused: false, currentTime: 5.0024 })
    const reading = { at: start + 5000, rate: 0 }
    const before = syncController.isSettled(reading)
    syncController.update(reading, 0)
    const sought = video.currentTime
    video.currentTime = 5.0021
    syncController.update(reading, 16)
    expect({ log, before, sought, after: video.currentTime, isSettled: syncController.isSettled(reading) }).toEqual({
      log: ['hold'],
      before: false,
      sought: 5.002,
      after: 5.0021,
      isSettled: true,
    })
  })

  test('starts with the clock, at its rate, and corrects a small drift', () => {
    const { syncController, log, video } = open({ currentTime: 5.002 })
    syncController.update({ at: start + 5010, rate: 2 }, 0)
    video.currentTime = 5.1
    syncController.update({ at: start + 5200, rate: 2 }, 50)
    expect({ log, rate: video.playbackRate }).toEqual({ log: ['rate 2', 'play'], rate: 2.1 })
  })

  test('is never played faster than browsers allow', () => {
    const { syncController, log, video } = open({ currentTime: 5, paused: false })
    let playbackRate = 1
    Object.defineProperty(video, 'playbackRate', {
      get: () => playbackRate,
      set(rate: number) {
        if (rate > 16) throw new DOMException('The provided playback rate is not supported.', 'NotSupportedError')
        playbackRate = rate
      },
    })
    syncController.update({ at: start + 8000, rate: 16 }, 0)
    expect({ log, playbackRate }).toEqual({ log: ['rate 16'], playbackRate: 16 })
  })

  test('seeks ahead by the duration of a seek if it is far behind, but not again at once', () => {
    const { syncController, video } = open({ currentTime: 1, paused: false })
    const times: number[] = []
    for (const time of [0, 16, 300, 401]) {
      syncController.update({ at: start + 5000 + time, rate: 1 }, time)
      times.push(video.currentTime)
      video.currentTime = 1
    }
    expect(times).toEqual([5.152, 1, 1, 5.486].map((time) => expect.closeTo(time, 3)))
  })

  test('waits for the clock if a seek brought it too far ahead', () => {
    const { syncController, log, video } = open({ currentTime: 5.1, paused: false })
    syncController.update({ at: start + 5000, rate: 1 }, 0)
    syncController.update({ at: start + 5050, rate: 1 }, 50)
    syncController.update({ at: start + 5090, rate: 1 }, 90)
    expect({ log, at: video.currentTime }).toEqual({ log: ['rate 1', 'hold', 'play'], at: 5.1 })
  })

  test('waits in a gap at the first frame after it, and plays on with the clock', () => {
    const { syncController, log, video } = open({ currentTime: 9.99, paused: false })
    syncController.update({ at: start + 10_500, rate: 1 }, 0)
    syncController.update({ at: start + 69_000, rate: 1 }, 58_500)
    const waiting = video.currentTime
    syncController.update({ at: start + 70_010, rate: 1 }, 59_510)
    expect({ log, waiting }).toEqual({ log: ['rate 1', 'hold', 'play'], waiting: 10.002 })
  })

  test('backwards is paused at the last keyframe at or before each moment of the clock', () => {
    const { syncController, log, video } = open({ currentTime: 9.5, paused: false })
    const shown = [9500, 8100, 7900].map((at, index) => {
      const reading = { at: start + at, rate: -2 }
      const before = syncController.isSettled(reading)
      syncController.update(reading, index * 100)
      return [before, video.currentTime, syncController.isSettled(reading)]
    })
    expect({ log, shown }).toEqual({
      log: ['hold'],
      shown: [
        [false, 8.002, true],
        [true, 8.002, true],
        [false, 6.002, true],
      ],
    })
  })

  test('is held outside the loaded range', () => {
    const { syncController, log } = open({ currentTime: 19, paused: false })
    syncController.update({ at: start + 100_000, rate: 1 }, 0)
    expect({ log, isSettled: syncController.isSettled({ at: start + 100_000, rate: 0 }) }).toEqual({
      log: ['rate 1', 'hold'],
      isSettled: false,
    })
  })
})
