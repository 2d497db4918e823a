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
  /** The query for the tables that a table refers to. */
  parents: string
  /** The query for a number that changes when another process writes; undefined if other servers may write. */
  outside: string | undefined
  /** Whether it chooses indexes by its statistics, without the hints of a statement. */
  usesStatistics?: boolean
  /** Writes after which cached rows stay valid while the database is away. */
  harmless?: RegExp
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
