import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { migrate, query } from '../store/database.ts'

const digits = 8
const triesAtMost = 5
export const codeMinutes = 15

const steps: readonly string[] = [
  `CREATE TABLE password_resets (
    login TEXT PRIMARY KEY COLLATE NOCASE REFERENCES users (login) ON UPDATE CASCADE ON DELETE CASCADE,
    code_hash BLOB NOT NULL, expires_at INTEGER NOT NULL, tries_left INTEGER NOT NULL
  ) STRICT`,
]
const ResetRow = z.object({ codeHash: z.instanceof(Uint8Array), expiresAt: z.number() })

export type ResetCodes = {
  /** Makes a code of 8 digits; one made before is void. */
  make: (login: string) => string
  /** Whether this is the code; a wrong one costs one of five tries, and then the code is void. */
  check: (login: string, code: string) => boolean
  /** Takes the code so that it can't be used again; false where it is no longer good. */
  use: (login: string, code: string) => boolean
}

/** Codes live 15 minutes. The table keeps them under the server's key, as 8 digits alone are soon guessed. */
export const createResetCodes = (db: DatabaseSync, serverKey: Buffer, now: () => number): ResetCodes => {
  migrate(db, 'recovery', steps)
  const byLogin = query(db, ResetRow, 'SELECT code_hash AS codeHash, expires_at AS expiresAt FROM password_resets WHERE login = ?')
  const hash = (login: string, code: string): Buffer =>
    createHmac('sha256', serverKey).update(`reset\0${login.toLowerCase()}\0${code}`).digest()

  const isRight = (login: string, code: string): boolean => {
    const row = byLogin.get(login)
    return timingSafeEqual(hash(login, code), row?.codeHash ?? Buffer.alloc(32)) && row !== undefined && now() < row.expiresAt
  }

  return {
    make: (login) => {
      const code = String(randomInt(10 ** digits)).padStart(digits, '0')
      db.prepare('INSERT OR REPLACE INTO password_resets (login, code_hash, expires_at, tries_left) VALUES (?, ?, ?, ?)').run(
        login, hash(login, code), now() + codeMinutes * 60_000, triesAtMost,
      )
      return code
    },
    check: (login, code) => {
      if (isRight(login, code)) return true
      db.prepare('UPDATE password_resets SET tries_left = tries_left - 1 WHERE login = ?').run(login)
      db.prepare('DELETE FROM password_resets WHERE tries_left <= 0 OR expires_at <= ?').run(now())
      return false
    },
    use: (login, code) => isRight(login, code) && db.prepare('DELETE FROM password_resets WHERE login = ?').run(login).changes > 0,
  }
}
