import type { ClusterMember } from './cluster.ts'
import { leaseMs } from './node-rows.ts'

/** After this time without a beat of this node, leases of other nodes may have ended although no node is lost. */
const outageMs = leaseMs / 2
/** Enough for two beats of each node. */
const renewingMs = 6000

/**
 * Says when ended leases of other nodes can be taken. After an outage of the database all leases have ended, so the
 * other nodes get time to renew theirs. A node that has just started takes lost nodes for an outage.
 */
export const createFailOver = (monotonic: () => number) => {
  let beatAt: number | undefined
  let canTakeFrom = -Infinity
  return {
    /** Called at each beat. */
    noteBeat: (nodes: readonly Pick<ClusterMember, 'isLost'>[]): void => {
      const now = monotonic()
      const isAfterOutage = beatAt === undefined ? nodes.some(({ isLost }) => isLost) : now - beatAt > outageMs
      if (isAfterOutage) canTakeFrom = now + renewingMs
      beatAt = now
    },
    /** How long ended leases of other nodes can't be taken yet; 0 or less: they can. */
    waitMs: (): number => canTakeFrom - monotonic(),
  }
}
