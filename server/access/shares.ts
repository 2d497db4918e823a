import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { query } from '../store/database.ts'
import { hashSecret } from './secrets.ts'

/** Public access to single streams (docs/wire.md §5.2, share). */
export type Shares = {
  /** Opens public access and returns its token; the same token while it is open. */
  open: (uid: string) => string
  close: (uid: string) => void
  isOpen: (uid: string) => boolean
  find: (token: string) => string | undefined
}

export const readServerKey = (dataDir: string): Buffer => {
  const file = join(dataDir, 'server.key')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600, flag: 'wx' })
  return readFileSync(file)
}

const ShareRow = z.object({ nonce: z.instanceof(Uint8Array) })
const UidRow = z.object({ uid: z.string() })

/** Derived from the server's key and a stored nonce: shown again at will, while the table has only its hash. */
export const createShares = (db: DatabaseSync, serverKey: Buffer): Shares => {
  const byUid = query(db, ShareRow, 'SELECT nonce FROM stream_shares WHERE uid = ?')
  const byHash = query(db, UidRow, 'SELECT uid FROM stream_shares WHERE token_hash = ?')
  const tokenOf = (nonce: Uint8Array): string =>
    createHmac('sha256', serverKey).update('share').update(nonce).digest('base64url')

  return {
    open: (uid) => {
      const open = byUid.get(uid)
      if (open !== undefined) return tokenOf(open.nonce)
      const nonce = randomBytes(32)
      const token = tokenOf(nonce)
      db.prepare('INSERT INTO stream_shares (uid, nonce, token_hash) VALUES (?, ?, ?)').run(
        uid,
        nonce,
        hashSecret(token),
      )
      return token
    },
    close: (uid) => {
      db.prepare('DELETE FROM stream_shares WHERE uid = ?').run(uid)
    },
    isOpen: (uid) => byUid.get(uid) !== undefined,
    find: (token) => byHash.get(hashSecret(token))?.uid,
  }
}
