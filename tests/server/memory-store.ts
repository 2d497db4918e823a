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

/** A database in memory, or a schema of PostgreSQL, that is opened with one schema after another. */
export const memoryDatabase = async (): Promise<(tables?: Schema) => Promise<Store>> => {
  const { databaseUrl } = await databaseOf()
  if (databaseUrl === undefined) {
    const db = openDatabase(':memory:')
    onTestFinished(() => db.close())
    return (tables) => storeOver(db, tables)
  }
  return async (tables) => {
    const store = await openPostgres(databaseUrl, tables)
    onTestFinished(store.close)
    return store
  }
}

/** A store in memory, or in a schema of PostgreSQL; closed after the test. */
export const memoryStore = async (tables?: Schema): Promise<Store> => (await memoryDatabase())(tables)
