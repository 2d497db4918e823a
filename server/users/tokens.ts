import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { hashSecret, newId, newSecret } from '../access/secrets.ts'
import { quotaReached } from '../http/api-error.ts'
import { query } from '../store/database.ts'

const TokenRow = z.object({ id: z.string(), login: z.string(), name: z.string(), expireTime: z.nullable(z.number()) })
type TokenRow = z.output<typeof TokenRow>

export type Tokens = {
  create: (login: string, name: string, expireTime: number | null) => TokenRow & { token: string }
  find: (secret: string) => TokenRow | undefined
  loginOf: (id: string) => string | undefined
  list: (login: string) => TokenRow[]
  remove: (login: string, id: string) => boolean
  removeAll: (login: string) => void
}

const perUser = 100
const columns = 'id, login, name, expires_at AS expireTime'

export const createTokens = (db: DatabaseSync, now: () => number): Tokens => {
  const bySecret = query(db, TokenRow, `SELECT ${columns} FROM api_tokens WHERE token_hash = ?`)
  const byId = query(db, TokenRow, `SELECT ${columns} FROM api_tokens WHERE id = ?`)
  const isLiving = ({ expireTime }: TokenRow) => expireTime === null || expireTime > now()
  const byLogin = query(db, TokenRow, `SELECT ${columns} FROM api_tokens WHERE login = ? ORDER BY created_at DESC, id`)

  return {
    create: (login, name, expireTime) => {
      if (byLogin.all(login).length >= perUser) throw quotaReached()
      const id = newId()
      const token = `sl_${newSecret()}`
      db.prepare(
        'INSERT INTO api_tokens (id, token_hash, login, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
      ).run(id, hashSecret(token), login, name, now(), expireTime)
      return { id, login, name, expireTime, token }
    },
    find: (secret) => {
      const token = bySecret.get(hashSecret(secret))
      return token !== undefined && isLiving(token) ? token : undefined
    },
    loginOf: (id) => {
      const token = byId.get(id)
      return token !== undefined && isLiving(token) ? token.login : undefined
    },
    list: (login) => byLogin.all(login),
    remove: (login, id) => db.prepare('DELETE FROM api_tokens WHERE login = ? AND id = ?').run(login, id).changes > 0,
    removeAll: (login) => {
      db.prepare('DELETE FROM api_tokens WHERE login = ?').run(login)
    },
  }
}
