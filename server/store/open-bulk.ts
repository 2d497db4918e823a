import type { Bulk } from './bulk.ts'

/** Opens a file. */
export { openSqliteBulk as openFileBulk } from './sqlite-bulk.ts'

/** Opens what DATABASE_URL names. The client of PostgreSQL is loaded only where it is needed. */
export const openDatabaseBulk = async (databaseUrl: string): Promise<Bulk> => {
  const { openPostgresBulk } = await import('./postgres/bulk.ts')
  return openPostgresBulk(databaseUrl)
}
