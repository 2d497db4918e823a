import type { MediaFailure } from '../engine/failure.ts'

/** Without progress this long the source is given up; sooner where a reason is known. */
const patienceMs = { unknown: 8000, known: 4000 }
const stallMs = 400

export type ProgressVerdict = 'fine' | 'stalled' | { failure: MediaFailure }

export interface ProgressSeen {
  time: number
  playhead: number
  isWaiting: boolean
  isSeeking: boolean
  isLoaded: boolean
  /** Whether a playlist was read at all; before that the engine's own time-outs count. */
  hasPlaylist: boolean
}

/** Judges a source by its progress: error severities don't tell a dead player from a live one. */
export interface ProgressWatch {
  /** What the engine complained of since frames last came on. */
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
