import type { MediaFailure } from '../engine/failure.ts'

/** A source has failed after this long without progress; a loaded one sooner if the engine has reported a reason. */
const failAfterMs = { unknown: 8000, known: 4000 }
/** A loaded picture without progress for this long has stalled. */
const stallMs = 400

/** A failure ends the attempt to play; a stall doesn't. */
type ProgressVerdict = 'fine' | 'stalled' | { failure: MediaFailure }

/** `time` in milliseconds of a clock that never steps back, `playhead` in media seconds. */
export interface PlaybackReading {
  time: number
  playhead: number
  /** The video plays, seeks or loads, so that frames are due. */
  areFramesDue: boolean
  isSeeking: boolean
  isLive: boolean
  /** There is a frame at the playhead. */
  hasFrame: boolean
  isLoaded: boolean
  /** The engine has read a playlist; before, its own timeouts apply. */
  hasPlaylist: boolean
}

/** Detects a dead source by missing progress, as the engine's error severities aren't reliable. */
export interface ProgressWatch {
  /** The last failure that the engine reported; null once frames are shown again. */
  lastFailure(): MediaFailure | null
  /** Null changes nothing. */
  noteFailure(failure: MediaFailure | null): void
  /** Another source is loading. */
  restart(time: number): void
  noteFirstFrame(time: number): void
  update(reading: PlaybackReading): ProgressVerdict
}

export function createProgressWatch(): ProgressWatch {
  const last = { playhead: -1, at: 0, lastFailure: null as MediaFailure | null }
  return {
    lastFailure: () => last.lastFailure,
    noteFailure(failure) {
      last.lastFailure = failure ?? last.lastFailure
    },
    restart(time) {
      Object.assign(last, { playhead: -1, at: time, lastFailure: null })
    },
    noteFirstFrame(time) {
      last.at = time
    },
    update({ time, playhead, areFramesDue, isSeeking, isLive, hasFrame, isLoaded, hasPlaylist }) {
      // The live window of a dead camera moves on, and the engine seeks after it, to where there is nothing.
      const hasMoved = playhead !== last.playhead && (hasFrame || !isLive || !isLoaded)
      if (!areFramesDue || hasMoved) {
        if (isLoaded && areFramesDue && last.playhead !== -1) last.lastFailure = null
        Object.assign(last, { playhead, at: time })
        return 'fine'
      }
      const idleMs = time - last.at
      const limitMs = isLoaded && last.lastFailure !== null ? failAfterMs.known : failAfterMs.unknown
      if ((isLoaded || hasPlaylist) && idleMs > limitMs) return { failure: last.lastFailure ?? 'stalled' }
      return isLoaded && idleMs > stallMs && (isLive || !isSeeking) ? 'stalled' : 'fine'
    },
  }
}
