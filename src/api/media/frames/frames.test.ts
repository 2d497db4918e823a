import { beforeEach, expect, test, vi } from 'vitest'
import { createFrameTable } from './frame-table.ts'
import { watchFrames } from './frames.ts'

/** A `<video>` whose frames the test presents; `drawn` is the time of its `VideoFrame`, in seconds. */
class Video {
  readyState = 4
  paused = false
  seeking = false
  playbackRate = 1
  currentTime = 0
  drawn = 0
  onFrame: (now: number, frame: { mediaTime: number }) => void = () => undefined
  readonly listeners = new Set<() => void>()
  addEventListener(_: string, listener: () => void): void {
    this.listeners.add(listener)
  }
  removeEventListener(_: string, listener: () => void): void {
    this.listeners.delete(listener)
  }
  /** Starts a seek. */
  seek(seconds: number): void {
    Object.assign(this, { currentTime: seconds, seeking: true })
    for (const listener of this.listeners) listener()
  }
  requestVideoFrameCallback(onFrame: Video['onFrame']): number {
    this.onFrame = onFrame
    return 1
  }
  cancelVideoFrameCallback(): void {
    this.onFrame = () => undefined
  }
  present(seconds: number): void {
    Object.assign(this, { currentTime: seconds, drawn: seconds })
    this.onFrame(0, { mediaTime: seconds })
  }
}

const refresh = { currentTime: 0 }

beforeEach(() => {
  vi.stubGlobal('HTMLVideoElement', Video)
  vi.stubGlobal('document', { timeline: refresh })
  vi.stubGlobal(
    'VideoFrame',
    class {
      readonly timestamp: number
      constructor(video: Video) {
        this.timestamp = video.drawn * 1_000_000
      }
      close(): void {}
    },
  )
})

/** A watch of a video that has shown so many frames, 40 ms apart, the first at 14 s. */
const watched = (count: number) => {
  const video = new Video()
  const table = createFrameTable()
  table.put({ start: 20, duration: 1, offsets: Array.from({ length: 25 }, (_, index) => index * 0.04) })
  const frames = Reflect.apply(watchFrames, undefined, [video, table, () => undefined])
  for (let frame = 0; frame < count; frame += 1) video.present(14 + frame * 0.04)
  refresh.currentTime += 16
  return { video, frames }
}

test('the frame on the screen is the drawn one once that agrees with the callbacks', () => {
  const { video, frames } = watched(5)
  video.drawn = 14.2
  expect(frames.mediaTime()).toBe(14.2)
})

test('before that it is the one of the last callback', () => {
  const { video, frames } = watched(2)
  video.drawn = 14.2
  expect(frames.mediaTime()).toBe(14.04)
})

test('while paused a reported time near the playhead is used', () => {
  const { video, frames } = watched(5)
  video.paused = true
  video.drawn = 0
  expect(frames.mediaTime()).toBe(14.16)
  video.seeking = true
  expect(frames.mediaTime()).toBe(0)
})

test('after a seek while paused without a callback the playhead is used', () => {
  const { video, frames } = watched(2)
  Object.assign(video, { paused: true, currentTime: 20 })
  expect(frames.mediaTime()).toBe(20)
})

test('a frame that was sought while paused is the one on the screen, whatever the browser reports', () => {
  const { video, frames } = watched(2)
  video.paused = true
  video.seek(20.05)
  expect(frames.soughtFrame()).toBe(20.04)
  expect(frames.mediaTime()).toBe(14.04)
  video.seeking = false
  video.onFrame(0, { mediaTime: 20 })
  expect(frames.mediaTime()).toBe(20.04)
  expect(frames.reportedFrame()).toBe(20)
  Object.assign(video, { paused: false, currentTime: 20.2 })
  expect(frames.soughtFrame()).toBeNull()
})

test('a seek of a video that plays says nothing of the frame on the screen', () => {
  const { video, frames } = watched(2)
  video.seek(20.05)
  Object.assign(video, { paused: true, seeking: false })
  expect(frames.soughtFrame()).toBeNull()
})

test('the browser is exact once its drawn frames agree with the callbacks', () => {
  expect([watched(2), watched(5)].map(({ frames }) => frames.isExact())).toEqual([false, true])
})
