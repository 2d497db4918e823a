import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { UsageError } from '../../usage-error.ts'
import { openPostgresBulk } from './bulk.ts'
import { connectPostgres } from './connection.ts'

const SchemaRow = z.object({ name: z.string() })
const Missing = z.object({ code: z.literal('ENOENT') })
const currentSchema = 'SELECT current_schema() AS name'

/** The address without its password, which everybody would see among the arguments, and the environment with it. */
const addressOf = (url: string) => {
  const address = new URL(url)
  const password = address.searchParams.get('password') ?? decodeURIComponent(address.password)
  address.password = ''
  if (address.searchParams.has('password')) {
    address.searchParams.delete('password')
    // The programs know no `+` for a space.
    address.search = address.search.replaceAll('+', '%20')
  }
  return {
    args: ['--no-password', `--dbname=${address.href}`],
    env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) },
  }
}

/** Runs a program of PostgreSQL's; resolves also when it was aborted. */
const run = async (program: string, url: string, options: readonly string[], signal: AbortSignal): Promise<void> => {
  const { args, env } = addressOf(url)
  const child = spawn(program, [...args, ...options], { env, signal, stdio: ['ignore', 'ignore', 'pipe'] })
  const errors = text(child.stderr)
  const ended = await once(child, 'close').then(
    ([code]): unknown => code,
    (error: unknown) => error,
  )
  if (signal.aborted || ended === 0) return
  if (z.safeParse(Missing, ended).success) {
    throw new UsageError(
      `${program} is missing: install PostgreSQL's programs (Debian: apt-get install postgresql-client)`,
    )
  }
  throw new Error(`${program} failed: ${(await errors).trim()}`)
}

/** Writes the database, or the schema that its address names, as it is at one moment, to an existing file. */
export const dumpPostgres = async (url: string, file: string, signal: AbortSignal): Promise<void> => {
  const connection = connectPostgres(url)
  try {
    const { rows } = await connection.call({ how: 'get', sql: currentSchema, values: [], isWithin: false })
    const { name } = z.parse(SchemaRow, rows[0])
    await run('pg_dump', url, ['--format=custom', `--schema="${name}"`, `--file=${file}`], signal)
  } finally {
    await connection.close()
  }
}

/** Reads what `dumpPostgres` wrote into an empty database, all of it or nothing. */
export const restorePostgres = async (url: string, file: string, signal: AbortSignal): Promise<void> => {
  await using target = await openPostgresBulk(url)
  if ((await target.names()).length > 0) throw new UsageError(`${target.location} isn't empty: name a new database`)
  const [row] = await target.all(currentSchema)
  const { name } = z.parse(SchemaRow, row)
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', `--schema=${name}`, file]
  await run('pg_restore', url, options, signal)
  if (signal.aborted || (await target.names()).length > 0) return
  throw new UsageError(`The backup has nothing of the schema ${name}, which DATABASE_URL names`)
}
