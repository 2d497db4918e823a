import type { Bulk } from './bulk.ts'

/** Opens a SQLite file. */
export { openSqliteBulk as openFileBulk } from './sqlite-bulk.ts'

/** Opens the database of DATABASE_URL. Loads the client of PostgreSQL only then. */
export const openDatabaseBulk = async (databaseUrl: string): Promise<Bulk> => {
  const { openPostgresBulk } = await import('./postgres/bulk.ts')
  return openPostgresBulk(databaseUrl)
}
