import type { Engine } from '../engine/engine.ts'
import type { Loop } from './loop.ts'
import type { ControllerReport, Source } from './media-controller.ts'
import { createSegmentTimeline, type SegmentTimeline } from '../playlist/segment-timeline.ts'
import type { VideoAttachment } from './video-attachment.ts'

export interface ControllerState {
  /** What the machines requested last; applied when a `<video>` is attached. */
  readonly requested: {
    source: Source | null
    isPlaying: boolean
    rate: number
    loop: Loop | null
    /** A seek requested before the source was loaded, in epoch milliseconds. */
    seekTo: number | null
    /** Where another rendition of the archive starts, in epoch milliseconds; null: at the start of the source. */
    startAt: number | null
  }
  attached: VideoAttachment | null
  engine: Engine | null
  readonly segmentTimeline: SegmentTimeline
  /** Counts loads: results of earlier loads are dropped. */
  generation: number
  isLoaded: boolean
  /** Epoch milliseconds of the last frame, which stays on the screen while another rendition loads. */
  keptAt: number | null
  /** Seconds from the start of the segment at a media time to its first frame (`FrameTable.leadAt`). */
  leadAt(media: number): number
  /** Epoch milliseconds of the frame on the screen, or of the kept one; null without one. */
  positionAt(): number | null
  /** Starts the next load and returns its generation. */
  beginLoad(): number
  /** Aborted when the current load is replaced, fails or is detached. */
  loadSignal(): AbortSignal
  listen(listener: (report: ControllerReport) => void): () => void
  report(report: ControllerReport): void
  /** Reports a change of state; ignored before the first frame, and if the state is the same. */
  observe(type: 'engine.played' | 'engine.paused' | 'engine.stalled'): void
  /** Whether `observe` has reported a state of this load. */
  hasObserved(): boolean
}

export function createControllerState(): ControllerState {
  const listeners = new Set<(report: ControllerReport) => void>()
  let observed: ControllerReport['type'] | null = null
  let ending = new AbortController()

  const state: ControllerState = {
    requested: { source: null, isPlaying: false, rate: 1, loop: null, seekTo: null, startAt: null },
    attached: null,
    engine: null,
    segmentTimeline: createSegmentTimeline((media) => state.leadAt(media)),
    generation: 0,
    isLoaded: false,
    keptAt: null,
    leadAt: (media) => state.attached?.frames.table.leadAt(media) ?? 0,
    positionAt() {
      if (!state.isLoaded) return state.keptAt
      const mediaTime = state.attached?.frames.mediaTime() ?? null
      const map = state.segmentTimeline.map()
      return mediaTime === null || map === null ? null : Math.round(map.toUtc(mediaTime))
    },
    beginLoad() {
      ending.abort()
      ending = new AbortController()
      state.isLoaded = false
      observed = null
      return (state.generation += 1)
    },
    loadSignal: () => ending.signal,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    report(report) {
      for (const listener of listeners) listener(report)
    },
    observe(type) {
      if (!state.isLoaded || observed === type) return
      observed = type
      state.report({ type })
    },
    hasObserved: () => observed !== null,
  }
  return state
}
