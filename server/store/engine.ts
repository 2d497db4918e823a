import type { Connection } from './connection.ts'
import { connectWorker } from './worker-connection.ts'

/** The differences between databases that the store must know. */
export type Engine = {
  connect: (isReader: boolean) => Connection
  /** Whether reads have connections of their own. */
  hasReaders: boolean
  /** Begins a transaction; no other one writes meanwhile, in this process or another. */
  begin: string
  /** The same for a migration, which may take long. */
  beginMigration: string
  /** The query for the tables that a table refers to; undefined if others write too, so that nothing is cached. */
  parents: string | undefined
  /** Answers another number after another process has written; undefined where nothing is remembered. */
  outside: string | undefined
}

export type Connect = (file: string, isReader: boolean) => Connection

/** A SQLite file, or `:memory:`; by default each connection has a thread of its own. */
export const sqliteEngine = (file: string, connect: Connect = connectWorker): Engine => ({
  connect: (isReader) => connect(file, isReader),
  hasReaders: file !== ':memory:',
  begin: 'BEGIN IMMEDIATE',
  beginMigration: 'BEGIN IMMEDIATE',
  parents: 'SELECT "table" AS name FROM pragma_foreign_key_list(?)',
  outside: 'PRAGMA data_version',
})
