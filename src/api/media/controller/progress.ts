import type { MediaFailure } from '../engine/failure.ts'

/** A source has failed after this long without progress; a loaded one sooner if the engine has reported a reason. */
const failAfterMs = { unknown: 8000, known: 4000 }
/** A long segment may take up to twice its length to arrive, but no longer than this. */
const longestFailMs = 20_000
/** A loaded picture without progress for this long has stalled. */
const stallMs = 400
/** Timers of a hidden page run once a minute. What they haven't seen for longer than this isn't missing progress. */
const maxUnseenMs = 2000

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
  /** The length of the newest segment in seconds; 0 if there is none. */
  segmentSeconds: number
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
  const last = { playhead: -1, at: 0, seenAt: 0, hasSought: false, lastFailure: null as MediaFailure | null }
  return {
    lastFailure: () => last.lastFailure,
    noteFailure(failure) {
      last.lastFailure = failure ?? last.lastFailure
    },
    restart(time) {
      Object.assign(last, { playhead: -1, at: time, seenAt: time, hasSought: false, lastFailure: null })
    },
    noteFirstFrame(time) {
      last.at = time
    },
    update({ time, playhead, areFramesDue, isSeeking, isLive, hasFrame, isLoaded, hasPlaylist, segmentSeconds }) {
      const unseenMs = time - last.seenAt
      if (unseenMs > maxUnseenMs) last.at += unseenMs
      last.seenAt = time
      const isShown = hasFrame || !isLive || !isLoaded
      // The live window of a dead camera moves on, and the engine seeks after it again and again, to where nothing is.
      const hasMoved = playhead !== last.playhead && (isShown || !last.hasSought)
      if (!areFramesDue || hasMoved) {
        if (isLoaded && areFramesDue && last.playhead !== -1) last.lastFailure = null
        Object.assign(last, { playhead, at: time, hasSought: !isShown })
        return 'fine'
      }
      const idleMs = time - last.at
      const unknownMs = Math.max(failAfterMs.unknown, Math.min(longestFailMs, segmentSeconds * 2000))
      const limitMs = isLoaded && last.lastFailure !== null ? failAfterMs.known : unknownMs
      if ((isLoaded || hasPlaylist) && idleMs > limitMs) return { failure: last.lastFailure ?? 'stalled' }
      const isSeekingAgain = isLive && playhead !== last.playhead
      return isLoaded && idleMs > stallMs && (!isSeeking || isSeekingAgain) ? 'stalled' : 'fine'
    },
  }
}
