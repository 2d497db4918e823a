import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { UsageError } from '../usage-error.ts'
import { sqliteCode } from './disk-error.ts'
import { lockName } from './secure-folder.ts'

const busyCode = 5

/** Referenced here, as a database that is garbage-collected is closed, and its lock released. */
const held = new Set<DatabaseSync>()

/**
 * Locks a data folder, as two processes would take each other's unfinished recordings for what a crash has left. The
 * lock ends with the process, however it ends, or when the returned function is called. Undefined if another process
 * has it.
 */
export const lockDataFolder = (dataDir: string): (() => void) | undefined => {
  const file = join(dataDir, lockName)
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    // Node has no flock; a transaction of SQLite holds a lock of the system, and writes nothing.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (sqliteCode(error) !== busyCode) throw error
    return undefined
  }
  held.add(db)
  return () => {
    if (held.delete(db)) db.close()
  }
}

export const inUse = (dataDir: string): string => `A server or another command is using ${dataDir}: stop it first`

/** Locks a data folder for a command. Returns what ends the lock. Throws `UsageError` if a server runs on it. */
export const lockForCommand = (dataDir: string): (() => void) => {
  // With PostgreSQL this machine may have no data folder.
  if (!existsSync(dataDir)) return () => undefined
  const release = lockDataFolder(dataDir)
  if (release === undefined) throw new UsageError(inUse(dataDir))
  return release
}
