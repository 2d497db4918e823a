import { liveCorrection } from './live-edge.ts'

/** What a live picture must do now. `reached`: playback faster than 1× has come to the live edge. */
type LiveMove = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' } | { kind: 'reached' }

/** Playback faster than 1× has reached the live edge at this distance. */
const reachedSeconds = 0.5
const reportEveryMs = 1000

export interface LiveWatch {
  /** True once a second. `time`: milliseconds. */
  isReportDue(time: number): boolean
  /** `drift`: seconds behind the target; `rate`: as requested. */
  update(drift: number, rate: number, mode: { isLowLatency: boolean; isInGroup: boolean }): LiveMove
  restart(): void
}

/**
 * Chooses corrections for live. A correction keeps its rate until it ends or turns, as each change of rate is audible.
 */
export function createLiveWatch(): LiveWatch {
  const last = { rate: 1, reportedAt: 0 }
  return {
    isReportDue(time) {
      if (time - last.reportedAt <= reportEveryMs) return false
      last.reportedAt = time
      return true
    },
    update(drift, rate, mode) {
      if (rate > 1 && drift < reachedSeconds) return { kind: 'reached' }
      if (rate !== 1) return { kind: 'none' }
      const before = last.rate
      const correction = liveCorrection(drift, before !== 1, mode)
      last.rate = correction.kind === 'rate' ? correction.rate : 1
      if (correction.kind === 'jump') return correction
      if (correction.kind === 'none') return before === 1 ? correction : { kind: 'rate', rate: 1 }
      const isSameDirection = Math.sign(before - 1) === Math.sign(correction.rate - 1)
      if (isSameDirection) last.rate = before
      return isSameDirection ? { kind: 'none' } : correction
    },
    restart() {
      Object.assign(last, { rate: 1, reportedAt: 0 })
    },
  }
}
