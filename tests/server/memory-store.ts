import type { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { databaseOf } from './database.ts'
import { connectLocal } from './local-connection.ts'
import { openPostgres } from '../../server/store/postgres/open.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import type { Schema } from '../../server/store/migration.ts'
import { openStore, type Store } from '../../server/store/store.ts'

/** A store over an open database, without threads. */
export const storeOver = (db: DatabaseSync, tables?: Schema): Promise<Store> =>
  openStore(':memory:', () => connectLocal(db), tables)

/** A SQLite store in memory, closed after the test, also when other tests run on PostgreSQL. */
export const sqliteStore = async (tables?: Schema): Promise<Store> => {
  const db = openDatabase(':memory:')
  onTestFinished(() => db.close())
  return storeOver(db, tables)
}

/** A store in memory, or in a schema of PostgreSQL; closed after the test. */
export const memoryStore = async (tables?: Schema): Promise<Store> => {
  const { databaseUrl } = await databaseOf()
  if (databaseUrl === undefined) return sqliteStore(tables)
  const store = await openPostgres(databaseUrl, tables)
  onTestFinished(store.close)
  return store
}
