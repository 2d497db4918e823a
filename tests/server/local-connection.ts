import type { DatabaseSync } from 'node:sqlite'
import type { Connection } from '../../server/store/connection.ts'
import { createExecutor, openDatabase } from '../../server/store/sqlite.ts'
import type { Connect } from '../../server/store/engine.ts'

/**
 * A connection on the thread of its caller, for tests that write to the same file synchronously: a transaction in
 * another thread would wait for this thread and deadlock.
 */
export const connectLocal = (db: DatabaseSync): Connection => {
  const execute = createExecutor(db)
  return {
    call: async (call) => execute(call),
    pending: () => 0,
    isOpen: () => db.isOpen,
    close: async () => undefined,
  }
}

/** A connection without a thread, for the many test servers that don't test the store. */
export const connectHere: Connect = (file, isReader) => {
  const db = openDatabase(file, isReader)
  return { ...connectLocal(db), close: async () => db.close() }
}
