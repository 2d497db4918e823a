import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { hashSecret, newId, newSecret } from '../access/secrets.ts'
import { inTransaction, query, ignoreDiskError } from '../store/database.ts'
import { dayMs } from '../durations.ts'

/** A session ends 14 days after its last call, or 90 days after sign-in. */
const idleMs = 14 * dayMs
export const lifetimeMs = 90 * dayMs
/** Calls in progress at a renewal still have the old cookie. */
const oldCookieMs = 10_000
/** The password counts as proven for this long. */
const provenMs = 3_600_000
const seenEveryMs = 10_000
const perUser = 100

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
  open: (login: string, from: { userAgent: string; ip: string }) => { id: string; secret: string }
  /** Replaces the secret after a password check; the old one works for some seconds. */
  renew: (id: string) => string
  isProven: (id: string) => boolean
  find: (secret: string, ip: string) => SessionRow | undefined
  loginOf: (id: string) => string | undefined
  list: (login: string) => SessionRow[]
  end: (login: string, id: string) => boolean
  endAll: (login: string, but?: string) => void
}

const columns =
  'id, login, created_at AS createdAt, seen_at AS seenAt, user_agent AS userAgent, ip, proved_at AS provedAt'

export const createSessions = (db: DatabaseSync, now: () => number): Sessions => {
  const bySecret = query(db, SessionRow, `SELECT ${columns} FROM sessions WHERE token_hash = ?`)
  const byLogin = query(
    db,
    SessionRow,
    `SELECT ${columns} FROM sessions WHERE login = ? ORDER BY seen_at DESC, created_at DESC`,
  )
  const byOldSecret = query(db, SessionRow, `SELECT ${columns} FROM sessions WHERE old_hash = ? AND old_until > ?`)
  const byId = query(db, SessionRow, `SELECT ${columns} FROM sessions WHERE id = ?`)
  const isLiving = ({ createdAt, seenAt }: SessionRow) => now() - seenAt < idleMs && now() - createdAt < lifetimeMs

  const end: Sessions['end'] = (login, id) =>
    db.prepare('DELETE FROM sessions WHERE login = ? AND id = ?').run(login, id).changes > 0

  return {
    end,
    open: (login, { userAgent, ip }) =>
      inTransaction(db, () => {
        const id = newId()
        const secret = newSecret()
        db.prepare('DELETE FROM sessions WHERE seen_at < ? OR created_at < ?').run(now() - idleMs, now() - lifetimeMs)
        for (const { id: oldest } of byLogin.all(login).slice(perUser - 1)) end(login, oldest)
        db.prepare(
          `INSERT INTO sessions (id, token_hash, login, created_at, seen_at, user_agent, ip, proved_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(id, hashSecret(secret), login, now(), now(), userAgent.slice(0, 400), ip, now())
        return { id, secret }
      }),
    renew: (id) => {
      const secret = newSecret()
      db.prepare(
        'UPDATE sessions SET old_hash = token_hash, old_until = ?, token_hash = ?, proved_at = ? WHERE id = ?',
      ).run(now() + oldCookieMs, hashSecret(secret), now(), id)
      return secret
    },
    isProven: (id) => now() - (byId.get(id)?.provedAt ?? -Infinity) < provenMs,
    find: (secret, ip) => {
      const hash = hashSecret(secret)
      const session = bySecret.get(hash) ?? byOldSecret.get(hash, now())
      if (session === undefined || !isLiving(session)) return undefined
      if (now() - session.seenAt >= seenEveryMs || session.ip !== ip) {
        ignoreDiskError(() =>
          db.prepare('UPDATE sessions SET seen_at = ?, ip = ? WHERE id = ?').run(now(), ip, session.id),
        )
      }
      return session
    },
    loginOf: (id) => {
      const session = byId.get(id)
      return session !== undefined && isLiving(session) ? session.login : undefined
    },
    list: (login) => byLogin.all(login).filter(isLiving),
    endAll: (login, but = '') => {
      db.prepare('DELETE FROM sessions WHERE login = ? AND id <> ?').run(login, but)
    },
  }
}
