/** Above this the node's clock counts as wrong. */
const skewMs = 1000
/** A measurement that took longer is too inaccurate. */
const maxRoundTripMs = 1000

export type ClusterClock = {
  /** Epoch milliseconds, by the database's clock where this node's own is wrong. */
  now: () => number
  /** How far this node's clock is ahead of the database's, by the last measurement. */
  aheadMs: () => number
  /** What `now` takes away: 0 while the clock is right. */
  correctionMs: () => number
  isSkewed: () => boolean
  /** `databaseNow` was read between `before` and `after`, both of `own`. */
  measure: (databaseNow: number, before: number, after: number) => void
  /** Epoch milliseconds by this node's clock. */
  own: () => number
  onCorrection: (listener: (correctionMs: number) => void) => void
}

/** Corrects `own` by what is measured, but only errors above a second, as each correction makes the time jump. */
export const createClusterClock = (own: () => number): ClusterClock => {
  const listeners: ((correctionMs: number) => void)[] = []
  let ahead = 0
  let correction = 0
  return {
    own,
    now: () => own() - correction,
    aheadMs: () => ahead,
    correctionMs: () => correction,
    isSkewed: () => Math.abs(ahead) > skewMs,
    onCorrection: (listener) => {
      listeners.push(listener)
    },
    measure: (databaseNow, before, after) => {
      if (after < before || after - before > maxRoundTripMs) return
      ahead = Math.round((before + after) / 2 - databaseNow)
      if (Math.abs(ahead - correction) <= skewMs) return
      correction = Math.abs(ahead) > skewMs ? ahead : 0
      for (const listener of listeners) listener(correction)
    },
  }
}
