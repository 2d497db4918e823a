import { liveCorrection } from './live-edge.ts'

/** `jump` goes to the live edge; `reached`: a faster rate led there. */
export type LiveMove = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' } | { kind: 'reached' }

/** Where faster playing counts as having caught up, seconds. */
const reachedSeconds = 0.5
const reportEveryMs = 1000

export interface LiveWatch {
  isReportDue(time: number): boolean
  /** `drift`: seconds behind the target; `rate`: as requested. */
  update(drift: number, rate: number, way: { isLowLatency: boolean; isShared: boolean }): LiveMove
  restart(): void
}

/** Chooses corrections for live; remembers the current one to avoid switching back and forth. */
export function createLiveWatch(): LiveWatch {
  const now = { correcting: 1, lastSentAt: 0 }
  return {
    isReportDue(time) {
      if (time - now.lastSentAt <= reportEveryMs) return false
      now.lastSentAt = time
      return true
    },
    update(drift, rate, way) {
      if (rate > 1 && drift < reachedSeconds) return { kind: 'reached' }
      if (rate !== 1) return { kind: 'none' }
      const before = now.correcting
      const correction = liveCorrection(drift, before !== 1, way)
      now.correcting = correction.kind === 'rate' ? correction.rate : 1
      if (correction.kind === 'jump') return correction
      if (correction.kind === 'none') return before === 1 ? correction : { kind: 'rate', rate: 1 }
      const goesOn = Math.sign(before - 1) === Math.sign(correction.rate - 1)
      if (goesOn) now.correcting = before
      return goesOn ? { kind: 'none' } : correction
    },
    restart() {
      Object.assign(now, { correcting: 1, lastSentAt: 0 })
    },
  }
}
