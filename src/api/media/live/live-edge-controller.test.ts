// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { noteServerDate } from '../../server-time.ts'
import type { GroupDelay } from './live-group.ts'
import { createLiveEdgeController, type LivePicture } from './live-edge-controller.ts'

/** Values of `readyState`: the video can play on, or its buffer has run out. */
const flowing = 4
const dry = 2

/** A controller of a picture, its rates and jumps; `update` puts the picture so many seconds behind. */
function controlling(groupDelay: GroupDelay | null = null) {
  const rates: number[] = []
  const video = document.createElement('video')
  const state = { readyState: flowing, seeking: false, paused: false, currentTime: 0, engineEdge: 0 }
  const jumps: number[] = []
  for (const name of ['readyState', 'seeking', 'paused'] as const)
    Object.defineProperty(video, name, { get: () => state[name] })
  Object.defineProperty(video, 'currentTime', {
    get: () => state.currentTime,
    set(time: number) {
      jumps.push(time)
    },
  })
  const engine: LivePicture['engine'] = Object.assign(Object.create(null), {
    liveAt: () => 0,
    isLowLatency: () => false,
    seekRange: () => ({ start: -60, end: state.engineEdge }),
    setRate: (rate: number) => void rates.push(rate),
  })
  const map = { from: 0, to: 0, toUtc: (media: number) => media * 1000 }
  const picture: { -readonly [Part in keyof LivePicture]: LivePicture[Part] } = Object.assign(Object.create(null), {
    video,
    engine,
    map,
    rate: 1,
  })
  const reported: string[] = []
  const controller = createLiveEdgeController(({ type }) => void reported.push(type), groupDelay)
  const update = (behind: number, readyState = flowing) => {
    Object.assign(state, { currentTime: -behind, readyState })
    controller.update(picture)
  }
  return { update, rates, jumps, state, controller, picture, map, reported }
}

test('live that is behind plays faster', () => {
  const { update, rates } = controlling()
  for (const behind of [0.1, 1, 0.1]) update(behind)
  expect(rates).toEqual([1.05, 1])
})

test('a stall moves the target away from the edge until another source loads', () => {
  const { update, rates, controller } = controlling()
  for (let stall = 0; stall < 2; stall += 1) {
    update(0.1)
    update(0.1, dry)
  }
  update(1.2)
  expect(rates).toEqual([])
  controller.restart()
  update(1.2)
  expect(rates).toEqual([1.06])
})

test('what is buffered beyond need for minutes moves the target back', () => {
  vi.useFakeTimers()
  const { update, rates, picture } = controlling()
  const buffered = { length: 1, start: () => -60, end: () => 3 }
  Object.defineProperty(picture.video, 'buffered', { get: () => buffered })
  for (let stall = 0; stall < 2; stall += 1) {
    update(1)
    update(1, dry)
  }
  for (let step = 0; step < 126; step += 1) {
    vi.advanceTimersByTime(500)
    update(1)
  }
  expect(rates).toEqual([1.05, 1, 1.025])
  vi.useRealTimers()
})

test('the first load and a seek are not stalls', () => {
  const { update, rates, state } = controlling()
  update(0.1, dry)
  update(0.1)
  state.seeking = true
  update(0.1, dry)
  state.seeking = false
  update(0.6)
  expect(rates).toEqual([1.03])
})

test('faster playback has reached the edge when the buffer runs out near the end of the playlist', () => {
  const { update, picture, map, reported } = controlling()
  picture.rate = 2
  const hasReached = () => reported.includes('engine.edgeReached')
  update(8)
  update(8, dry)
  const farFromTheEnd = hasReached()
  map.to = -6000
  update(8)
  const flowingOn = hasReached()
  update(8, dry)
  expect([farFromTheEnd, flowingOn, hasReached()]).toEqual([false, false, true])
})

test('faster playback has reached the edge at the edge of the engine', () => {
  const { update, picture, state, reported } = controlling()
  picture.rate = 4
  state.engineEdge = -2
  update(3)
  expect(reported).not.toContain('engine.edgeReached')
  update(2)
  expect(reported).toContain('engine.edgeReached')
})

test('live that is far behind jumps to the edge, but not during a stall', () => {
  const { update, jumps, state } = controlling()
  update(9)
  expect(jumps).toEqual([0])
  update(9, dry)
  state.seeking = true
  update(9)
  expect(jumps).toEqual([0])
})

test('in a group it slows down to the common delay, and jumps back if it is far ahead', () => {
  const latestEdges: number[] = []
  const grouped = controlling((latency) => {
    latestEdges.push(Math.round((Date.now() / 1000 - latency) * 10) / 10)
    return 1.5
  })
  grouped.update(1.5)
  grouped.update(0.9)
  expect([grouped.rates, grouped.jumps, latestEdges.at(-1)]).toEqual([[0.94], [], 0])
  const ahead = controlling(() => 3)
  ahead.update(0.5)
  expect([ahead.rates, ahead.jumps]).toEqual([[1], [-3]])
})

test("in a group its latency is by the server's clock, also where the browser's clock is wrong", () => {
  vi.useFakeTimers({ now: 60_000 })
  const noteServer = (ms: number) =>
    noteServerDate(new Headers({ date: new Date(ms).toUTCString() }), { from: 60_000, to: 61_000 })
  const latencies: number[] = []
  const { update } = controlling((latency) => {
    latencies.push(latency)
    return 0
  })
  noteServer(51_000)
  update(0)
  noteServer(60_000)
  expect(latencies.at(-1)).toBe(51)
  vi.useRealTimers()
})
