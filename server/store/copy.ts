import { closeSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'

/** All pages in one step: a backup in smaller steps begins anew whenever another connection writes. */
const everyPage = 2 ** 30

const Check = z.object({ quick_check: z.string() })

/** Copies a database as of one moment, also while others use it. */
export const copyDatabase = async (file: string, target: string): Promise<void> => {
  closeSync(openSync(target, 'wx', 0o600))
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    await backup(db, target, { rate: everyPage })
  } finally {
    db.close()
  }
}

/** The problems that SQLite finds in a database; empty if there are none. */
export const checkDatabase = (file: string): string[] => {
  const db = new DatabaseSync(file)
  try {
    const found = db.prepare('PRAGMA quick_check(10)').all()
    return found.map((row) => z.parse(Check, row).quick_check).filter((line) => line !== 'ok')
  } finally {
    db.close()
  }
}
