import * as z from 'zod/mini'
import { hashSecret, newId, newSecret } from '../access/secrets.ts'
import type { BackgroundWrites } from '../store/background-writes.ts'
import { cachedQuery } from '../store/cached-query.ts'
import { query, type Store } from '../store/store.ts'
import { dayMs, hourMs } from '../durations.ts'

/** A session ends 14 days after its last call, or 90 days after sign-in. */
const idleMs = 14 * dayMs
export const lifetimeMs = 90 * dayMs
/** How long the old secret works after a renewal: calls in progress still have it. */
const oldCookieMs = 10_000
/** How long a sign-in counts, or a change of the password or the second factor. */
const provenMs = hourMs
/** The time of the last call is written at most this often. */
const seenEveryMs = 10_000
const maxPerUser = 100

const SessionRow = z.object({
  id: z.string(),
  login: z.string(),
  createdAt: z.number(),
  seenAt: z.number(),
  userAgent: z.string(),
  ip: z.string(),
  provedAt: z.number(),
})
export type SessionRow = z.output<typeof SessionRow>

export type Sessions = {
  open: (login: string, from: { userAgent: string; ip: string }) => Promise<{ id: string; secret: string }>
  /** Replaces the secret after a password check. The old one works for ten more seconds. */
  renew: (id: string) => Promise<string>
  /** Whether the user signed in, or changed the password or the second factor, within the last hour. */
  isProven: (id: string) => Promise<boolean>
  find: (secret: string, ip: string) => Promise<SessionRow | undefined>
  loginOf: (id: string) => Promise<string | undefined>
  list: (login: string) => Promise<SessionRow[]>
  end: (login: string, id: string) => Promise<boolean>
  endAll: (login: string, exceptId?: string) => Promise<void>
}

const columns =
  'id, login, created_at AS createdAt, seen_at AS seenAt, user_agent AS userAgent, ip, proved_at AS provedAt'

export const createSessions = (store: Store, backgroundWrites: BackgroundWrites, now: () => number): Sessions => {
  const bySecret = cachedQuery(store, SessionRow, `SELECT ${columns} FROM sessions WHERE token_hash = ?`)
  const byLogin = query(
    store,
    SessionRow,
    `SELECT ${columns} FROM sessions WHERE login = ? ORDER BY seen_at DESC, created_at DESC`,
  )
  const byOldSecret = query(store, SessionRow, `SELECT ${columns} FROM sessions WHERE old_hash = ? AND old_until > ?`)
  const byId = cachedQuery(store, SessionRow, `SELECT ${columns} FROM sessions WHERE id = ?`)
  const over = 'FROM sessions WHERE seen_at < ? OR created_at < ?'
  const oneOver = query(store, z.object({ id: z.string() }), `SELECT id ${over} LIMIT 1`)
  const isActive = ({ createdAt, seenAt }: SessionRow) => now() - seenAt < idleMs && now() - createdAt < lifetimeMs

  const end: Sessions['end'] = async (login, id) =>
    (await store.run('DELETE FROM sessions WHERE login = ? AND id = ?', login, id)).changes > 0

  return {
    end,
    open: (login, { userAgent, ip }) =>
      store.transaction(async () => {
        const id = newId()
        const secret = newSecret()
        const limits = [now() - idleMs, now() - lifetimeMs]
        // Each deletion makes all nodes ask again who is signed in.
        if ((await oneOver.get(...limits)) !== undefined) await store.run(`DELETE ${over}`, ...limits)
        for (const { id: oldest } of (await byLogin.all(login)).slice(maxPerUser - 1)) await end(login, oldest)
        await store.run(
          `INSERT INTO sessions (id, token_hash, login, created_at, seen_at, user_agent, ip, proved_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          id,
          hashSecret(secret),
          login,
          now(),
          now(),
          userAgent.slice(0, 400),
          ip,
          now(),
        )
        return { id, secret }
      }),
    renew: async (id) => {
      const secret = newSecret()
      await store.run(
        'UPDATE sessions SET old_hash = token_hash, old_until = ?, token_hash = ?, proved_at = ? WHERE id = ?',
        now() + oldCookieMs,
        hashSecret(secret),
        now(),
        id,
      )
      return secret
    },
    // A later time is one of before the clock was set back.
    isProven: async (id) => Math.abs(now() - ((await byId.get(id))?.provedAt ?? -Infinity)) < provenMs,
    find: async (secret, ip) => {
      const hash = hashSecret(secret)
      const session = (await bySecret.get(hash)) ?? (await byOldSecret.get(hash, now()))
      if (session === undefined || !isActive(session)) return undefined
      // While the database is away, one attempt at a time finds out whether it is back.
      const mayWrite = !store.isAway() || backgroundWrites.pending() === 0
      if (mayWrite && (now() - session.seenAt >= seenEveryMs || session.ip !== ip)) {
        backgroundWrites.add(() =>
          store.run('UPDATE sessions SET seen_at = ?, ip = ? WHERE id = ?', now(), ip, session.id),
        )
      }
      return session
    },
    loginOf: async (id) => {
      const session = await byId.get(id)
      return session !== undefined && isActive(session) ? session.login : undefined
    },
    list: async (login) => (await byLogin.all(login)).filter(isActive),
    endAll: async (login, exceptId = '') => {
      await store.run('DELETE FROM sessions WHERE login = ? AND id <> ?', login, exceptId)
    },
  }
}
