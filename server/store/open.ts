import type { Changes } from './changes.ts'
import type { Connect } from './engine.ts'
import type { Schema } from './migration.ts'
import { openStore, type Store } from './store.ts'

/**
 * Opens the database of `databaseUrl`, or else a SQLite file, and migrates the tables of `schema`, all or none.
 * Loads the client of PostgreSQL only if needed.
 */
export const openDatabaseOf = async (
  file: string,
  { connect, databaseUrl }: { connect?: Connect | undefined; databaseUrl?: string | undefined },
  schema?: Schema,
): Promise<Store> => {
  if (databaseUrl === undefined) return openStore(file, connect, schema)
  const { openPostgres } = await import('./postgres/open.ts')
  return openPostgres(databaseUrl, schema)
}

/** A second connection to an open database, for short statements that must not wait for others. */
export const openSecondConnection = async (
  file: string,
  { connect, databaseUrl }: { connect?: Connect | undefined; databaseUrl?: string | undefined },
): Promise<Store> => {
  if (databaseUrl === undefined) return openStore(file, connect)
  const { openSecondPostgres } = await import('./postgres/open.ts')
  return openSecondPostgres(databaseUrl)
}

/**
 * Calls `note` with each table that any server changes, or without one if any may have changed. Returns a function that
 * ends the calls.
 */
export const followDatabase = async (
  databaseUrl: string,
  tables: readonly string[],
  note: Changes['note'],
): Promise<() => Promise<void>> => {
  const { followPostgres } = await import('./postgres/follow.ts')
  return followPostgres(databaseUrl, tables, note)
}
