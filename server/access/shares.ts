import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { dayMs } from '../durations.ts'
import { cachedQuery } from '../store/cached-query.ts'
import { keyName } from '../store/secure-folder.ts'
import { allOf, query, type Store } from '../store/store.ts'
import { hashSecret } from './secrets.ts'

export type ShareOptions = {
  /** Epoch milliseconds; null: until it is withdrawn. */
  expireTime: number | null
  /** '' without one. */
  passwordHash: string
}

/** Public access to single streams (docs/wire.md §5.2, share). An expired one is treated as withdrawn. */
export type Shares = {
  /** Opens public access and returns its token; the same token while it is open. */
  open: (uid: string) => Promise<string>
  close: (uid: string) => Promise<void>
  isOpen: (uid: string) => Promise<boolean>
  /** The given streams that have an open share. */
  openOf: (uids: readonly string[]) => Promise<Set<string>>
  /** `isLocked`: its password is asked for first. */
  find: (token: string) => Promise<{ uid: string; isLocked: boolean } | undefined>
  /** Of an open share. */
  optionsOf: (uid: string) => Promise<ShareOptions | undefined>
  change: (uid: string, options: ShareOptions) => Promise<void>
  /** A token that needs no password for a day, or until it changes; undefined without such a share. */
  unlock: (token: string) => Promise<string | undefined>
}

export const readServerKey = (dataDir: string): Buffer => {
  const file = join(dataDir, keyName)
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600, flag: 'wx' })
  return readFileSync(file)
}

const ShareRow = z.object({
  uid: z.string(),
  nonce: z.instanceof(Uint8Array),
  expireTime: z.nullable(z.number()),
  passwordHash: z.string(),
})
type ShareRow = z.output<typeof ShareRow>

const columns = 'uid, nonce, expires_at AS expireTime, password_hash AS passwordHash'

/**
 * The token is derived from the server's key and a stored nonce, so it can be shown again; the table has only its hash.
 * Giving the password answers the same token with an end, both signed; another password voids it.
 */
export const createShares = (store: Store, serverKey: Buffer, now: () => number): Shares => {
  const rowByUid = query(store, ShareRow, `SELECT ${columns} FROM stream_shares WHERE uid = ?`)
  const rowByHash = cachedQuery(store, ShareRow, `SELECT ${columns} FROM stream_shares WHERE token_hash = ?`)
  const isExpired = ({ expireTime }: ShareRow): boolean => expireTime !== null && expireTime <= now()
  const opened = (row: ShareRow | undefined) => (row === undefined || isExpired(row) ? undefined : row)
  const byUid = async (uid: string) => opened(await rowByUid.get(uid))
  const byToken = async (token: string) => opened(await rowByHash.get(hashSecret(token)))
  const tokenOf = (nonce: Uint8Array): string =>
    createHmac('sha256', serverKey).update('share').update(nonce).digest('base64url')
  const signatureOf = ({ nonce, passwordHash }: ShareRow, until: string): Buffer =>
    createHmac('sha256', serverKey)
      .update(['share unlocked', Buffer.from(nonce).toString('hex'), passwordHash, until].join('\0'))
      .digest()

  const isUnlocked = (row: ShareRow, until: string, signature: string): boolean => {
    const given = Buffer.from(signature, 'base64url')
    const expected = signatureOf(row, until)
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(until) > now()
  }

  return {
    open: (uid) =>
      store.transaction(async () => {
        const open = await byUid(uid)
        if (open !== undefined) return tokenOf(open.nonce)
        await store.run('DELETE FROM stream_shares WHERE uid = ?', uid)
        const nonce = randomBytes(32)
        const token = tokenOf(nonce)
        const sql = 'INSERT INTO stream_shares (uid, nonce, token_hash) VALUES (?, ?, ?)'
        await store.run(sql, uid, nonce, hashSecret(token))
        return token
      }),
    close: async (uid) => {
      await store.run('DELETE FROM stream_shares WHERE uid = ?', uid)
    },
    isOpen: async (uid) => (await byUid(uid)) !== undefined,
    openOf: async (uids) => {
      const rows = await allOf(uids, (some, placeholders) =>
        store.all(ShareRow, `SELECT ${columns} FROM stream_shares WHERE uid IN (${placeholders})`, ...some),
      )
      return new Set(rows.filter((row) => !isExpired(row)).map(({ uid }) => uid))
    },
    find: async (given) => {
      const [token = '', until = '', signature = ''] = given.split('.')
      const row = await byToken(token)
      if (row === undefined) return undefined
      return { uid: row.uid, isLocked: row.passwordHash !== '' && !isUnlocked(row, until, signature) }
    },
    optionsOf: byUid,
    change: async (uid, { expireTime, passwordHash }) => {
      const sql = 'UPDATE stream_shares SET expires_at = ?, password_hash = ? WHERE uid = ?'
      await store.run(sql, expireTime, passwordHash, uid)
    },
    unlock: async (given) => {
      const [token = ''] = given.split('.')
      const row = await byToken(token)
      if (row === undefined) return undefined
      const until = String(now() + dayMs)
      return [token, until, signatureOf(row, until).toString('base64url')].join('.')
    },
  }
}
