import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { dayMs } from '../durations.ts'
import { cachedLists, cachedQuery } from '../store/cached-query.ts'
import { keyName, writeKeyFile } from '../store/secure-folder.ts'
import { allOf, bit, type Store } from '../store/store.ts'
import { UsageError } from '../usage-error.ts'
import { hashSecret } from './secrets.ts'

/** The range of the archive that a share is limited to (feature `share-range`). `hasLive`: live is shared, too. */
export type SharedRange = { from: number; to: number; hasLive: boolean }

export type ShareOptions = {
  /** Epoch milliseconds; null: no expiry. */
  expireTime: number | null
  /** Empty: no password. */
  passwordHash: string
  /** Null: live alone. */
  range: SharedRange | null
}

/** Public access to single streams (docs/wire.md §5.2, share). An expired share counts as withdrawn. */
export type Shares = {
  /** Opens public access and returns its token; for an open share, the token it has. */
  open: (uid: string) => Promise<string>
  close: (uid: string) => Promise<void>
  isOpen: (uid: string) => Promise<boolean>
  /** Those of the given streams that have an open share. */
  openOf: (uids: readonly string[]) => Promise<Map<string, Pick<ShareOptions, 'range'>>>
  /** The stream of a token. `needsPassword`: the share has a password, which the token doesn't prove. */
  find: (
    token: string,
  ) => Promise<{ uid: string; needsPassword: boolean; passwordId: string; range?: SharedRange } | undefined>
  /** Undefined unless the stream has an open share. */
  optionsOf: (uid: string) => Promise<ShareOptions | undefined>
  change: (uid: string, options: ShareOptions) => Promise<void>
  /**
   * The token with a proof that its password was given, valid for a day or until the password changes; undefined if no
   * open share has the token, or if its password is another one by now than that of `passwordHash`.
   */
  provePassword: (token: string, passwordHash: string) => Promise<string | undefined>
}

const serverKeyBytes = 32

/** Reads the server's key, which is made on first use. Throws `UsageError` if the file is cut off. */
export const readServerKey = (dataDir: string): Buffer => {
  const file = join(dataDir, keyName)
  if (!existsSync(file)) writeKeyFile(file, randomBytes(serverKeyBytes))
  const key = readFileSync(file)
  // With an empty key anybody could forge what the server seals by it, such as cookies.
  if (key.length < serverKeyBytes) throw new UsageError(`${file} is cut off: restore it from a backup`)
  return key
}

const ShareRow = z.object({
  uid: z.string(),
  nonce: z.instanceof(Uint8Array),
  expireTime: z.nullable(z.number()),
  passwordHash: z.string(),
  rangeStart: z.nullable(z.number()),
  rangeEnd: z.nullable(z.number()),
  hasLive: bit,
})
type ShareRow = z.output<typeof ShareRow>

const columns = `uid, nonce, expires_at AS expireTime, password_hash AS passwordHash, range_start AS rangeStart,
  range_end AS rangeEnd, has_live AS hasLive`

const rangeOf = ({ rangeStart: from, rangeEnd: to, hasLive }: ShareRow): SharedRange | null =>
  from === null || to === null ? null : { from, to, hasLive }

/** Differs from password to password; empty: none. */
export const passwordIdOf = ({ passwordHash }: Pick<ShareOptions, 'passwordHash'>): string =>
  passwordHash === '' ? '' : hashSecret(passwordHash).toString('base64url')

/**
 * The token is derived from the server's key and a stored nonce, so it can be shown again; the table has only its hash.
 * A token that proves a password is `token.expiry.signature`; a new password makes the signature invalid.
 */
export const createShares = (store: Store, serverKey: Buffer, now: () => number): Shares => {
  const rowByUid = cachedQuery(store, ShareRow, `SELECT ${columns} FROM stream_shares WHERE uid = ?`)
  const rowByHash = cachedQuery(store, ShareRow, `SELECT ${columns} FROM stream_shares WHERE token_hash = ?`)
  const lists = cachedLists(
    store,
    ShareRow,
    (placeholders) => `SELECT ${columns} FROM stream_shares WHERE uid IN (${placeholders})`,
  )
  const isExpired = ({ expireTime }: ShareRow): boolean => expireTime !== null && expireTime <= now()
  const unlessExpired = (row: ShareRow | undefined) => (row === undefined || isExpired(row) ? undefined : row)
  const byUid = async (uid: string) => unlessExpired(await rowByUid.get(uid))
  const byToken = async (token: string) => unlessExpired(await rowByHash.get(hashSecret(token)))
  const tokenOf = (nonce: Uint8Array): string =>
    createHmac('sha256', serverKey).update('share').update(nonce).digest('base64url')
  const signatureOf = ({ nonce, passwordHash }: ShareRow, expiry: string): Buffer =>
    createHmac('sha256', serverKey)
      .update(['share unlocked', Buffer.from(nonce).toString('hex'), passwordHash, expiry].join('\0'))
      .digest()

  const isProven = (row: ShareRow, expiry: string, signature: string): boolean => {
    const given = Buffer.from(signature, 'base64url')
    const expected = signatureOf(row, expiry)
    return given.length === expected.length && timingSafeEqual(given, expected) && Number(expiry) > now()
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
      const rows = await allOf(uids, (some, placeholders) => lists.all(placeholders, ...some))
      return new Map(rows.filter((row) => !isExpired(row)).map((row) => [row.uid, { range: rangeOf(row) }]))
    },
    find: async (given) => {
      const [token = '', expiry = '', signature = ''] = given.split('.')
      const row = await byToken(token)
      if (row === undefined) return undefined
      const needsPassword = row.passwordHash !== '' && !isProven(row, expiry, signature)
      const range = rangeOf(row)
      return {
        uid: row.uid,
        needsPassword,
        passwordId: passwordIdOf(row),
        ...(range === null ? {} : { range }),
      }
    },
    optionsOf: async (uid) => {
      const row = await byUid(uid)
      return row && { expireTime: row.expireTime, passwordHash: row.passwordHash, range: rangeOf(row) }
    },
    change: async (uid, { expireTime, passwordHash, range }) => {
      await store.run(
        `UPDATE stream_shares SET expires_at = ?, password_hash = ?, range_start = ?, range_end = ?, has_live = ?
         WHERE uid = ?`,
        expireTime,
        passwordHash,
        range?.from ?? null,
        range?.to ?? null,
        Number(range?.hasLive ?? true),
        uid,
      )
    },
    provePassword: async (given, passwordHash) => {
      const [token = ''] = given.split('.')
      const row = await byToken(token)
      if (row === undefined || row.passwordHash !== passwordHash) return undefined
      const expiry = String(now() + dayMs)
      return [token, expiry, signatureOf(row, expiry).toString('base64url')].join('.')
    },
  }
}
