import type { Connection } from './connection.ts'
import { connectWorker } from './worker-connection.ts'

/** What the store has to know of a database. */
export type Engine = {
  connect: (isReader: boolean) => Connection
  /** Whether reads have connections of their own. */
  hasReaders: boolean
  /** Begins a transaction that nobody else writes beside, in this process or another. */
  begin: string
  /** The same for a migration, which may take long. */
  beginMigration: string
  /** Asks for the tables that a table refers to; undefined where others write, too, so that nothing is cachedQuery. */
  parents: string | undefined
}

export type Connect = (file: string, isReader: boolean) => Connection

/** A SQLite file, or `:memory:`; by default each connection has a thread of its own. */
export const sqliteEngine = (file: string, connect: Connect = connectWorker): Engine => ({
  connect: (isReader) => connect(file, isReader),
  hasReaders: file !== ':memory:',
  begin: 'BEGIN IMMEDIATE',
  beginMigration: 'BEGIN IMMEDIATE',
  parents: 'SELECT "table" AS name FROM pragma_foreign_key_list(?)',
})
