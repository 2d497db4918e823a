import * as z from 'zod/mini'
import { deriveKey, seal, unseal } from '../access/sealing.ts'
import { hourMs } from '../durations.ts'
import { query, type Store } from '../store/store.ts'

const purpose = 'oidc refresh token'
/** Users whose groups are read in one turn, apart from those that failed before. */
const maxDue = 20

const DueRow = z.object({
  id: z.string(),
  login: z.string(),
  issuer: z.string(),
  subject: z.string(),
  sealed: z.instanceof(Uint8Array),
})
/** A user whose groups can be read again by the refresh token. */
export type Due = { id: string; login: string; issuer: string; subject: string; refreshToken: string }

/**
 * When the groups of each user were last read from the provider. Their rights end `hours` later, so that a user who is
 * removed from a group at the provider loses the rights within that time; undefined: there is no provider, and rights
 * end when they would have with it.
 */
export const createGroupReadings = (
  store: Store,
  { serverKey, now, hours }: { serverKey: Buffer; now: () => number; hours: number | undefined },
) => {
  const key = deriveKey(serverKey, purpose)
  const lifetimeMs = hours === undefined ? undefined : hours * hourMs
  const inUse = `(EXISTS (SELECT 1 FROM sessions s WHERE s.login = u.login)
    OR EXISTS (SELECT 1 FROM api_tokens t WHERE t.login = u.login))`
  const dueRows = query(
    store,
    DueRow,
    `SELECT u.id AS id, u.login AS login, o.issuer AS issuer, o.subject AS subject, o.refresh_token AS sealed
     FROM oidc_users o JOIN users u ON u.id = o.user_id
     WHERE o.refresh_token IS NOT NULL AND o.read_at <= ? AND u.is_blocked = 0 AND ${inUse}
     ORDER BY o.read_at LIMIT ?`,
  )
  const ended = query(
    store,
    z.object({ count: z.number() }),
    'SELECT count(*) AS count FROM users WHERE rights_until > ? AND rights_until <= ?',
  )

  const tokenOf = ({ id, sealed }: z.output<typeof DueRow>): string | undefined => {
    try {
      return unseal(key, sealed, id).toString()
    } catch {
      // Sealed by another server.key.
      return undefined
    }
  }

  return {
    /** Stores that the groups were read now. Without a refresh token only a sign-in can read them again. */
    markRead: async (userId: string, refreshToken: string | undefined): Promise<void> => {
      const sealed = refreshToken === undefined ? null : seal(key, Buffer.from(refreshToken), userId)
      const sql = 'UPDATE oidc_users SET read_at = ?, refresh_token = ? WHERE user_id = ?'
      await store.run(sql, now(), sealed, userId)
      // 0: the rights don't end.
      const until = lifetimeMs === undefined ? 0 : now() + lifetimeMs
      await store.run('UPDATE users SET rights_until = ? WHERE id = ?', until, userId)
    },

    /** Applies `hours` to all users. For users of an older version the time counts from now. Within a transaction. */
    applyHours: async (): Promise<void> => {
      if (lifetimeMs === undefined) return
      await store.run('UPDATE oidc_users SET read_at = ? WHERE read_at = 0', now())
      await store.run(
        `UPDATE users SET rights_until = ? + (SELECT o.read_at FROM oidc_users o WHERE o.user_id = users.id)
         WHERE id IN (SELECT user_id FROM oidc_users)`,
        lifetimeMs,
      )
    },

    /**
     * The users to read again: half of `hours` after the last reading, so that a provider may be away for a while.
     * `failing`: how many failed in earlier turns; a turn has room for as many more, so that they keep nobody out.
     */
    due: async (failing = 0): Promise<Due[]> => {
      if (lifetimeMs === undefined) return []
      // Users without a session or token need no rights; their next sign-in reads the groups.
      await store.run(
        `UPDATE oidc_users SET refresh_token = NULL WHERE refresh_token IS NOT NULL
         AND user_id IN (SELECT u.id FROM users u WHERE NOT ${inUse})`,
      )
      const before = now() - lifetimeMs / 2
      const due: Due[] = []
      for (const row of await dueRows.all(before, maxDue + failing)) {
        const refreshToken = tokenOf(row)
        const { id, login, issuer, subject } = row
        if (refreshToken !== undefined) due.push({ id, login, issuer, subject, refreshToken })
        // A token that can't be unsealed would take up room in every turn.
        else
          await store.run('UPDATE oidc_users SET refresh_token = NULL WHERE user_id = ? AND read_at <= ?', id, before)
      }
      return due
    },

    /** Stores the token that replaces a used one, unless a sign-in has brought another one after `since`. */
    keepToken: async ({ id }: Due, refreshToken: string, since: number): Promise<void> => {
      const sealed = seal(key, Buffer.from(refreshToken), id)
      const sql = 'UPDATE oidc_users SET refresh_token = ? WHERE user_id = ? AND read_at < ?'
      await store.run(sql, sealed, id, since)
    },

    /** Deletes a user's refresh token, unless a sign-in has brought another one after `since`. */
    forgetToken: async ({ id }: Due, since: number): Promise<void> => {
      await store.run('UPDATE oidc_users SET refresh_token = NULL WHERE user_id = ? AND read_at < ?', id, since)
    },

    /** Whether the rights of anybody have ended after `from`, and no later than `to`. */
    hasEnded: async (from: number, to: number): Promise<boolean> => ((await ended.get(from, to))?.count ?? 0) > 0,
  }
}
