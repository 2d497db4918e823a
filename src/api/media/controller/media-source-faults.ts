import { heldBy } from '../frames/picture.ts'

/** Segments that come into an empty buffer, the initialization segment among them, and for how long it stays empty. */
const segmentsWithoutEffect = 3
const emptyMs = 600

/**
 * Watches one video for a fault of some ports of WebKit, told by what is seen and not by the browser's name: segments
 * came and nothing of them is held, as `abort()` dropped the initialization segment before them. Told once.
 */
export interface HeadWatch {
  /** `segments` came since the source was loaded; `time` is of any clock that never steps back, in milliseconds. */
  losesHeads(video: Pick<HTMLVideoElement, 'buffered' | 'currentTime'>, segments: number, time: number): boolean
}

export function createHeadWatch(): HeadWatch {
  const now = { emptySince: null as number | null, segmentsBefore: 0, playhead: 0, isReported: false }
  return {
    losesHeads(video, segments, time) {
      const { currentTime: playhead } = video
      // A seek empties the buffer as well. Another source counts its segments anew.
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

/** Such browsers play without; for every source that is loaded from now on. */
export function keepHeads(): void {
  if ('SourceBuffer' in globalThis) SourceBuffer.prototype.abort = () => undefined
}
