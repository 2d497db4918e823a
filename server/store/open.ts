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

/** A second way to a database that is open, for short statements that must not wait for others. */
export const openBeside = async (
  file: string,
  { connect, databaseUrl }: { connect?: Connect | undefined; databaseUrl?: string | undefined },
): Promise<Store> => {
  if (databaseUrl === undefined) return openStore(file, connect)
  const { openPostgresBeside } = await import('./postgres/open.ts')
  return openPostgresBeside(databaseUrl)
}

/** Calls `note` with each table that any server changes; without one, any may have changed. Answers what ends it. */
export const followDatabase = async (
  databaseUrl: string,
  tables: readonly string[],
  note: Changes['note'],
): Promise<() => Promise<void>> => {
  const { followPostgres } = await import('./postgres/follow.ts')
  return followPostgres(databaseUrl, tables, note)
}
