import { expect, test } from 'vitest'
import { newRunKey, runOf } from '../../../server/archive/format/run.ts'
import { livePlaylist } from '../../../server/archive/playback/playlist.ts'
import { createLiveWindow } from '../../../server/archive/recorder/live-window.ts'
import { createPartTarget } from '../../../server/archive/recorder/part-target.ts'
import { init } from '../fixtures/paused-stream.ts'

const parts = (...durations: readonly number[]) => durations.map((duration) => ({ duration }))

test('a single long part raises the target of parts while it is listed, and most being long ends them', () => {
  const target = createPartTarget()
  expect(target(parts(0.36, 0.32), 1)).toBe(0.36)
  expect(target(parts(0.32, 0.32), 1)).toBe(0.36)
  expect(target(parts(0.36, 1.2, 0.36), 1)).toBe(1.2)
  expect(target(parts(0.32, 0.32), 1)).toBe(0.36)
  expect(target(parts(0.36, 1.2, 1.2), 1)).toBeUndefined()
  expect(target([], 1)).toBeUndefined()
  expect(target(parts(0.36, 1.2, 0.36), 10)).toBe(1.2)
  expect(target(parts(0.32, 0.32), 10)).toBe(0.36)
})

test.each([
  [1, 10, 1],
  [1, 3, 1],
  [1, 2, undefined],
  [2, 20, 2],
  [4, 60, undefined],
])('a camera with a picture every %i s, and keyframes every %i s, has parts of %s s', (part, segment, target) => {
  expect(createPartTarget()(parts(part, part, part), segment)).toBe(target)
})

test('long parts for a while raise no target of short ones, and end only once they are much too long', () => {
  const target = createPartTarget()
  expect(target(parts(0.36, 0.32), 10)).toBe(0.36)
  expect(target(parts(1.2, 1.2, 1.2), 10)).toBe(1.2)
  expect(target(parts(0.32, 0.32), 10)).toBe(0.36)
  expect(target(parts(1.001, 1.001, 0.999), 3)).toBe(1.2)
  expect(target(parts(1.3, 1.3, 1.3), 3)).toBeUndefined()
})

test('the longest segment may still grow', () => {
  const live = createLiveWindow()
  live.begin({ start: 0, run: runOf(1, newRunKey(), init), read: async () => undefined })
  for (const number of [1, 2, 3, 4, 5])
    live.grow(0, { number, duration: 0.36, isIndependent: number === 1, offset: 0, bytes: 1 }, 0)
  expect(live.longestSegment()).toBeCloseTo(1.8)
})

test('subsegments are numbered one by one, and a restart numbers them higher', () => {
  const [run, urls] = [runOf(1, newRunKey(), init), { segment: () => '', init: () => '' }]
  const windowFrom = (first: number, durations: readonly number[]) => {
    const live = createLiveWindow()
    const numbers = new Map<number, number>()
    for (const [index, duration] of durations.entries()) {
      const start = (first + index) * 60_000
      const times = { start, finish: start + duration * 1000, duration, mediaStart: 0 }
      const located = { bytes: 1, file: '2026/a.mp4', offset: 0, volume: 0 }
      const numbered = { sequence: first + index, discontinuity: 0, arrivedAt: start, parts: [] }
      live.add({ ...times, ...located, ...numbered, run: 1 }, run, 60)
      const text = livePlaylist(live.listed().segments.slice(-1), 2, { ...urls, isSplit: true })
      numbers.set(Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]), text.split('#EXTINF').length - 1)
    }
    return [...numbers]
  }
  const before = windowFrom(7, [2, 1.9, 0.2, 60, 2])
  const steps = before.slice(1).map(([number], index) => number - (before[index]?.[0] ?? 0))
  expect(steps).toEqual([4, 4, 1, 120])
  expect(before.map(([, count]) => count)).toEqual([4, 4, 1, 120, 4])
  const [[restarted] = []] = windowFrom(12, [2])
  expect(restarted).toBeGreaterThan((before.at(-1)?.[0] ?? Infinity) + 4)
})

test('a long segment holds live back, and keeps a lost camera fresh, only while it is listed', () => {
  const live = createLiveWindow()
  const [run, urls] = [runOf(1, newRunKey(), init), { segment: () => '', init: () => '' }]
  let [sequence, end] = [0, 0]
  const add = (duration: number) => {
    const times = { start: end, finish: end + duration * 1000, duration, mediaStart: 0 }
    live.begin({ start: end, run, read: async () => undefined })
    live.grow(end, { number: sequence, duration, isIndependent: true, offset: 0, bytes: 1 }, times.finish)
    const segment = { ...times, run: 1, bytes: 1, file: '2026/a.mp4', offset: 0, volume: 0 }
    live.add({ ...segment, sequence, discontinuity: 0, arrivedAt: times.finish, parts: [] }, run, 66)
    sequence += 1
    end = times.finish
  }
  const facts = () => {
    const text = livePlaylist(live.listed().segments, live.targetDuration(), { ...urls, isSplit: true })
    const [, target, holdBack] = /TARGETDURATION:(\d+)\n[^]*HOLD-BACK=([\d.]+)\n/.exec(text) ?? []
    const fresh = [4, 5, 100, 101].filter((seconds) => live.isFresh(end + seconds * 1000))
    return { target, holdBack, fresh }
  }
  add(66)
  add(2.4)
  expect(facts()).toEqual({ target: '66', holdBack: '198.000', fresh: [4, 5, 100] })
  for (let count = 0; count < 120; count += 1) add(2.4)
  expect(facts()).toEqual({ target: '66', holdBack: '6.000', fresh: [4] })
})

test('the last part of a camera that went silent, which comes when its connection ends, makes nothing fresh', () => {
  const live = createLiveWindow()
  const run = runOf(1, newRunKey(), init)
  const grow = (number: number, arrivedAt: number) =>
    live.grow(0, { number, duration: 0.5, isIndependent: number === 1, offset: 0, bytes: 1 }, arrivedAt)
  live.begin({ start: 0, run, read: async () => undefined })
  grow(1, 0)
  grow(2, 500)
  const segment = { start: 0, finish: 1000, duration: 1, mediaStart: 0, bytes: 1, file: 'a', offset: 0, volume: 0 }
  live.add({ ...segment, run: 1, sequence: 0, discontinuity: 0, arrivedAt: 500, parts: [] }, run, 2)
  expect([live.isFresh(4500), live.isFresh(4501)]).toEqual([true, false])
  live.begin({ start: 1000, run, read: async () => undefined })
  live.grow(1000, { number: 3, duration: 0.5, isIndependent: true, offset: 0, bytes: 1 }, 12_000)
  expect(live.isFresh(12_000)).toBe(false)
  live.begin({ start: 21_500, run: runOf(2, newRunKey(), init), read: async () => undefined })
  live.grow(21_500, { number: 4, duration: 0.5, isIndependent: true, offset: 0, bytes: 1 }, 22_000)
  expect(live.isFresh(22_000)).toBe(true)
})
