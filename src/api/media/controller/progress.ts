import type { MediaFailure } from '../engine/failure.ts'

/** Without progress for this long a source has failed; sooner if a reason is known. */
const failAfterMs = { unknown: 8000, known: 4000 }
const stallMs = 400

export type ProgressVerdict = 'fine' | 'stalled' | { failure: MediaFailure }

export interface ProgressSeen {
  time: number
  playhead: number
  isWaiting: boolean
  isSeeking: boolean
  isLoaded: boolean
  /** Whether a playlist was read; until then the engine's own time-outs apply. */
  hasPlaylist: boolean
}

/** Detects a dead source by missing progress, as error severities of the engine aren't reliable. */
export interface ProgressWatch {
  /** The engine's last error since frames were last shown. */
  lastFailure(): MediaFailure | null
  complain(failure: MediaFailure | null): void
  restart(time: number): void
  arrive(time: number): void
  update(seen: ProgressSeen): ProgressVerdict
}

export function createProgressWatch(): ProgressWatch {
  const last = { playhead: -1, at: 0, lastFailure: null as MediaFailure | null }
  return {
    lastFailure: () => last.lastFailure,
    complain(failure) {
      last.lastFailure = failure ?? last.lastFailure
    },
    restart(time) {
      Object.assign(last, { playhead: -1, at: time, lastFailure: null })
    },
    arrive(time) {
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
