import type { Connection } from './connection.ts'
import { connectWorker } from './worker-connection.ts'

/** The differences between databases that the store must know. */
export type Engine = {
  connect: (isReader: boolean) => Connection
  /** Whether reads have their own connections. */
  hasReaders: boolean
  /** The SQL that begins a transaction, during which nobody else writes, in this process or another. */
  begin: string
  /** The SQL that begins a migration, which may take long. */
  beginMigration: string
  /**
   * The queries that a cache needs: `parents` for the tables that a table refers to, `outside` for a number that
   * changes when another process writes. Undefined if other servers may write: nothing is cached then.
   */
  cache: { parents: string; outside: string } | undefined
}

export type Connect = (file: string, isReader: boolean) => Connection

/** A SQLite file, or `:memory:`; by default each connection has a thread of its own. */
export const sqliteEngine = (file: string, connect: Connect = connectWorker): Engine => ({
  connect: (isReader) => connect(file, isReader),
  hasReaders: file !== ':memory:',
  begin: 'BEGIN IMMEDIATE',
  beginMigration: 'BEGIN IMMEDIATE',
  cache: { parents: 'SELECT "table" AS name FROM pragma_foreign_key_list(?)', outside: 'PRAGMA data_version' },
})
