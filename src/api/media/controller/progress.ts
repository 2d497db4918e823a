import type { MediaFailure } from '../engine/failure.ts'

/** Without progress for this long a source has failed; sooner if a reason is known. */
const patienceMs = { unknown: 8000, known: 4000 }
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
  trouble(): MediaFailure | null
  complain(failure: MediaFailure | null): void
  restart(time: number): void
  arrive(time: number): void
  update(seen: ProgressSeen): ProgressVerdict
}

export function createProgressWatch(): ProgressWatch {
  const last = { playhead: -1, at: 0, trouble: null as MediaFailure | null }
  return {
    trouble: () => last.trouble,
    complain(failure) {
      last.trouble = failure ?? last.trouble
    },
    restart(time) {
      Object.assign(last, { playhead: -1, at: time, trouble: null })
    },
    arrive(time) {
      last.at = time
    },
    update({ time, playhead, isWaiting, isSeeking, isLoaded, hasPlaylist }) {
      if (!isWaiting || playhead !== last.playhead) {
        if (isLoaded && isWaiting && last.playhead !== -1) last.trouble = null
        Object.assign(last, { playhead, at: time })
        return 'fine'
      }
      const idle = time - last.at
      const patience = isLoaded && last.trouble !== null ? patienceMs.known : patienceMs.unknown
      if ((isLoaded || hasPlaylist) && idle > patience) return { failure: last.trouble ?? 'stalled' }
      return isLoaded && idle > stallMs && !isSeeking ? 'stalled' : 'fine'
    },
  }
}
