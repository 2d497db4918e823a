import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { cachedQuery } from '../store/cached-query.ts'
import { keyName } from '../store/secure-folder.ts'
import { allOf, query, type Store } from '../store/store.ts'
import { hashSecret } from './secrets.ts'

/** Public access to single streams (docs/wire.md §5.2, share). */
export type Shares = {
  /** Opens public access and returns its token; the same token while it is open. */
  open: (uid: string) => Promise<string>
  close: (uid: string) => Promise<void>
  isOpen: (uid: string) => Promise<boolean>
  /** The given streams that have an open share. */
  openOf: (uids: readonly string[]) => Promise<Set<string>>
  find: (token: string) => Promise<string | undefined>
}

export const readServerKey = (dataDir: string): Buffer => {
  const file = join(dataDir, keyName)
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600, flag: 'wx' })
  return readFileSync(file)
}

const ShareRow = z.object({ nonce: z.instanceof(Uint8Array) })
const UidRow = z.object({ uid: z.string() })

/**
 * The token is derived from the server's key and a stored nonce, so it can be shown again; the table has only its hash.
 */
export const createShares = (store: Store, serverKey: Buffer): Shares => {
  const byUid = query(store, ShareRow, 'SELECT nonce FROM stream_shares WHERE uid = ?')
  const byHash = cachedQuery(store, UidRow, 'SELECT uid FROM stream_shares WHERE token_hash = ?')
  const tokenOf = (nonce: Uint8Array): string =>
    createHmac('sha256', serverKey).update('share').update(nonce).digest('base64url')

  return {
    open: (uid) =>
      store.transaction(async () => {
        const open = await byUid.get(uid)
        if (open !== undefined) return tokenOf(open.nonce)
        const nonce = randomBytes(32)
        const token = tokenOf(nonce)
        const sql = 'INSERT INTO stream_shares (uid, nonce, token_hash) VALUES (?, ?, ?)'
        await store.run(sql, uid, nonce, hashSecret(token))
        return token
      }),
    close: async (uid) => {
      await store.run('DELETE FROM stream_shares WHERE uid = ?', uid)
    },
    isOpen: async (uid) => (await byUid.get(uid)) !== undefined,
    openOf: async (uids) => {
      const rows = await allOf(uids, (some, places) =>
        store.all(UidRow, `SELECT uid FROM stream_shares WHERE uid IN (${places})`, ...some),
      )
      return new Set(rows.map(({ uid }) => uid))
    },
    find: async (token) => (await byHash.get(hashSecret(token)))?.uid,
  }
}
