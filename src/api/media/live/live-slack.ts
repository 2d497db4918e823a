/** Each stall adds so much, up to `maxSeconds`. */
const perStallSeconds = 0.5
const maxSeconds = 4
/** What was buffered beyond this during a whole calm is not needed. At most as much as a stall adds is taken back. */
const keptAheadSeconds = 0.3
/** How long a calm lasts at first, and at most. Each stall after less slack doubles it. */
const firstCalmMs = 30_000
const maxCalmMs = 600_000
/** After a longer time without an update, as in a hidden tab, a calm starts over. */
const maxStepMs = 2000

/** `hasData`: whether playback can go on; `ahead`: seconds buffered ahead of the target; `time`: milliseconds. */
type Flow = { hasData: boolean; isSeeking: boolean; ahead: number; time: number }

/** The seconds by which stalls have moved the target of a live picture away from its edge. */
export interface LiveSlack {
  readonly seconds: () => number
  /** To be called a few times a second. */
  update(flow: Flow): void
  restart(): void
}

export function createLiveSlack(): LiveSlack {
  const fresh = {
    seconds: 0,
    hasData: false,
    calmMs: firstCalmMs,
    isReduced: false,
    since: 0,
    at: -Infinity,
    lowest: Infinity,
  }
  const state = { ...fresh }
  const startCalm = (time: number) => Object.assign(state, { since: time, lowest: Infinity })

  return {
    seconds: () => state.seconds,
    update({ hasData, isSeeking, ahead, time }) {
      const hasStalled = state.hasData && !hasData && !isSeeking
      state.hasData = hasData
      if (hasStalled) {
        state.seconds = Math.min(maxSeconds, state.seconds + perStallSeconds)
        if (state.isReduced) state.calmMs = Math.min(maxCalmMs, state.calmMs * 2)
        state.isReduced = false
      }
      if (hasStalled || !hasData || time - state.at > maxStepMs) startCalm(time)
      else if (!isSeeking) state.lowest = Math.min(state.lowest, ahead)
      state.at = time
      if (time - state.since < state.calmMs) return
      const unneeded = Math.max(0, Math.min(perStallSeconds, state.seconds, state.lowest - keptAheadSeconds))
      state.seconds -= unneeded
      state.isReduced ||= unneeded > 0
      startCalm(time)
    },
    restart() {
      Object.assign(state, fresh)
    },
  }
}
