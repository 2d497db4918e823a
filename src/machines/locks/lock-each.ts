import type { ApiError, Reply } from '../../api/reply.ts'

/** By uid of each camera that was tried: why its recording isn't locked; null: it is. */
export type LockOutcomes = Readonly<Record<string, ApiError | null>>

/**
 * Locks the recordings of cameras one after another, the rest also after one is refused. A ValidationError before any
 * is locked is about the form, whose values are the same for all of them, and ends it.
 */
export async function lockEach(
  uids: readonly string[],
  lock: (uid: string) => Promise<Reply<object>>,
): Promise<Reply<LockOutcomes>> {
  const outcomes = new Map<string, ApiError | null>()
  let isAnyLocked = false
  for (const uid of uids) {
    const reply = await lock(uid)
    if (reply.ok) isAnyLocked = true
    else if (!isAnyLocked && reply.apiError.code === 'ValidationError') return reply
    outcomes.set(uid, reply.ok ? null : reply.apiError)
  }
  return { ok: true, value: Object.fromEntries(outcomes), retryAfterSeconds: null }
}

export const lockedIn = (outcomes: LockOutcomes): string[] =>
  Object.keys(outcomes).filter((uid) => outcomes[uid] === null)

export const refusedIn = (outcomes: LockOutcomes): string[] =>
  Object.keys(outcomes).filter((uid) => outcomes[uid] !== null)
