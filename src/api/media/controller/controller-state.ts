import type { Engine } from '../engine/engine.ts'
import type { Loop } from './loop.ts'
import type { ControllerReport, Source } from './media-controller.ts'
import { createSegmentTimeline, type SegmentTimeline } from '../playlist/segment-timeline.ts'
import type { VideoAttachment } from './video-attachment.ts'

export interface ControllerState {
  /** The request; it is kept while there is no `<video>`. */
  readonly requested: {
    source: Source | null
    isPlaying: boolean
    rate: number
    loop: Loop | null
    /** Epoch milliseconds; a seek requested before the source was loaded. */
    seekTo: number | null
    /** Epoch milliseconds at which another rendition of an archive starts; null for its beginning. */
    startAt: number | null
  }
  attached: VideoAttachment | null
  engine: Engine | null
  readonly segmentTimeline: SegmentTimeline
  /** The number of the current load; results of earlier loads are dropped. */
  generation: number
  isLoaded: boolean
  /** The moment of the frame kept on the screen while another rendition loads. */
  keptAt: number | null
  /** Epoch milliseconds of the frame on the screen; null while there is none. */
  positionAt(): number | null
  renew(): number
  listen(listener: (report: ControllerReport) => void): () => void
  report(report: ControllerReport): void
  observe(type: 'engine.played' | 'engine.paused' | 'engine.stalled'): void
  hasObserved(): boolean
}

export function createControllerState(): ControllerState {
  const listeners = new Set<(report: ControllerReport) => void>()
  let observed: ControllerReport['type'] | null = null

  const state: ControllerState = {
    requested: { source: null, isPlaying: false, rate: 1, loop: null, seekTo: null, startAt: null },
    attached: null,
    engine: null,
    segmentTimeline: createSegmentTimeline(),
    generation: 0,
    isLoaded: false,
    keptAt: null,
    positionAt() {
      if (!state.isLoaded) return state.keptAt
      const mediaTime = state.attached?.frames.mediaTime() ?? null
      const map = state.segmentTimeline.map()
      return mediaTime === null || map === null ? null : Math.round(map.toUtc(mediaTime))
    },
    renew() {
      state.isLoaded = false
      observed = null
      return (state.generation += 1)
    },
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
