import * as z from 'zod/mini'
import { hashSecret } from '../access/secrets.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { ServerContext } from '../context.ts'
import { createThrottle, refilled, secondsUntilNext, type Bucket } from './throttle.ts'

/** A throttle that the nodes of a cluster share; one server alone has it in memory. */
type SharedThrottle = {
  /** Takes an attempt; resolves to undefined, or the seconds until the next one. */
  take: (key: string) => Promise<number | undefined>
  /** Gives back an attempt that turned out to be legitimate. */
  giveBack: (key: string) => Promise<void>
}

const BucketRow = z.object({ attempts: z.number(), countedAt: z.number() })

export type ThrottleNeeds = Pick<ServerContext, 'store' | 'now'> & { cluster: Pick<Cluster, 'isShared'> }
type Rate = { name: string; capacity: number; refillMs: number }

export const createSharedThrottle = ({ store, cluster, now }: ThrottleNeeds, rate: Rate): SharedThrottle => {
  const { name, capacity, refillMs } = rate
  if (!cluster.isShared) {
    const own = createThrottle(capacity, refillMs, now)
    return { take: async (key) => own.take(key), giveBack: async (key) => own.giveBack(key) }
  }
  // Hashed, as users type passwords into the field of the login by mistake.
  const idOf = (key: string): Buffer => hashSecret(`${name} ${key}`)

  const save = async (id: Buffer, { left, at }: Bucket): Promise<void> => {
    await store.run(
      `INSERT INTO throttles (id, attempts, counted_at, expires) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET attempts = excluded.attempts, counted_at = excluded.counted_at,
         expires = excluded.expires`,
      id,
      left,
      at,
      at + (capacity - left) * refillMs,
    )
  }
  const current = async (id: Buffer): Promise<Bucket> => {
    await store.run('DELETE FROM throttles WHERE expires <= ?', now())
    const sql = 'SELECT attempts, counted_at AS countedAt FROM throttles WHERE id = ?'
    const row = await store.get(BucketRow, sql, id)
    const bucket = refilled(row && { left: row.attempts, at: row.countedAt }, rate, now())
    if (row !== undefined && row.countedAt > bucket.at) await save(id, bucket)
    return bucket
  }

  return {
    take: (key) =>
      store.transaction(async () => {
        const id = idOf(key)
        const bucket = await current(id)
        if (bucket.left === 0) return secondsUntilNext(bucket, rate, now())
        await save(id, { ...bucket, left: bucket.left - 1 })
        return undefined
      }),
    giveBack: (key) =>
      store.transaction(async () => {
        const id = idOf(key)
        const bucket = await current(id)
        await save(id, { ...bucket, left: Math.min(capacity, bucket.left + 1) })
      }),
  }
}
