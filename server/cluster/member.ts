import type { FastifyBaseLogger } from 'fastify'
import { randomUUID } from 'node:crypto'
import { guarded } from '../guarded.ts'
import { monotonicNow } from '../monotonic.ts'
import { StoreAway } from '../store/connection.ts'
import { createSerialQueue } from '../store/serial-queue.ts'
import type { ClusterClock } from './clock.ts'
import type { Cluster, ClusterMember, Holder, LeaseReason } from './cluster.ts'
import { createFailOver } from './fail-over.ts'
import { joinCluster } from './join.ts'
import { createLeadership } from './leader.ts'
import { createLeaseRows, isHeld, type StreamLease } from './lease-rows.ts'
import { createNodeRows, leaseMs, type ClusterDatabase } from './node-rows.ts'
import { createPlanner, type Plan } from './planning.ts'
import { createTenures } from './tenures.ts'

export type MemberOptions = ClusterDatabase & {
  nodeId: string
  /** The origin by which other nodes reach this one. */
  url: string
  version: string
  time: ClusterClock
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** 0: only `refresh` beats. */
  beatMs?: number
  monotonic?: () => number
  pause?: (ms: number) => Promise<void>
}

const defaultBeatMs = 3000
/** A node stops relying on a lease this long before the database gives it to others. */
const marginMs = 2000
/** The beat after a lease's end is this much later, as the database compares whole milliseconds. */
const afterEndMs = 5

/** Joins the cluster; rejects with a UsageError if another server beats with the same id. */
export const createMember = async (options: MemberOptions): Promise<Cluster> => {
  const { nodeId, url, version, time, log, beatMs = defaultBeatMs, monotonic = monotonicNow } = options
  const self = { id: nodeId, name: nodeId, url, version, instance: randomUUID() }
  const nodeRows = createNodeRows(options, self)
  const leaseRows = createLeaseRows(options, self)
  const tenures = createTenures(monotonic)
  const leadership = createLeadership(monotonic)
  const plan = createPlanner(nodeId)
  const failOver = createFailOver(monotonic)
  const turns = createSerialQueue()
  const factSources: Cluster['factSources'] = []
  let nodes: readonly ClusterMember[] = []
  let streams = new Map<string, StreamLease>()
  let isLive = (_uid: string): boolean => true
  let isStarted = false
  let isStopped = false
  let isFailing = false
  let beating: Promise<void> | undefined
  let leaseEndTimer: NodeJS.Timeout | undefined
  const previousBeatAt = await nodeRows.lastBeat()
  /** Epoch milliseconds by the database's clock. */
  let joinedAt = await joinCluster(nodeRows, nodeId, options.pause)

  /** The end, by `monotonic`, of leases that are renewed or taken from now on: never later than in the database. */
  const leaseEnd = (): number => monotonic() + leaseMs - marginMs

  const loseAll = (): void => {
    for (const uid of tenures.uids()) tenures.lose(uid)
    tenures.setJoining([])
    leadership.set(undefined)
  }

  /** Writes this node's facts; false if another server has taken its row. */
  const updateOwnRow = async (): Promise<boolean> => {
    const facts = Object.assign({ clockAheadMs: time.aheadMs() }, ...factSources.map((source) => source()))
    const before = time.own()
    const now = await nodeRows.beat(facts)
    if (now !== undefined) {
      time.measure(now, before, time.own())
      return true
    }
    if (await nodeRows.join()) {
      joinedAt = (await nodeRows.lastBeat()) ?? 0
      loseAll()
      return true
    }
    log.error({ nodeId }, 'another server runs with this NODE_ID: this one records nothing')
    loseAll()
    return false
  }

  const renew = async (validUntil: number): Promise<void> => {
    const renewed = new Map((await leaseRows.renew()).map(({ uid, epoch }) => [uid, epoch]))
    for (const uid of tenures.uids()) {
      const epoch = renewed.get(uid)
      if (epoch !== undefined && tenures.isKnown(uid, epoch)) tenures.extend(uid, epoch, validUntil)
      else tenures.lose(uid)
    }
  }

  const hold = (uid: string, held: { epoch: number; since: number; reason: LeaseReason }, validUntil: number): void => {
    const known = streams.get(uid)
    const lease = { ...held, node: nodeId, next: undefined }
    streams.set(uid, { uid, pinnedTo: known?.pinnedTo, lease, leftMs: leaseMs })
    tenures.gain({ uid, epoch: held.epoch, since: held.since }, validUntil)
  }

  const carryOut = async ({ take, accept, ask, cancel, give }: Plan, validUntil: number): Promise<void> => {
    for (const [reason, all] of Map.groupBy(take, (each) => each.reason)) {
      const taken = await leaseRows.take(
        all.map(({ uid }) => uid),
        reason,
      )
      for (const each of taken) hold(each.uid, each, validUntil)
    }
    for (const { uid, lease } of accept) hold(uid, lease, validUntil)
    for (const each of ask) await leaseRows.ask(each)
    for (const each of cancel) await leaseRows.cancel(each)
    for (const each of give) if (await leaseRows.give(each)) tenures.lose(each.uid)
  }

  /**
   * Beats again when the first lease of another node ends, or when ended leases may be taken after an outage of the
   * database, if that is before the next beat.
   */
  const scheduleLeaseEnd = (read: readonly StreamLease[]): void => {
    const others = read.filter((stream) => isHeld(stream) && stream.lease?.node !== nodeId)
    const waitMs = failOver.waitMs()
    const firstMs = others.reduce((first, { leftMs }) => Math.min(first, leftMs), waitMs > 0 ? waitMs : Infinity)
    clearTimeout(leaseEndTimer)
    if (firstMs < beatMs) leaseEndTimer = setTimeout(guarded('cluster: lease end', beatOnce), firstMs + afterEndMs)
  }

  const beat = async (): Promise<void> => {
    // Before the first query: if the process is stopped meanwhile, nothing that old answers grant is valid.
    const validUntil = leaseEnd()
    if (isStopped || !(await updateOwnRow())) return
    if (isStarted) await renew(validUntil)
    leadership.set((await leaseRows.lead()) ? validUntil : undefined)
    nodes = await nodeRows.read()
    failOver.noteBeat(nodes)
    const read = await leaseRows.read()
    streams = new Map(read.map((stream) => [stream.uid, stream]))
    if (!isStarted) return
    const { isKnown } = tenures
    const canFailOver = failOver.waitMs() <= 0
    await carryOut(plan({ streams: read, nodes, isKnown, isLive, canFailOver, joinedAt, now: monotonic() }), validUntil)
    tenures.setJoining(
      read.flatMap((stream) => {
        const { uid, lease } = stream
        return isHeld(stream) && lease?.next?.node === nodeId && lease.node !== nodeId ? [uid] : []
      }),
    )
    scheduleLeaseEnd(read)
    if (leadership.isLeader()) await leaseRows.forgetRemoved()
  }

  /** While the database is unavailable this node keeps its leases, as no other node can take them. */
  const refresh = async (): Promise<void> => {
    try {
      await turns(beat)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the leases of this node could not be renewed')
      // The log leaves these out (http/log.ts).
      isFailing = !(error instanceof StoreAway)
    }
  }
  const beatOnce = (): void => {
    beating ??= refresh().finally(() => {
      beating = undefined
    })
  }
  await turns(beat)
  const timer = beatMs === 0 ? undefined : setInterval(guarded('cluster: beat', beatOnce), beatMs)

  const holderOf = (uid: string): Holder | undefined => {
    const lease = streams.get(uid)?.lease
    if (lease === undefined) return undefined
    const { node, epoch, since, reason, next } = lease
    return { nodeId: node, epoch, since, reason, ...(next === undefined ? {} : { nextNodeId: next.node }) }
  }
  const memberOf = (id: string): ClusterMember | undefined => nodes.find((node) => node.id === id)

  return {
    nodeId,
    previousBeatAt,
    isShared: true,
    nodes: () => nodes,
    isAvailable: (id) => memberOf(id)?.isAvailable === true,
    isDrained: (id) => memberOf(id)?.isDrained === true,
    holderOf,
    pinOf: (uid) => streams.get(uid)?.pinnedTo,
    tenureOf: tenures.get,
    assignmentOf: tenures.assignmentOf,
    onAssignment: tenures.onAssignment,
    takeOver: (uid) =>
      turns(async () => {
        const lease = streams.get(uid)?.lease
        if (lease === undefined || isStopped) return false
        const validUntil = leaseEnd()
        const taken = await leaseRows.takeOver(uid, lease.epoch)
        if (taken !== undefined) hold(uid, taken, validUntil)
        return taken !== undefined
      }),
    isLeader: leadership.isLeader,
    untilLeader: leadership.untilLeader,
    setDrained: async (id, isDrained) => {
      const isKnown = await nodeRows.setDrained(id, isDrained)
      await refresh()
      return isKnown
    },
    pin: async (uid, id) => {
      await leaseRows.pin(uid, id)
      await refresh()
    },
    move: async (uid, id) => {
      await leaseRows.move(uid, id)
      await refresh()
    },
    remove: async (id) => {
      const isRemoved = await nodeRows.remove(id)
      await refresh()
      return isRemoved
    },
    factSources,
    setLiveness: (given) => {
      isLive = given
    },
    start: async () => {
      isStarted = true
      await refresh()
    },
    refresh,
    clockAheadMs: time.aheadMs,
    isClockSkewed: time.isSkewed,
    onClockCorrection: (listener) => {
      time.onCorrection(listener)
      if (time.correctionMs() !== 0) listener(time.correctionMs())
    },
    stop: async () => {
      clearInterval(timer)
      await turns(async () => {
        isStopped = true
        // Not before: a beat in progress sets it.
        clearTimeout(leaseEndTimer)
        leadership.set(undefined)
        await leaseRows.releaseAll()
        await leaseRows.resign()
        await nodeRows.leave()
      }).catch((error: unknown) => log.warn({ err: error }, 'the leases of this node end by themselves'))
    },
  }
}
