import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { query, type Store } from '../store/store.ts'

const digits = 8
const maxTries = 5
export const codeMinutes = 15

export const recoverySteps: readonly string[] = [
  `CREATE TABLE password_resets (
    login TEXT PRIMARY KEY COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    code_hash BLOB NOT NULL, expires_at INTEGER NOT NULL, tries_left INTEGER NOT NULL
  ) STRICT`,
  // A row for every address, known or not: neither the table nor response times reveal users.
  `DROP TABLE password_resets;
  CREATE TABLE reset_codes (
    address_hash BLOB PRIMARY KEY,
    code_hash BLOB NOT NULL, expires_at INTEGER NOT NULL, tries_left INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
]
const ResetRow = z.object({ codeHash: z.instanceof(Uint8Array), expiresAt: z.number() })

export type ResetCodes = {
  /** Creates a code of 8 digits and voids the previous one. */
  make: (address: string) => Promise<string>
  /** Checks a code. After five wrong ones the code is void. */
  check: (address: string, code: string) => Promise<boolean>
  /** Consumes the code; false if it is no longer valid. */
  use: (address: string, code: string) => Promise<boolean>
}

/** Stores codes as HMACs with the server's key: plain hashes of 8 digits could be reversed. */
export const createResetCodes = async (store: Store, serverKey: Buffer, now: () => number): Promise<ResetCodes> => {
  const byAddress = query(
    store,
    ResetRow,
    'SELECT code_hash AS codeHash, expires_at AS expiresAt FROM reset_codes WHERE address_hash = ?',
  )
  const keyed = (...texts: string[]): Buffer =>
    createHmac('sha256', serverKey)
      .update(['reset', ...texts].join('\0'))
      .digest()
  const ofAddress = (address: string): Buffer => keyed(address.toLowerCase())
  const ofCode = (address: string, code: string): Buffer => keyed(address.toLowerCase(), code)
  const dropVoid = () => store.run('DELETE FROM reset_codes WHERE tries_left <= 0 OR expires_at <= ?', now())

  const isRight = async (address: string, code: string): Promise<boolean> => {
    const row = await byAddress.get(ofAddress(address))
    const isSame = timingSafeEqual(ofCode(address, code), row?.codeHash ?? Buffer.alloc(32))
    return isSame && row !== undefined && now() < row.expiresAt
  }

  return {
    make: (address) => {
      const expiresAt = now() + codeMinutes * 60_000
      return store.transaction(async () => {
        const code = String(randomInt(10 ** digits)).padStart(digits, '0')
        await dropVoid()
        await store.run(
          `INSERT INTO reset_codes (address_hash, code_hash, expires_at, tries_left) VALUES (?, ?, ?, ?)
           ON CONFLICT (address_hash) DO UPDATE SET code_hash = excluded.code_hash,
             expires_at = excluded.expires_at, tries_left = excluded.tries_left`,
          ofAddress(address),
          ofCode(address, code),
          expiresAt,
          maxTries,
        )
        return code
      })
    },
    check: (address, code) =>
      store.transaction(async () => {
        if (await isRight(address, code)) return true
        const sql = 'UPDATE reset_codes SET tries_left = tries_left - 1 WHERE address_hash = ?'
        await store.run(sql, ofAddress(address))
        await dropVoid()
        return false
      }),
    use: (address, code) =>
      store.transaction(async () => {
        if (!(await isRight(address, code))) return false
        const { changes } = await store.run('DELETE FROM reset_codes WHERE address_hash = ?', ofAddress(address))
        return changes > 0
      }),
  }
}
