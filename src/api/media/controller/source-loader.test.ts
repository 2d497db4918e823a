// @vitest-environment jsdom
import { expect, test, vi } from 'vitest'
import { createControllerState } from './controller-state.ts'
import { createFrameTable } from '../frames/frame-table.ts'
import { createLiveEdgeController } from '../live/live-edge-controller.ts'
import { createLoopWatch } from './loop.ts'
import { createProgressWatch } from './progress.ts'
import { createReversing } from './reversing.ts'
import { createSound } from './sound.ts'
import { createSourceLoader } from './source-loader.ts'
import { createTransport } from './transport.ts'

const from = Date.parse('2026-11-21T08:00:00Z')

interface Given {
  isPlaying: boolean
  lead: number
  isFollowing?: boolean
}

/** The first frame of an archive whose segments have a lead is there; returns the media time that is sought. */
function firstFrame({ isPlaying, lead, isFollowing = false }: Given): number {
  const state = createControllerState()
  const table = createFrameTable()
  table.put({ start: 4, duration: 60, offsets: [lead, lead + 30] })
  const video = Object.assign(document.createElement('video'), { pause: () => undefined })
  vi.spyOn(video, 'paused', 'get').mockReturnValue(!isPlaying)
  const still = document.createElement('canvas')
  state.attached = Object.assign(Object.create(null), { video, still, frames: { table, mediaTime: () => 14 } })
  Object.assign(state.requested, { source: { kind: 'archive', uid: 'gate', from, to: from + 60_000 }, isPlaying })
  state.requested.startAt = from + 10_000
  const source = state.requested.source
  if (source === null) throw new Error('no source')
  state.segmentTimeline.refresh([{ media: 4, duration: 60, utc: from }], source, from)
  const sound = createSound(() => video)
  const liveEdge = createLiveEdgeController(state.report)
  const transport = createTransport(state, { sound, liveEdge, reversing: createReversing(state) })
  const [loopWatch, progress] = [createLoopWatch(), createProgressWatch()]
  const parts = { sound, liveEdge, loopWatch, progress, transport, startAt: () => 0, isFollowing: () => isFollowing }
  createSourceLoader(state, parts).onFirstFrame()
  return video.currentTime
}

test('a paused archive shows the requested frame where the first frames of segments come after their starts', () => {
  expect(firstFrame({ isPlaying: false, lead: 0.08 })).toBeCloseTo(14.082)
  expect(firstFrame({ isPlaying: false, lead: 0 })).toBe(0)
  expect(firstFrame({ isPlaying: true, lead: 0.08 })).toBe(0)
  expect(firstFrame({ isPlaying: false, lead: 0.08, isFollowing: true })).toBe(0)
})
