import type { PreparedRecording } from '../archive/archive.ts'
import { holderElsewhere, type Cluster, type LeaseReason } from '../cluster/cluster.ts'
import type { StreamFacts } from '../cluster/facts.ts'
import type { StreamLogs } from './logs.ts'
import type { StreamRow } from './stream-store.ts'
import type { Status } from './supervisor.ts'

/** What the holder of a stream reported of it, if that is another node and available. */
export const factsElsewhere = (cluster: Cluster, uid: string): StreamFacts | undefined => {
  const holder = holderElsewhere(cluster, uid)
  if (holder === undefined || !cluster.isAvailable(holder)) return undefined
  return cluster.nodes().find(({ id }) => id === holder)?.facts.streams?.[uid]
}

/**
 * The epoch of this node's lease of a stream, 0 without one; `takenAt`: since when other nodes may have it. A lease
 * dates only its last holder, and there may have been others since this node crashed.
 */
export const leaseOf = (cluster: Cluster, uid: string): { epoch: number; takenAt: number | undefined } => {
  const since = holderElsewhere(cluster, uid) === undefined ? undefined : cluster.holderOf(uid)?.since
  return {
    epoch: cluster.tenureOf(uid)?.epoch ?? 0,
    takenAt: since === undefined ? undefined : Math.min(since, cluster.previousBeatAt ?? Infinity),
  }
}

/** The status of a stream that another node, or no node, records now. */
export const statusElsewhere = (
  cluster: Cluster,
  { uid, isPaused }: Pick<StreamRow, 'uid' | 'isPaused'>,
): { status: Status; failureReason: string } => {
  if (isPaused) return { status: 'paused', failureReason: '' }
  const { status = 'pending', failureReason = '' } = factsElsewhere(cluster, uid) ?? {}
  return { status, failureReason }
}

const reasons: Readonly<Record<LeaseReason, string>> = {
  placed: '',
  failover: ': the node that recorded it has stopped',
  restarted: ' again',
  drained: ': its node was drained',
  pinned: ', to which it is pinned',
  moved: ': an administrator moved it',
  balanced: ', where it belongs',
}

/** Writes into a stream's log that this node records it now. */
export const logAssignment = (cluster: Cluster, logs: StreamLogs, uid: string): void => {
  const holder = cluster.holderOf(uid)
  if (cluster.assignmentOf(uid) !== 'holding' || holder === undefined) return
  logs.write(uid, 'info', `Recorded by node ${cluster.nodeId}${reasons[holder.reason]}`)
}

/** More segments and runs than another node can have counted since it last wrote its numbers to the index. */
const sequencesAhead = 1000
const discontinuitiesAhead = 100

/** Skips the numbers that another node may have used, as the numbers in playlists may only grow. */
export const aheadOfOthers = ({ isShared }: Cluster, prepared: PreparedRecording): PreparedRecording => {
  if (!isShared) return prepared
  const { start } = prepared
  const { nextSequence, nextDiscontinuity } = start.counts
  const counts = {
    ...start.counts,
    nextSequence: nextSequence + sequencesAhead,
    nextDiscontinuity: nextDiscontinuity + discontinuitiesAhead,
  }
  return { ...prepared, start: { ...start, counts } }
}
