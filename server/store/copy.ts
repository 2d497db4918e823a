import { closeSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'

/** Of a database that others write to meanwhile, smaller steps would begin anew with each of their writes. */
const everyPage = 2 ** 30

const Check = z.object({ quick_check: z.string() })

/** Copies a database as it is at one moment, also while it is used. */
export const copyDatabase = async (file: string, target: string): Promise<void> => {
  closeSync(openSync(target, 'wx', 0o600))
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    await backup(db, target, { rate: everyPage })
  } finally {
    db.close()
  }
}

/** What SQLite finds wrong with a database; empty if nothing. */
export const checkDatabase = (file: string): string[] => {
  const db = new DatabaseSync(file)
  try {
    const found = db.prepare('PRAGMA quick_check(10)').all()
    return found.map((row) => z.parse(Check, row).quick_check).filter((line) => line !== 'ok')
  } finally {
    db.close()
  }
}
