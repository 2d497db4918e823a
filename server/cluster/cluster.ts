import type { NodeFacts } from './facts.ts'

/** A server of the cluster, as this node's last beat found it. Moments: epoch milliseconds of the database's clock. */
export type ClusterMember = {
  id: string
  name: string
  /** The origin by which other nodes reach it; of one server alone its host name. */
  url: string
  version: string
  /** Whether the node beats regularly. */
  isAvailable: boolean
  /** Whether the node stopped beating without leaving the cluster. */
  isLost: boolean
  isDrained: boolean
  lastBeatAt: number
  facts: NodeFacts
}

/**
 * Why a node holds a stream: it is new, its node was lost, this node was restarted, its node is drained, it is pinned,
 * an administrator moved it, or placement did.
 */
export const leaseReasons = ['placed', 'failover', 'restarted', 'drained', 'pinned', 'moved', 'balanced'] as const
export type LeaseReason = (typeof leaseReasons)[number]

/** Who records a stream, by the last beat; `nextNodeId` is about to take over. `since`: of the database's clock. */
export type Holder = { nodeId: string; epoch: number; since: number; reason: LeaseReason; nextNodeId?: string }

/** This node's lease of a stream. Each holder has a higher epoch than the one before. */
export type Tenure = {
  epoch: number
  since: number
  /** False from 2 s before the lease ends unless it was renewed, by a monotonic clock. */
  isValid: () => boolean
}

/** `joining`: connects and records live only, to take the stream over from its holder at the first keyframe. */
export type Assignment = 'holding' | 'joining'

/** The nodes that share a database and a bucket, and which of them records each stream. */
export type Cluster = {
  nodeId: string
  /** The last beat of this node before it started, epoch milliseconds of the database's clock; undefined if none. */
  previousBeatAt: number | undefined
  /** False for one server alone. */
  isShared: boolean
  /** By id, this node among them. */
  nodes: () => readonly ClusterMember[]
  isAvailable: (nodeId: string) => boolean
  isDrained: (nodeId: string) => boolean
  holderOf: (uid: string) => Holder | undefined
  /** The node that a stream is pinned to. */
  pinOf: (uid: string) => string | undefined
  /** This node's lease of a stream; undefined once it knows that another node has the stream. */
  tenureOf: (uid: string) => Tenure | undefined
  assignmentOf: (uid: string) => Assignment | undefined
  /** Calls `listener` when the assignment of a stream has changed. */
  onAssignment: (listener: (uid: string) => void) => void
  /** Takes over a stream that this node joins. False if the holder keeps it. */
  takeOver: (uid: string) => Promise<boolean>
  /** Whether this node does what one node at a time does: retention, purges, alerts, forecasts. */
  isLeader: () => boolean
  /**
   * Resolves when this node leads, with a signal that aborts when it no longer does. If `signal` aborts first, resolves
   * with an aborted one.
   */
  untilLeader: (signal: AbortSignal) => Promise<AbortSignal>
  /** False if there is no such node. */
  setDrained: (nodeId: string, isDrained: boolean) => Promise<boolean>
  /** Null: no longer pinned. */
  pin: (uid: string, nodeId: string | null) => Promise<void>
  /** Asks for a hand-over; placement leaves the stream there as long as that node is available and isn't drained. */
  move: (uid: string, nodeId: string) => Promise<void>
  /** Forgets a node that isn't available. False if it is available, or unknown. */
  remove: (nodeId: string) => Promise<boolean>
  /** Each returns some of the facts that this node reports with its beats. */
  factSources: (() => NodeFacts)[]
  /** Sets the function that says whether a stream is being recorded: then its next holder waits for a keyframe. */
  setLiveness: (isLive: (uid: string) => boolean) => void
  /** Begins to take streams. */
  start: () => Promise<void>
  /** Beats now and follows what has changed in nodes, leases and pins. Never rejects. */
  refresh: () => Promise<void>
  /** How far this node's clock is ahead of the database's; 0 when alone. */
  clockAheadMs: () => number
  /** Whether the clocks differ by more than a second: what this node records is then stamped by the database's. */
  isClockSkewed: () => boolean
  /** Calls `listener` with how far this node's clock is ahead when that begins or ceases to be corrected. */
  onClockCorrection: (listener: (aheadMs: number) => void) => void
  /** Gives back all leases and leaves. */
  stop: () => Promise<void>
}

/** The other node that records a stream, available or not; undefined if this node does, or none. */
export const holderElsewhere = (
  { nodeId, tenureOf, holderOf }: Pick<Cluster, 'nodeId' | 'tenureOf' | 'holderOf'>,
  uid: string,
): string | undefined => {
  const holder = tenureOf(uid) === undefined ? holderOf(uid)?.nodeId : undefined
  return holder === nodeId ? undefined : holder
}
