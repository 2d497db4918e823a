import { leaseMs } from './node-rows.ts'

/** After so long without a beat, leases of other nodes may have ended although no node is lost. */
const outageMs = leaseMs / 2
/** Long enough for two beats of each node. */
const renewingMs = 6000

/**
 * After an outage of the database every lease has ended. The other nodes get time to renew theirs before they count as
 * lost.
 */
export const createFailOver = (monotonic: () => number) => {
  let beatAt: number | undefined
  let from = -Infinity
  return {
    /** Called at each beat. */
    noteBeat: (): void => {
      const now = monotonic()
      if (beatAt !== undefined && now - beatAt > outageMs) from = now + renewingMs
      beatAt = now
    },
    /** Milliseconds until leases of other nodes that have ended can be taken; 0 or less: now. */
    waitMs: (): number => from - monotonic(),
  }
}
