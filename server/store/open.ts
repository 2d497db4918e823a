import type { Connect } from './engine.ts'
import { openStore, type Store } from './store.ts'

/** Opens the database of `databaseUrl`, or else a SQLite file. Loads the client of PostgreSQL only if needed. */
export const openDatabaseOf = async (
  file: string,
  { connect, databaseUrl }: { connect?: Connect | undefined; databaseUrl?: string | undefined },
): Promise<Store> => {
  if (databaseUrl === undefined) return openStore(file, connect)
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(databaseUrl)
}
