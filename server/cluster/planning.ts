import type { LeaseReason } from './cluster.ts'
import { isHeld, type HandOver, type Lease, type StreamLease } from './lease-rows.ts'
import { placedOn } from './placement.ts'

type Node = { id: string; isAvailable: boolean; isDrained: boolean }

export type Situation = {
  streams: readonly StreamLease[]
  nodes: readonly Node[]
  /** Whether this node knows that it holds the stream under that epoch. */
  isKnown: (uid: string, epoch: number) => boolean
  /** Whether a stream is recorded now, so that the next holder can wait for its keyframe. */
  isLive: (uid: string) => boolean
  /** Whether this node may take ended leases of other nodes. */
  canFailOver: boolean
  /** Epoch milliseconds by the database's clock. Older leases of this node are those of an earlier instance. */
  joinedAt: number
  /** Milliseconds of a monotonic clock. */
  now: number
}

/** What a node does about leases. */
export type Plan = {
  /** Streams that no node holds, or that an earlier instance of this node held. */
  take: { uid: string; reason: LeaseReason }[]
  /** Leases that another node has given to this one. */
  accept: { uid: string; lease: Lease }[]
  /** Hand-overs that begin: the next node connects first. */
  ask: HandOver[]
  /** Hand-overs that have failed. */
  cancel: HandOver[]
  /** Streams that aren't recorded now go to the next node at once. */
  give: HandOver[]
}

/**
 * A stream is balanced only after it has been on the wrong node for this many beats, as nodes may come and go briefly.
 */
const settlingBeats = 2
const handOverTimeoutMs = 20_000
/** The time between a failed hand-over of a stream and the next one. */
const retryMs = 60_000

/**
 * Plans what `self` takes, hands over and keeps. Remembers how long streams have been misplaced and hand-overs have
 * taken.
 */
export const createPlanner = (self: string) => {
  /** For how many beats each stream has been on the wrong node. */
  let misplacedBeats = new Map<string, number>()
  /** When each hand-over began, by stream and next node. */
  let begunAt = new Map<string, number>()
  /** When a hand-over of each stream last failed. */
  const failedAt = new Map<string, number>()

  return (situation: Situation): Plan => {
    const { streams, nodes, isKnown, isLive, canFailOver, joinedAt, now } = situation
    const available = nodes.filter(({ isAvailable }) => isAvailable).map(({ id }) => id)
    const undrained = nodes.filter(({ isAvailable, isDrained }) => isAvailable && !isDrained).map(({ id }) => id)
    // If all available nodes are drained, they take streams nevertheless.
    const takers = undrained.length > 0 ? undrained : available
    const plan: Plan = { take: [], accept: [], ask: [], cancel: [], give: [] }
    const stillMisplaced = new Map<string, number>()
    const stillBegun = new Map<string, number>()
    /** Nodes to which a hand-over is under way: one at a time. */
    const busy = new Set<string>()

    const consider = (stream: StreamLease): void => {
      const { uid, lease } = stream
      if (lease === undefined || !isHeld(stream)) return considerFree(stream)
      if (lease.node !== self) return undefined
      if (isKnown(uid, lease.epoch)) return considerOwn(stream, lease)
      if (lease.since >= joinedAt) plan.accept.push({ uid, lease })
      else plan.take.push({ uid, reason: 'restarted' })
      return undefined
    }

    const considerFree = ({ uid, pinnedTo, lease }: StreamLease): void => {
      const next = lease?.next?.node
      const target = next !== undefined && takers.includes(next) ? next : placedOn(uid, pinnedTo, takers)
      if (target !== self) return
      if (lease === undefined) plan.take.push({ uid, reason: 'placed' })
      else if (lease.node === self) plan.take.push({ uid, reason: 'restarted' })
      else if (canFailOver) plan.take.push({ uid, reason: 'failover' })
    }

    /** Where a stream of this node belongs, if that is elsewhere. */
    const nextOf = ({ uid, pinnedTo, lease }: StreamLease): HandOver['next'] | undefined => {
      if (undrained.length === 0) return undefined
      const isPinned = pinnedTo !== undefined && undrained.includes(pinnedTo)
      const isDrained = !undrained.includes(self)
      if (!isPinned && !isDrained && lease?.reason === 'moved') return undefined
      const node = placedOn(uid, pinnedTo, undrained)
      if (node === undefined || node === self) return undefined
      return { node, reason: isPinned ? 'pinned' : isDrained ? 'drained' : 'balanced' }
    }

    const considerOwn = (stream: StreamLease, { epoch, next }: Lease): void => {
      const { uid } = stream
      if (next !== undefined) {
        const handOver = `${uid} ${next.node}`
        const since = begunAt.get(handOver) ?? now
        if (!undrained.includes(next.node) || now - since > handOverTimeoutMs) {
          failedAt.set(uid, now)
          plan.cancel.push({ uid, epoch, next })
        } else if (isLive(uid)) stillBegun.set(handOver, since)
        else plan.give.push({ uid, epoch, next })
        return
      }
      const destination = nextOf(stream)
      if (destination === undefined) return
      const beats = (misplacedBeats.get(uid) ?? 0) + 1
      stillMisplaced.set(uid, beats)
      const hasFailed = now - (failedAt.get(uid) ?? -Infinity) < retryMs
      if (hasFailed || (destination.reason === 'balanced' && beats <= settlingBeats)) return
      if (!isLive(uid)) plan.give.push({ uid, epoch, next: destination })
      else if (!busy.has(destination.node)) {
        busy.add(destination.node)
        plan.ask.push({ uid, epoch, next: destination })
      }
    }

    for (const stream of streams) {
      const { uid, lease } = stream
      const isOwn = isHeld(stream) && lease?.node === self && isKnown(uid, lease.epoch)
      if (isOwn && lease.next !== undefined) busy.add(lease.next.node)
    }
    for (const stream of streams) consider(stream)
    misplacedBeats = stillMisplaced
    begunAt = stillBegun
    for (const [uid, at] of failedAt) if (now - at >= retryMs) failedAt.delete(uid)
    return plan
  }
}
