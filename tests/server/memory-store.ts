import { onTestFinished } from 'vitest'
import { connectLocal } from '../../server/store/local-connection.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import { openStore, type Store } from '../../server/store/store.ts'

/** A store in memory and without threads, closed after the test. */
export const memoryStore = async (): Promise<Store> => {
  const db = openDatabase(':memory:')
  const store = await openStore(':memory:', () => connectLocal(db))
  onTestFinished(async () => {
    await store.close()
    db.close()
  })
  return store
}
