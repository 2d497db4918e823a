import { bufferedRanges } from '../frames/picture.ts'

/** The fault has appeared if after so many received segments, the initialization segment included, ... */
const segmentsWithoutEffect = 3
/** ... nothing is buffered for longer than this. */
const emptyMs = 600

/**
 * Detects a fault of some WebKit ports by its effect: after `SourceBuffer.abort()` they forget the initialization
 * segment, so that segments arrive and nothing is buffered.
 */
export interface InitSegmentWatch {
  /**
   * True once, when the fault appears. `segments`: received since the source was loaded; `time`: milliseconds of a
   * clock that never steps back.
   */
  hasLostInitSegment(video: Pick<HTMLVideoElement, 'buffered' | 'currentTime'>, segments: number, time: number): boolean
}

export function createInitSegmentWatch(): InitSegmentWatch {
  /** `segmentsBefore`: received when something was last buffered. */
  const last = { emptySince: null as number | null, segmentsBefore: 0, playhead: 0, isReported: false }
  return {
    hasLostInitSegment(video, segments, time) {
      const { currentTime: playhead } = video
      // A seek also empties the buffer, and each source counts its segments from zero.
      const isFlowing = bufferedRanges(video).length > 0 || playhead !== last.playhead
      if (isFlowing) last.emptySince = null
      Object.assign(last, { playhead, segmentsBefore: isFlowing ? segments : Math.min(last.segmentsBefore, segments) })
      const isEmpty = segments - last.segmentsBefore >= segmentsWithoutEffect
      last.emptySince = isEmpty ? (last.emptySince ?? time) : null
      if (last.isReported || last.emptySince === null || time - last.emptySince <= emptyMs) return false
      last.isReported = true
      return true
    },
  }
}

/** Makes `abort()` do nothing for every `SourceBuffer` of this page, until it is reloaded: it changes the prototype. */
export function disableAbort(): void {
  if ('SourceBuffer' in globalThis) SourceBuffer.prototype.abort = () => undefined
}
