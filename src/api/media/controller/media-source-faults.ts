import { heldBy } from '../frames/picture.ts'

/** Segments received, the initialization segment among them, and how long the buffer stays empty. */
const segmentsWithoutEffect = 3
const emptyMs = 600

/**
 * Detects, by behaviour and not by user agent, some ports of WebKit that lose the initialization segment on `abort()`:
 * segments arrive, and nothing is buffered. Reported once.
 */
export interface InitSegmentWatch {
  /** `segments` received since the source was loaded; `time` in milliseconds, of a clock that never steps back. */
  hasLostInitSegment(video: Pick<HTMLVideoElement, 'buffered' | 'currentTime'>, segments: number, time: number): boolean
}

export function createInitSegmentWatch(): InitSegmentWatch {
  const now = { emptySince: null as number | null, segmentsBefore: 0, playhead: 0, isReported: false }
  return {
    hasLostInitSegment(video, segments, time) {
      const { currentTime: playhead } = video
      // A seek also empties the buffer. Another source counts its segments from zero.
      const isFlowing = heldBy(video).length > 0 || playhead !== now.playhead
      if (isFlowing) now.emptySince = null
      Object.assign(now, { playhead, segmentsBefore: isFlowing ? segments : Math.min(now.segmentsBefore, segments) })
      const isEmpty = segments - now.segmentsBefore >= segmentsWithoutEffect
      now.emptySince = isEmpty ? (now.emptySince ?? time) : null
      if (now.isReported || now.emptySince === null || time - now.emptySince <= emptyMs) return false
      now.isReported = true
      return true
    },
  }
}

/** Disables `abort()` for all sources loaded from now on. */
export function disableAbort(): void {
  if ('SourceBuffer' in globalThis) SourceBuffer.prototype.abort = () => undefined
}
