import { onTestFinished } from 'vitest'
import { openStore, type Store } from '../../server/store/store.ts'

/** A store in memory, closed after the test. */
export const memoryStore = async (): Promise<Store> => {
  const store = await openStore(':memory:')
  onTestFinished(store.close)
  return store
}
