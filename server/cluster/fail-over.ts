import { leaseMs } from './node-rows.ts'

/** So long without a look, the leases of other nodes may have ended with nobody lost. */
const outageMs = leaseMs / 2
/** Every node beats twice meanwhile. */
const renewingMs = 6000

/** After an outage of the database every lease has ended: the other nodes get the time to renew theirs. */
export const createFailOver = (monotonic: () => number) => {
  let lookedAt: number | undefined
  let from = -Infinity
  return {
    /** Called at each look at the leases. */
    noteLook: (): void => {
      const now = monotonic()
      if (lookedAt !== undefined && now - lookedAt > outageMs) from = now + renewingMs
      lookedAt = now
    },
    /** Milliseconds until leases of other nodes that have ended can be taken; 0 or less: now. */
    waitMs: (): number => from - monotonic(),
  }
}
