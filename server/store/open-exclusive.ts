import type { ExclusiveDatabase } from './exclusive-database.ts'

/** Opens a SQLite file. */
export { openExclusiveSqlite as openExclusiveFile } from './sqlite-exclusive.ts'

/** Opens the database of DATABASE_URL. Loads the client of PostgreSQL only then. */
export const openExclusiveDatabase = async (databaseUrl: string): Promise<ExclusiveDatabase> => {
  const { openExclusivePostgres } = await import('./postgres/exclusive.ts')
  return openExclusivePostgres(databaseUrl)
}
