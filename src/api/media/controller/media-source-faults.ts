import { bufferedRanges } from '../frames/picture.ts'

/** The fault has appeared when so many segments, the initialization segment included, have been received... */
const segmentsWithoutEffect = 3
/** ...and for longer than this nothing has been buffered. */
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
  const now = { emptySince: null as number | null, segmentsBefore: 0, playhead: 0, isReported: false }
  return {
    hasLostInitSegment(video, segments, time) {
      const { currentTime: playhead } = video
      // A seek also empties the buffer, and each source counts its segments from zero.
      const isFlowing = bufferedRanges(video).length > 0 || playhead !== now.playhead
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

/** Makes `abort()` do nothing for every `SourceBuffer` of this page, until it is reloaded: it changes the prototype. */
export function disableAbort(): void {
  if ('SourceBuffer' in globalThis) SourceBuffer.prototype.abort = () => undefined
}
