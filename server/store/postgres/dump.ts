import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { UsageError } from '../../usage-error.ts'
import { parseDatabaseUrl } from '../database-url.ts'
import { openExclusivePostgres } from './exclusive.ts'
import { connectPostgres } from './connection.ts'

const SchemaRow = z.object({ name: z.string() })
const Missing = z.object({ code: z.literal('ENOENT') })
const currentSchema = 'SELECT current_schema() AS name'

/** An argument with the URL but no password, as every local user can read it, and an environment with the password. */
const connectionOf = (databaseUrl: string) => {
  const url = parseDatabaseUrl(databaseUrl)
  if (url === null) throw new UsageError('DATABASE_URL is not an address of PostgreSQL')
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password)
  url.password = ''
  if (url.searchParams.has('password')) {
    url.searchParams.delete('password')
    // PostgreSQL's programs don't read `+` as a space.
    url.search = url.search.replaceAll('+', '%20')
  }
  return {
    args: ['--no-password', `--dbname=${url.href}`],
    env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) },
  }
}

/** Runs a program of PostgreSQL. Resolves to false if it was aborted before it was done. */
const run = async (program: string, url: string, options: readonly string[], signal: AbortSignal): Promise<boolean> => {
  const { args, env } = connectionOf(url)
  const child = spawn(program, [...args, ...options], { env, signal, stdio: ['ignore', 'ignore', 'pipe'] })
  const errors = text(child.stderr)
  const ended = await once(child, 'close').then(
    ([code]): unknown => code,
    (error: unknown) => error,
  )
  if (ended === 0) return true
  if (signal.aborted) return false
  if (z.safeParse(Missing, ended).success) {
    throw new UsageError(
      `${program} is missing: install PostgreSQL's programs (Debian: apt-get install postgresql-client)`,
    )
  }
  throw new Error(`${program} failed: ${(await errors).trim()}`)
}

/** Writes the current schema of a database, as of one moment, to an existing file. */
export const dumpPostgres = async (url: string, file: string, signal: AbortSignal): Promise<void> => {
  const connection = connectPostgres(url)
  try {
    const { rows } = await connection.call({ how: 'get', sql: currentSchema, values: [], isInTransaction: false })
    const { name } = z.parse(SchemaRow, rows[0])
    await run('pg_dump', url, ['--format=custom', `--schema="${name}"`, `--file=${file}`], signal)
  } finally {
    await connection.close()
  }
}

/** Restores a dump of `dumpPostgres` into an empty database, all or nothing. Resolves to false if it was aborted. */
export const restorePostgres = async (url: string, file: string, signal: AbortSignal): Promise<boolean> => {
  await using target = await openExclusivePostgres(url)
  if ((await target.names()).length > 0) throw new UsageError(`${target.location} isn't empty: name a new database`)
  const [row] = await target.all(currentSchema)
  const { name } = z.parse(SchemaRow, row)
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', `--schema=${name}`, file]
  if (!(await run('pg_restore', url, options, signal))) return false
  if ((await target.names()).length > 0) return true
  throw new UsageError(`The backup has nothing of the schema ${name}, which DATABASE_URL names`)
}
