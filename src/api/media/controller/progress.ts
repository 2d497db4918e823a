import type { MediaFailure } from '../engine/failure.ts'

/** A source has failed after this long without progress; sooner if the engine has reported a reason. */
const failAfterMs = { unknown: 8000, known: 4000 }
const stallMs = 400

export type ProgressVerdict = 'fine' | 'stalled' | { failure: MediaFailure }

/** `time` in milliseconds of a clock that never steps back, `playhead` in media seconds. */
export interface ProgressSeen {
  time: number
  playhead: number
  /** Frames should come: it plays, seeks or loads. */
  isWaiting: boolean
  isSeeking: boolean
  isLoaded: boolean
  /** The engine has read a playlist; before, its own timeouts apply. */
  hasPlaylist: boolean
}

/** Detects a dead source by missing progress, as the engine's error severities aren't reliable. */
export interface ProgressWatch {
  /** The last error of the engine; null once frames are shown again. */
  lastFailure(): MediaFailure | null
  noteFailure(failure: MediaFailure | null): void
  /** Another source is loading. */
  restart(time: number): void
  noteFirstFrame(time: number): void
  update(seen: ProgressSeen): ProgressVerdict
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
    update({ time, playhead, isWaiting, isSeeking, isLoaded, hasPlaylist }) {
      if (!isWaiting || playhead !== last.playhead) {
        if (isLoaded && isWaiting && last.playhead !== -1) last.lastFailure = null
        Object.assign(last, { playhead, at: time })
        return 'fine'
      }
      const idle = time - last.at
      const limit = isLoaded && last.lastFailure !== null ? failAfterMs.known : failAfterMs.unknown
      if ((isLoaded || hasPlaylist) && idle > limit) return { failure: last.lastFailure ?? 'stalled' }
      return isLoaded && idle > stallMs && !isSeeking ? 'stalled' : 'fine'
    },
  }
}
