import * as z from 'zod/mini'
import type { TimeRange } from '../../src/api/contract/time-range.ts'
import { instant } from '../../src/api/contract/wire.ts'
import { newId } from '../access/secrets.ts'
import { ApiError, quotaReached } from '../http/api-error.ts'
import { query, type Store } from '../store/store.ts'
import { firstRow } from './recordings.ts'

const LockRow = z.object({
  id: z.string(),
  start: z.number(),
  finish: z.number(),
  reason: z.string(),
  expires: z.nullable(z.number()),
  login: z.string(),
  created: z.number(),
})
type Lock = z.output<typeof LockRow>

const perStream = 500
const columns = 'id, start, finish, reason, expires, login, created'

export type Locks = {
  /** Locks in force, ordered by start. */
  of: (uid: string) => Promise<Lock[]>
  /** Ranges of a stream and its substream that must not be deleted; they may overlap. */
  within: (uid: string) => Promise<TimeRange[]>
  add: (uid: string, lock: Omit<Lock, 'id' | 'created'>) => Promise<Lock>
  /** False if there is no such lock. */
  remove: (uid: string, id: string) => Promise<boolean>
}

/** Ranges of the archive that retention, quotas and purges don't delete. */
export const createLocks = (store: Store, now: () => number): Locks => {
  const inForce = query(
    store,
    LockRow,
    `SELECT ${columns} FROM archive_locks WHERE uid = ? AND (expires IS NULL OR expires > ?)
     ORDER BY start, id LIMIT ${perStream}`,
  )
  const locksOf = (uid: string) => inForce.all(uid, now())
  return {
    of: locksOf,
    within: async (uid) => (await locksOf(uid)).map(({ start, finish }) => ({ from: start, to: finish })),
    add: (uid, { start, finish, reason, expires, login }) =>
      store.transaction(async () => {
        await store.run('DELETE FROM archive_locks WHERE uid = ? AND expires <= ?', uid, now())
        if ((await locksOf(uid)).length >= perStream) throw quotaReached()
        const added = { id: newId(), start, finish, reason, expires, login, created: now() }
        await store.run(
          `INSERT INTO archive_locks (${columns}, uid) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          added.id,
          start,
          finish,
          reason,
          expires,
          login,
          added.created,
          uid,
        )
        return added
      }),
    remove: async (uid, id) =>
      (await store.run('DELETE FROM archive_locks WHERE uid = ? AND id = ?', uid, id)).changes > 0,
  }
}

/** Throws 409 while something of a stream is locked. */
export const requireUnlocked = async ({ locks }: { locks: Locks }, uid: string): Promise<void> => {
  const held = await locks.of(uid)
  if (held.length === 0) return
  const named = held.map(({ reason, start, finish }) => ({
    reason,
    startTime: z.encode(instant, start),
    endTime: z.encode(instant, finish),
  }))
  throw new ApiError(409, 'ActionNotAcceptable', { message: 'Recordings of it are locked', details: { locks: named } })
}

type Piece = { start: number; finish: number }

/**
 * The oldest items outside all locks, from a list that `ask` reads in order from a moment on. Skips each lock as a
 * whole, so that a year costs no more than a minute.
 */
export const unlockedOldest = async <Each extends Piece>(
  locks: readonly TimeRange[],
  limit: number,
  ask: (from: number) => Promise<readonly Each[]>,
): Promise<Each[]> => {
  let from = firstRow
  for (;;) {
    const some = await ask(from)
    const free = some.filter(({ start, finish }) => !locks.some((lock) => lock.from < finish && lock.to > start))
    const last = some.at(-1)
    if (free.length > 0 || last === undefined || some.length < limit) return free
    const holding = locks.filter((lock) => lock.from < last.finish && lock.to > last.start)
    from = Math.max(last.start + 1, ...holding.map(({ to }) => to))
  }
}
