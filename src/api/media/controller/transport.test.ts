// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { createControllerState } from './controller-state.ts'
import { createLiveEdgeController } from '../live/live-edge-controller.ts'
import { createFrameTable } from '../frames/frame-table.ts'
import { createReversing } from './reversing.ts'
import { createSound } from './sound.ts'
import { createTransport } from './transport.ts'

const from = Date.parse('2026-11-21T08:00:00Z')

/** The transport of an archive on a `<video>`; `loadMap` maps a segment, as loading does. */
function setUp() {
  const state = createControllerState()
  const video = document.createElement('video')
  state.requested.source = { kind: 'archive', uid: 'gate', from, to: from + 60_000 }
  state.attached = Object.assign(Object.create(null), { video, frames: { table: createFrameTable() } })
  const transport = createTransport(state, {
    sound: createSound(() => video),
    liveEdge: createLiveEdgeController(state.report),
    reversing: createReversing(state),
  })
  const loadMap = () =>
    state.segmentTimeline.refresh([{ media: 4, duration: 60, utc: from }], state.requested.source ?? never(), from)
  return { state, transport, video, loadMap }
}

function never(): never {
  throw new Error('no source')
}

test('a seek shows its moment', () => {
  const { transport, video, loadMap } = setUp()
  loadMap()
  transport.seek(from + 10_000)
  expect(video.currentTime).toBeCloseTo(14.002)
})

test('a seek while the source loads is applied after loading', () => {
  const { transport, video, loadMap } = setUp()
  transport.seek(from + 10_000)
  transport.seek(from + 20_000)
  expect(video.currentTime).toBe(0)
  loadMap()
  transport.applySeek()
  expect(video.currentTime).toBeCloseTo(24.002)
  video.currentTime = 5
  transport.applySeek()
  expect(video.currentTime).toBe(5)
})

test('a seek outside the source is ignored', () => {
  const { transport, video, loadMap } = setUp()
  loadMap()
  transport.seek(from - 10_000)
  transport.applySeek()
  expect(video.currentTime).toBe(0)
})

test('an ended video is not played from its start, but from where it is sought', () => {
  const { state, transport, video, loadMap } = setUp()
  loadMap()
  const play = vi.spyOn(video, 'play').mockResolvedValue()
  const pause = vi.spyOn(video, 'pause').mockReturnValue()
  Object.defineProperty(video, 'ended', { get: () => video.currentTime === 0 })
  transport.setPlaying(true)
  expect(play).not.toHaveBeenCalled()
  transport.seek(from + 10_000)
  expect(play).toHaveBeenCalledOnce()
  state.requested.isPlaying = false
  video.currentTime = 0
  transport.seek(from + 20_000)
  expect([play.mock.calls.length, pause.mock.calls.length]).toEqual([1, 1])
})

test('during a seek, playback continues at its moment, whatever frame the browser shows first', () => {
  const { state, transport, video, loadMap } = setUp()
  loadMap()
  Object.assign(state.attached ?? {}, { frames: { mediaTime: () => 12, table: createFrameTable() } })
  state.isLoaded = true
  transport.seek(from + 10_000)
  expect([state.positionAt(), transport.targetAt()]).toEqual([from + 8000, from + 8000])
  Object.defineProperty(video, 'seeking', { value: true })
  expect([state.positionAt(), transport.targetAt()]).toEqual([from + 8000, from + 10_000])
})
