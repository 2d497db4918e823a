import * as z from 'zod/mini'
import { StoreError, type Call } from '../connection.ts'
import type { Schema } from '../migration.ts'
import type { Engine } from '../engine.ts'
import { openStoreOn, type Store } from '../store.ts'
import { connectPostgres, type Patience } from './connection.ts'
import { begin, beginMigration, prelude } from './prelude.ts'

const oldestVersion = 15
const Server = z.object({ version: z.coerce.number(), encoding: z.string() })
export const serverFacts = `SELECT current_setting('server_version_num')::integer / 10000 AS version,
  current_setting('server_encoding') AS encoding`

export const requireServer = (facts: unknown): void => {
  const { version, encoding } = z.parse(Server, facts)
  if (version >= oldestVersion && encoding === 'UTF8') return
  throw new StoreError(
    `DATABASE_URL needs PostgreSQL ${oldestVersion} or later and UTF8, not ${version} and ${encoding}`,
  )
}

/** Creates the functions and collations that the schema needs. Servers that start at the same time wait. */
const prepare = async (url: string): Promise<void> => {
  const connection = connectPostgres(url)
  const call = (how: Call['how'], sql: string) => connection.call({ how, sql, values: [], isInTransaction: false })
  try {
    requireServer((await call('get', serverFacts)).rows[0])
    await call('exec', beginMigration)
    await call('exec', prelude)
    await call('exec', 'COMMIT')
  } finally {
    await connection.close()
  }
}

const engine: Omit<Engine, 'connect' | 'hasReaders'> = {
  begin,
  beginMigration,
  parents: `SELECT confrelid::regclass::text AS name FROM pg_constraint
    WHERE contype = 'f' AND conrelid = to_regclass(quote_ident(?))`,
  outside: undefined,
  usesStatistics: true,
  // A sign-in, and the time of a session's last call.
  harmless: /^\s*(?:INSERT INTO sessions|UPDATE sessions SET seen_at)\b/,
}

/** Opens a PostgreSQL database. Five connections at most: one writes, the others read. */
export const openPostgres = async (url: string, schema?: Schema): Promise<Store> => {
  await prepare(url)
  return openStoreOn({ ...engine, connect: () => connectPostgres(url), hasReaders: true }, schema)
}

/** Short limits: a node that can't beat for seconds loses its streams, so a slow connection is replaced sooner. */
const impatient: Patience = { statementMs: 2500, answerMs: 4000 }

/** A further connection to a database that `openPostgres` has opened; it gives up sooner. */
export const openSecondPostgres = (url: string): Promise<Store> =>
  openStoreOn({ ...engine, connect: () => connectPostgres(url, impatient), hasReaders: false })
