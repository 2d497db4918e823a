import { createHash, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { startPostgres, type Postgres } from '../../scripts/postgres.ts'

/** Runs statements on a PostgreSQL database, on a connection of their own. */
export const runSql = async (url: string, sql: string): Promise<void> => {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A schema of a PostgreSQL database, created for a test and dropped after it; the same for the same `key`. */
export const schemaOf = async (server: string, key: string): Promise<string> => {
  const schema = `t${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  await runSql(server, `CREATE SCHEMA IF NOT EXISTS ${schema}`)
  onTestFinished(() => runSql(server, `SET client_min_messages = error; DROP SCHEMA IF EXISTS ${schema} CASCADE`))
  const url = new URL(server)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return url.href
}

/** The URL of a PostgreSQL server for the tests of a file, started by the first one that asks. Call it once a file. */
export const postgresOfFile = (): (() => Promise<string>) => {
  let postgres: Promise<Postgres> | undefined
  afterAll(async () => (await postgres)?.remove())
  return async () => {
    postgres ??= startPostgres()
    return (await postgres).url
  }
}

/** Whether the servers under test use SQLite, whose file a test may copy, remove or open. */
export const isOnFile = process.env['TEST_DATABASE_URL'] === undefined

/** The database of a server under test: on the PostgreSQL server of TEST_DATABASE_URL, else a file. */
export const databaseOf = async (dataDir: string = randomUUID()): Promise<{ databaseUrl?: string }> => {
  const server = process.env['TEST_DATABASE_URL']
  return server === undefined ? {} : { databaseUrl: await schemaOf(server, dataDir) }
}
