import * as z from 'zod/mini'
import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import { instant } from '../../../src/api/contract/wire.ts'
import { newId } from '../../access/secrets.ts'
import { ApiError, quotaReached } from '../../http/api-error.ts'
import { query, type Store } from '../../store/store.ts'
import { minMoment } from '../index/recordings.ts'
import { outsideOf } from '../index/removing.ts'

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

const UidRow = z.object({ uid: z.string() })

const maxPerStream = 500
const columns = 'id, start, finish, reason, expires, login, created'

export type Locks = {
  /** Locks in force, ordered by start. */
  of: (uid: string) => Promise<Lock[]>
  /** Ranges in which no recording of the stream, or of its substream, may be deleted; they may overlap. */
  rangesOf: (uid: string) => Promise<TimeRange[]>
  /** The streams that have locks, also removed ones. */
  uids: () => Promise<string[]>
  add: (uid: string, lock: Omit<Lock, 'id' | 'created'>) => Promise<Lock>
  /** False if there is no such lock. */
  remove: (uid: string, id: string) => Promise<boolean>
}

/**
 * Ranges of the archive that retention and quotas don't delete. They stay when the stream is deleted. While there are
 * any, a call that deletes the recordings needs `unlock=true` (docs/wire.md §6).
 */
export const createLocks = (store: Store, now: () => number): Locks => {
  const inForce = query(
    store,
    LockRow,
    `SELECT ${columns} FROM archive_locks WHERE uid = ? AND (expires IS NULL OR expires > ?)
     ORDER BY start, id LIMIT ${maxPerStream}`,
  )
  const locksOf = (uid: string) => inForce.all(uid, now())
  return {
    of: locksOf,
    rangesOf: async (uid) => (await locksOf(uid)).map(({ start, finish }) => ({ from: start, to: finish })),
    uids: async () => (await store.all(UidRow, 'SELECT DISTINCT uid FROM archive_locks')).map(({ uid }) => uid),
    add: (uid, { start, finish, reason, expires, login }) =>
      store.transaction(async () => {
        await store.run('DELETE FROM archive_locks WHERE uid = ? AND expires <= ?', uid, now())
        if ((await locksOf(uid)).length >= maxPerStream) throw quotaReached()
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

/** Throws 409 while a range of a stream is locked. */
export const requireUnlocked = async ({ locks }: { locks: Locks }, uid: string): Promise<void> => {
  const inForce = await locks.of(uid)
  if (inForce.length === 0) return
  const answers = inForce.map(({ reason, start, finish }) => ({
    reason,
    startTime: z.encode(instant, start),
    endTime: z.encode(instant, finish),
  }))
  throw new ApiError(409, 'ActionNotAcceptable', {
    message: 'The stream has locked recordings',
    details: { locks: answers },
  })
}

/**
 * The oldest chunks outside all locks. `oldestFrom` reads at most `limit` that start at a moment or later. A lock is
 * skipped as a whole, so that one of a year takes no longer than one of a minute.
 */
export const unlockedOldest = async <Each extends { start: number; finish: number }>(
  locks: readonly TimeRange[],
  limit: number,
  oldestFrom: (from: number) => Promise<readonly Each[]>,
): Promise<Each[]> => {
  let from = minMoment
  for (;;) {
    const some = await oldestFrom(from)
    const unlocked = outsideOf(locks, some)
    const last = some.at(-1)
    if (unlocked.length > 0 || last === undefined || some.length < limit) return unlocked
    const covering = locks.filter((lock) => lock.from < last.finish && lock.to > last.start)
    from = Math.max(last.start + 1, ...covering.map(({ to }) => to))
  }
}
