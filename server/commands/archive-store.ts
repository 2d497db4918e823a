import { join } from 'node:path'
import { openDatabaseOf } from '../store/open.ts'
import { databaseName } from '../store/secure-folder.ts'
import type { Store } from '../store/store.ts'
import { streamsSteps } from '../streams/tables.ts'
import { usersSteps } from '../users/tables.ts'
import type { DataOptions } from './data-options.ts'

/** Opens the database of a stopped server and creates the tables to which those of the archive refer. */
export const openArchiveStore = async ({
  dataDir,
  databaseUrl,
}: Pick<DataOptions, 'dataDir' | 'databaseUrl'>): Promise<Store> => {
  const store = await openDatabaseOf(join(dataDir, databaseName), { databaseUrl })
  try {
    await store.migrate('users', usersSteps)
    await store.migrate('streams', streamsSteps)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
