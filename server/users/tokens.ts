import * as z from 'zod/mini'
import { hashSecret, newId, newSecret } from '../access/secrets.ts'
import { quotaReached } from '../http/api-error.ts'
import { cachedQuery } from '../store/cached-query.ts'
import { query, type Store } from '../store/store.ts'

const TokenRow = z.object({ id: z.string(), login: z.string(), name: z.string(), expireTime: z.nullable(z.number()) })
type TokenRow = z.output<typeof TokenRow>

export type Tokens = {
  create: (login: string, name: string, expireTime: number | null) => Promise<TokenRow & { token: string }>
  find: (secret: string) => Promise<TokenRow | undefined>
  loginOf: (id: string) => Promise<string | undefined>
  list: (login: string) => Promise<TokenRow[]>
  remove: (login: string, id: string) => Promise<boolean>
  removeAll: (login: string) => Promise<void>
}

const maxPerUser = 100
const columns = 'id, login, name, expires_at AS expireTime'

export const createTokens = (store: Store, now: () => number): Tokens => {
  const bySecret = cachedQuery(store, TokenRow, `SELECT ${columns} FROM api_tokens WHERE token_hash = ?`)
  const byId = cachedQuery(store, TokenRow, `SELECT ${columns} FROM api_tokens WHERE id = ?`)
  const isValid = ({ expireTime }: TokenRow) => expireTime === null || expireTime > now()
  const byLogin = query(
    store,
    TokenRow,
    `SELECT ${columns} FROM api_tokens WHERE login = ? ORDER BY created_at DESC, id`,
  )

  return {
    create: (login, name, expireTime) =>
      store.transaction(async () => {
        if ((await byLogin.all(login)).length >= maxPerUser) throw quotaReached()
        const id = newId()
        const token = `sl_${newSecret()}`
        await store.run(
          'INSERT INTO api_tokens (id, token_hash, login, name, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          id,
          hashSecret(token),
          login,
          name,
          now(),
          expireTime,
        )
        return { id, login, name, expireTime, token }
      }),
    find: async (secret) => {
      const token = await bySecret.get(hashSecret(secret))
      return token !== undefined && isValid(token) ? token : undefined
    },
    loginOf: async (id) => {
      const token = await byId.get(id)
      return token !== undefined && isValid(token) ? token.login : undefined
    },
    list: byLogin.all,
    remove: async (login, id) =>
      (await store.run('DELETE FROM api_tokens WHERE login = ? AND id = ?', login, id)).changes > 0,
    removeAll: async (login) => {
      await store.run('DELETE FROM api_tokens WHERE login = ?', login)
    },
  }
}
