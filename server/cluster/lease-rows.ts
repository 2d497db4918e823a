import * as z from 'zod/mini'
import { hourMs } from '../durations.ts'
import { allOf } from '../store/store.ts'
import { leaseReasons, type LeaseReason } from './cluster.ts'
import { leaseMs, type ClusterDatabase, type Identity } from './node-rows.ts'

/** A newer version may write reasons that this one doesn't know. */
const reasonOf = (text: string | null): LeaseReason => leaseReasons.find((each) => each === text) ?? 'placed'

const LeaseRow = z.object({
  uid: z.string(),
  pinnedTo: z.nullable(z.string()),
  node: z.nullable(z.string()),
  epoch: z.nullable(z.number()),
  since: z.nullable(z.number()),
  reason: z.nullable(z.string()),
  nextNode: z.nullable(z.string()),
  nextReason: z.nullable(z.string()),
  leftMs: z.nullable(z.number()),
})
const RenewedRow = z.object({ uid: z.string(), epoch: z.number() })
const TakenRow = z.object({ uid: z.string(), epoch: z.number(), since: z.number(), reason: z.string() })
export type Taken = { uid: string; epoch: number; since: number; reason: LeaseReason }
const takenOf = (row: z.output<typeof TakenRow>): Taken => ({ ...row, reason: reasonOf(row.reason) })

/** `next`: the node that is about to take over. */
export type Lease = {
  node: string
  epoch: number
  since: number
  reason: LeaseReason
  next: { node: string; reason: LeaseReason } | undefined
}

/** A stream that its holder hands over to the next node. */
export type HandOver = { uid: string; epoch: number; next: { node: string; reason: LeaseReason } }

/** A stream with its pin, and the lease that it has or had; `leftMs`: until it ends, 0 or less once it has. */
export type StreamLease = { uid: string; pinnedTo: string | undefined; lease: Lease | undefined; leftMs: number }
/** Whether a node holds the stream now. */
export const isHeld = ({ leftMs }: Pick<StreamLease, 'leftMs'>): boolean => leftMs > 0

const streamLeaseOf = (row: z.output<typeof LeaseRow>): StreamLease => {
  const { uid, leftMs, node, epoch, since, nextNode } = row
  const next = nextNode === null ? undefined : { node: nextNode, reason: reasonOf(row.nextReason) }
  const lease =
    node === null || epoch === null || since === null
      ? undefined
      : { node, epoch, since, reason: reasonOf(row.reason), next }
  return { uid, pinnedTo: row.pinnedTo ?? undefined, lease, leftMs: leftMs ?? 0 }
}

/** How long the lease of a removed stream is kept: until then chunks may still be added under its last epoch. */
const orphanMs = hourMs

/**
 * SQL: whether this node's row is still this instance's. An instance that was replaced takes nothing from its
 * successor.
 */
const isCurrentInstance = 'EXISTS (SELECT 1 FROM nodes WHERE id = ? AND instance = ?)'

export const createLeaseRows = ({ store, clock }: ClusterDatabase, { id, instance }: Identity) => ({
  read: async (): Promise<StreamLease[]> => {
    const rows = await store.all(
      LeaseRow,
      `SELECT streams.uid, pinned_node AS pinnedTo, node, epoch, since, reason, next_node AS nextNode,
         next_reason AS nextReason, expires - ${clock} AS leftMs
       FROM streams LEFT JOIN leases ON leases.uid = streams.uid ORDER BY streams.uid`,
    )
    return rows.map(streamLeaseOf)
  },
  /** All leases of this node; those of removed streams end by themselves. */
  renew: (): Promise<z.output<typeof RenewedRow>[]> =>
    store.all(
      RenewedRow,
      `UPDATE leases SET expires = ${clock} + ${leaseMs}
       WHERE node = ? AND uid IN (SELECT uid FROM streams) AND ${isCurrentInstance}
       RETURNING uid, epoch`,
      id,
      id,
      instance,
    ),
  /** Takes streams that no node holds, or that an earlier instance of this node held; returns those that it got. */
  take: async (uids: readonly string[], reason: LeaseReason): Promise<Taken[]> => {
    const taken = await allOf(uids, (some, marks) =>
      store.all(
        TakenRow,
        `INSERT INTO leases (uid, node, epoch, expires, since, reason)
         SELECT uid, ?, 1, ${clock} + ${leaseMs}, ${clock}, ? FROM streams
         WHERE uid IN (${marks}) AND ${isCurrentInstance} ORDER BY uid
         ON CONFLICT (uid) DO UPDATE SET node = excluded.node, epoch = leases.epoch + 1, expires = excluded.expires,
           since = excluded.since, reason = excluded.reason, next_node = NULL, next_reason = NULL
         WHERE leases.expires <= excluded.since OR leases.node = excluded.node
         RETURNING uid, epoch, since, reason`,
        id,
        reason,
        ...some,
        id,
        instance,
      ),
    )
    return taken.map(takenOf)
  },
  /** Takes a stream over from its holder, which has named this node as the next one. */
  takeOver: async (uid: string, epoch: number): Promise<Taken | undefined> => {
    const [taken] = await store.all(
      TakenRow,
      `UPDATE leases SET node = next_node, epoch = epoch + 1, expires = ${clock} + ${leaseMs}, since = ${clock},
         reason = coalesce(next_reason, 'moved'), next_node = NULL, next_reason = NULL
       WHERE uid = ? AND epoch = ? AND next_node = ? AND ${isCurrentInstance}
       RETURNING uid, epoch, since, reason`,
      uid,
      epoch,
      id,
      id,
      instance,
    )
    return taken && takenOf(taken)
  },
  /** Names the next holder, unless an administrator has named one meanwhile. */
  ask: async ({ uid, epoch, next }: HandOver): Promise<void> => {
    await store.run(
      `UPDATE leases SET next_node = ?, next_reason = ?
       WHERE uid = ? AND epoch = ? AND node = ? AND next_node IS NULL`,
      next.node,
      next.reason,
      uid,
      epoch,
      id,
    )
  },
  /** Keeps a stream that its next holder doesn't take. */
  cancel: async ({ uid, epoch, next }: HandOver): Promise<void> => {
    await store.run(
      `UPDATE leases SET next_node = NULL, next_reason = NULL
       WHERE uid = ? AND epoch = ? AND node = ? AND next_node = ?`,
      uid,
      epoch,
      id,
      next.node,
    )
  },
  /**
   * Gives a stream to another node, which notices it at its next beat. False if this node no longer holds it, or an
   * administrator has named another next holder meanwhile.
   */
  give: async ({ uid, epoch, next }: HandOver): Promise<boolean> => {
    const { changes } = await store.run(
      `UPDATE leases SET node = ?, epoch = epoch + 1, expires = ${clock} + ${leaseMs}, since = ${clock}, reason = ?,
         next_node = NULL, next_reason = NULL
       WHERE uid = ? AND epoch = ? AND node = ? AND coalesce(next_node, ?) = ?`,
      next.node,
      next.reason,
      uid,
      epoch,
      id,
      next.node,
      next.node,
    )
    return changes > 0
  },
  /** Asks the holder of a stream, whichever node that is, to hand it over, or to keep it if it is that node. */
  move: async (uid: string, node: string): Promise<void> => {
    await store.run(
      `UPDATE leases SET reason = 'moved', next_node = NULL, next_reason = NULL WHERE uid = ? AND node = ?`,
      uid,
      node,
    )
    await store.run(
      `UPDATE leases SET next_node = ?, next_reason = 'moved' WHERE uid = ? AND node <> ?`,
      node,
      uid,
      node,
    )
  },
  pin: async (uid: string, node: string | null): Promise<void> => {
    await store.run('UPDATE streams SET pinned_node = ? WHERE uid = ?', node, uid)
  },
  releaseAll: async (): Promise<void> => {
    await store.run(
      `UPDATE leases SET expires = ${clock}, next_node = NULL, next_reason = NULL
       WHERE node = ? AND ${isCurrentInstance}`,
      id,
      id,
      instance,
    )
  },
  forgetRemoved: async (): Promise<void> => {
    await store.run(
      `DELETE FROM leases WHERE expires < ${clock} - ${orphanMs} AND uid NOT IN (SELECT uid FROM streams)`,
    )
  },
  /** Becomes or stays the leader for `leaseMs`; false if another node leads. */
  lead: async (): Promise<boolean> => {
    const rows = await store.all(
      z.object({ node: z.string() }),
      `INSERT INTO leadership (id, node, expires) SELECT 1, ?, ${clock} + ${leaseMs} WHERE ${isCurrentInstance}
       ON CONFLICT (id) DO UPDATE SET node = excluded.node, expires = excluded.expires
       WHERE leadership.node = excluded.node OR leadership.expires <= excluded.expires - ${leaseMs}
       RETURNING node`,
      id,
      id,
      instance,
    )
    return rows.length > 0
  },
  resign: async (): Promise<void> => {
    const sql = `UPDATE leadership SET expires = ${clock} WHERE node = ? AND ${isCurrentInstance}`
    await store.run(sql, id, id, instance)
  },
})
