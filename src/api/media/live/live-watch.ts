import { liveCorrection } from './live-edge.ts'

/**
 * The next thing to do about live: nothing, play at this rate, go to the edge, or say that a faster rate reached it.
 */
export type LiveMove = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' } | { kind: 'reached' }

/** Where faster playing counts as having caught up, seconds. */
const reachedSeconds = 0.5
const tellEveryMs = 1000

export interface LiveWatch {
  /** Whether a second has passed since the window was last told. */
  isTellingDue(time: number): boolean
  /** `drift` is how many seconds the playhead is behind where live should be, `rate` the one that was asked for. */
  update(drift: number, rate: number, isLowLatency: boolean): LiveMove
  /** Another rate was chosen, or another source. */
  restart(): void
}

/** Holds live near its edge; remembers whether it is catching up, so that it doesn't switch to and fro. */
export function createLiveWatch(): LiveWatch {
  const now = { isCatchingUp: false, lastSentAt: 0 }
  return {
    isTellingDue(time) {
      if (time - now.lastSentAt <= tellEveryMs) return false
      now.lastSentAt = time
      return true
    },
    update(drift, rate, isLowLatency) {
      if (rate > 1 && drift < reachedSeconds) return { kind: 'reached' }
      if (rate !== 1) return { kind: 'none' }
      const correction = liveCorrection(drift, now.isCatchingUp, isLowLatency)
      const wasCatchingUp = now.isCatchingUp
      now.isCatchingUp = correction.kind === 'rate'
      if (correction.kind === 'jump') return correction
      if (correction.kind === 'rate') return wasCatchingUp ? { kind: 'none' } : correction
      return wasCatchingUp ? { kind: 'rate', rate: 1 } : { kind: 'none' }
    },
    restart() {
      Object.assign(now, { isCatchingUp: false, lastSentAt: 0 })
    },
  }
}
