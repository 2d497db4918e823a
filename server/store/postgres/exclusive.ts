import { Client } from 'pg'
import * as z from 'zod/mini'
import { parseDatabaseUrl } from '../database-url.ts'
import { guarded } from '../../guarded.ts'
import { UsageError } from '../../usage-error.ts'
import { namesOf, quoted, type ExclusiveDatabase, type Column, type Kind, type Table } from '../exclusive-database.ts'
import { StoreAway, type Value } from '../connection.ts'
import { connectMs, oids, storedText } from './connection.ts'
import { schemaToPostgres, toPostgres } from './dialect.ts'
import { errorOf } from './errors.ts'
import { requireServer, serverFacts } from './open.ts'
import { prelude, lockUse } from './prelude.ts'

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['bigint', 'integer'],
  ['double precision', 'real'],
  ['text', 'text'],
  ['bytea', 'blob'],
])
const typesOf: Readonly<Record<Kind, string>> = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text',
  blob: 'bytea',
}

const parserOf = (oid: number): ((text: string) => unknown) => {
  if (oid === oids.bool) return (text) => text === 't'
  if (oid === oids.bytea) return (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
  if (oid === oids.int8 || oid === oids.int2 || oid === oids.int4) return BigInt
  return oid === oids.float4 || oid === oids.float8 ? Number : (text) => text
}

const Named = z.object({ name: z.string() })
const ColumnRow = z.object({ table: z.string(), name: z.string(), type: z.string() })
const KeyRow = z.object({ table: z.string(), name: z.string() })
/** The statements that drop and create an index, a foreign key or a trigger. */
const SuspendedRow = z.object({ drop: z.string(), create: z.string() })
const CounterRow = z.object({
  table: z.string(),
  column: z.string(),
  sequence: z.string(),
  last: z.nullable(z.bigint()),
})
const Use = z.object({ isFree: z.boolean() })

const inSchema = 'current_schema()::regnamespace'

const namesOfTables = `
  SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name COLLATE "C"`

const columnsOfTables = `
  SELECT table_name AS "table", column_name AS name, data_type AS type
  FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
  ORDER BY table_name COLLATE "C", column_name COLLATE "C"`

const keysOfTables = `
  SELECT relname AS "table", attname AS name
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_attribute ON attrelid = indrelid
  WHERE indisprimary AND relnamespace = ${inSchema} AND attnum = ANY (indkey)
  ORDER BY relname, array_position(indkey::int2[], attnum)`

/** Foreign keys, indexes and triggers. Indexes of primary keys and other constraints aren't among them, and stay. */
const suspended = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS create
  FROM pg_constraint WHERE contype = 'f' AND connamespace = ${inSchema}
  UNION ALL
  SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE relnamespace = ${inSchema} AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
  UNION ALL
  SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass), pg_get_triggerdef(pg_trigger.oid)
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
  WHERE relnamespace = ${inSchema} AND NOT tgisinternal`

const sequences = `
  SELECT "table", "column", sequence, pg_sequence_last_value(sequence::regclass) AS last
  FROM (
    SELECT table_name AS "table", column_name AS "column",
      pg_get_serial_sequence(quote_ident(table_name), column_name) AS sequence
    FROM information_schema.columns WHERE table_schema = current_schema() AND is_identity = 'YES'
  ) AS identities`

/** The URL without user, password and options, which may contain secrets. */
const locationOf = (url: string): string => {
  const given = parseDatabaseUrl(url)
  return `postgres://${given?.searchParams.get('host') ?? given?.host ?? ''}${given?.pathname ?? ''}`
}

const connect = async (url: string): Promise<Client> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: 'sightline migrate',
    types: { getTypeParser: parserOf },
  })
  // A running query rejects with the error; without a listener the process would end.
  client.on(
    'error',
    guarded('exclusive database: connection', () => undefined),
  )
  await client.connect().catch((error: unknown) => {
    throw errorOf(error)
  })
  const { rows } = await client.query(lockUse)
  if (z.parse(Use, rows[0]).isFree) return client
  await client.end()
  throw new UsageError(`A server or another command is using ${locationOf(url)}: stop it first`)
}

const castsOf = (columns: readonly Column[], suffix = ''): string =>
  columns.map(({ kind }, index) => `$${index + 1}::${typesOf[kind]}${suffix}`).join(', ')

/** Opens the current schema of a PostgreSQL database for exclusive use. */
export const openExclusivePostgres = async (url: string): Promise<ExclusiveDatabase> => {
  const client = await connect(url)

  const query = async (text: string, values: readonly unknown[] = [], rowMode?: 'array') => {
    try {
      if (values.length === 0 && rowMode === undefined) return await client.query(text)
      return await client.query({ text, values: [...values], ...(rowMode === undefined ? {} : { rowMode }) })
    } catch (error) {
      const storeError = errorOf(error)
      if (storeError instanceof StoreAway) throw storeError
      // The detail names, for example, the duplicate key.
      const detail = z.safeParse(z.object({ detail: z.string() }), error).data?.detail
      throw new Error(detail === undefined ? storeError.message : `${storeError.message}: ${detail}`, { cause: error })
    }
  }
  requireServer((await query(serverFacts)).rows[0])

  const ask = async <Row extends z.ZodMiniType>(row: Row, text: string): Promise<z.output<Row>[]> =>
    (await query(text)).rows.map((each) => z.parse(row, each))

  const tables = async (): Promise<Table[]> => {
    const columnRows = Map.groupBy(await ask(ColumnRow, columnsOfTables), ({ table }) => table)
    const keyRows = Map.groupBy(await ask(KeyRow, keysOfTables), ({ table }) => table)
    return [...columnRows].map(([name, rows]) => {
      const columns = rows.map((row): Column => {
        const kind = kinds.get(row.type)
        if (kind === undefined) throw new Error(`A column of type ${row.type} can't be moved`)
        return { name: row.name, kind }
      })
      const key = (keyRows.get(name) ?? []).flatMap((part) => columns.filter((column) => column.name === part.name))
      if (key.length === 0) throw new Error(`The table ${name} has no primary key`)
      return { name, columns, key }
    })
  }

  return {
    location: locationOf(url),
    storedText,
    names: async () => (await ask(Named, namesOfTables)).map(({ name }) => name),
    tables,
    count: async ({ name }) => Number((await query(`SELECT count(*) AS count FROM ${quoted(name)}`)).rows[0].count),
    read: async ({ name, columns, key }, after, limit) => {
      const keys = namesOf(key)
      const values = [...(after ?? []), limit]
      const where = after === undefined ? '' : `WHERE (${keys}) > (${castsOf(key)})`
      const sql = `SELECT ${namesOf(columns)} FROM ${quoted(name)} ${where}
        ORDER BY ${keys} LIMIT $${values.length}::bigint`
      return (await query(sql, values, 'array')).rows
    },
    insert: async ({ name, columns }, rows) => {
      const values = columns.map((_column, index) => rows.map((row) => row[index]))
      const names = namesOf(columns)
      await query(`INSERT INTO ${quoted(name)} (${names}) SELECT * FROM unnest(${castsOf(columns, '[]')})`, values)
    },
    all: async (sql, ...values) => (await query(toPostgres(sql, values), values)).rows,
    run: async (sql, ...values: Value[]) => void (await query(toPostgres(sql, values), values)),
    prepare: async () => void (await query(prelude)),
    change: async (sql) => void (await query(schemaToPostgres(sql))),
    transaction: async (work) => {
      await query('BEGIN')
      try {
        const result = await work()
        await query('COMMIT')
        return result
      } catch (error) {
        await query('ROLLBACK').catch(() => undefined)
        throw error
      }
    },
    suspend: async () => {
      const found = await ask(SuspendedRow, suspended)
      for (const { drop } of found) await query(drop)
      return found.map(({ create }) => create).toReversed()
    },
    resume: async (statements) => {
      for (const sql of statements) await query(sql)
      // Without statistics PostgreSQL chooses slow plans.
      await query(`ANALYZE ${(await tables()).map(({ name }) => quoted(name)).join(', ')}`)
    },
    counters: async () => {
      const found = await ask(CounterRow, sequences)
      return new Map(found.flatMap(({ table, last }) => (last === null ? [] : [[table, last]])))
    },
    setCounters: async (counters) => {
      for (const { table, column, sequence } of await ask(CounterRow, sequences)) {
        const sql = `SELECT setval($1, last) FROM (
          SELECT greatest($2::bigint, max(${quoted(column)})) AS last FROM ${quoted(table)}) AS numbers WHERE last > 0`
        await query(sql, [sequence, counters.get(table) ?? null])
      }
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
