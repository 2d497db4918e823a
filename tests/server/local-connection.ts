import type { DatabaseSync } from 'node:sqlite'
import type { Connection } from '../../server/store/connection.ts'
import { createExecutor } from '../../server/store/sqlite.ts'

/**
 * A connection on the thread of its caller. Whoever writes synchronously to the same file would wait for a transaction
 * of another thread, which itself waits for this one.
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
