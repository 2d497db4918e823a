import { liveCorrection } from './live-edge.ts'

/** `jump` goes to the live edge; `reached` says that a faster rate led there. */
export type LiveMove = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' } | { kind: 'reached' }

/** Where faster playing counts as having caught up, seconds. */
const reachedSeconds = 0.5
const tellEveryMs = 1000

export interface LiveWatch {
  isTellingDue(time: number): boolean
  /** `drift` is how many seconds the playhead is behind where live should be, `rate` the one that was asked for. */
  update(drift: number, rate: number, isLowLatency: boolean): LiveMove
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
