import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { UsageError } from '../usage-error.ts'
import { namesOf, quoted, type ExclusiveDatabase, type Kind, type Table } from './exclusive-database.ts'
import { sqliteCode } from './disk-error.ts'
import { addFunctions } from './sqlite.ts'

const busyCode = 5
const Named = z.object({ name: z.string() })
const IndexOrTrigger = z.object({ type: z.string(), name: z.string(), sql: z.string() })
const ColumnRow = z.object({ name: z.string(), type: z.string(), pk: z.bigint() })
const Counter = z.object({ name: z.string(), seq: z.bigint() })

const kinds: ReadonlyMap<string, Kind> = new Map([
  ['INTEGER', 'integer'],
  ['REAL', 'real'],
  ['TEXT', 'text'],
  ['BLOB', 'blob'],
])

const kindOf = (type: string): Kind => {
  const kind = kinds.get(type)
  if (kind === undefined) throw new Error(`A column of type ${type} can't be moved`)
  return kind
}

/** Locks the file against every other connection, until it is closed or the process ends. */
const openExclusively = (file: string): DatabaseSync => {
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 1000 })
  addFunctions(db)
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    db.exec('BEGIN EXCLUSIVE; COMMIT')
    return db
  } catch (error) {
    db.close()
    if (sqliteCode(error) !== busyCode) throw error
    throw new UsageError(`A server or another command is using ${file}: stop it first`)
  }
}

/** Opens a SQLite file for exclusive use; creates it if it doesn't exist. */
export const openExclusiveSqlite = (file: string): ExclusiveDatabase => {
  const db = openExclusively(file)
  const statements = new Map<string, StatementSync>()

  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = db.prepare(sql)
    statement.setReadBigInts(true)
    statements.set(sql, statement)
    return statement
  }
  const ask = (sql: string, ...values: string[]): unknown[] => prepared(sql).all(...values)

  const tableOf = (name: string): Table => {
    const rows = z.array(ColumnRow).parse(ask('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY name', name))
    const columns = rows.map((row) => ({ name: row.name, kind: kindOf(row.type), pk: row.pk }))
    const key = columns.filter(({ pk }) => pk > 0n).toSorted((a, b) => Number(a.pk - b.pk))
    if (key.length === 0) throw new Error(`The table ${name} has no primary key`)
    return { name, columns, key }
  }

  const names = async (): Promise<string[]> => {
    const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
    return z
      .array(Named)
      .parse(ask(sql))
      .map(({ name }) => name)
  }

  return {
    location: file,
    storedText: (text) => text,
    names,
    tables: async () => (await names()).map(tableOf),
    count: async ({ name }) => Number(prepared(`SELECT count(*) AS count FROM ${quoted(name)}`).get()?.['count']),
    read: async ({ name, columns, key }, after, limit) => {
      const keys = namesOf(key)
      const where = after === undefined ? '' : `WHERE (${keys}) > (${key.map(() => '?').join(', ')})`
      const sql = `SELECT ${namesOf(columns)} FROM ${quoted(name)} ${where} ORDER BY ${keys} LIMIT ?`
      const statement = prepared(sql)
      return statement.all(...(after ?? []), limit).map((row) => Object.values(row))
    },
    insert: async ({ name, columns }, rows) => {
      const placeholders = columns.map(() => '?').join(', ')
      const statement = prepared(`INSERT INTO ${quoted(name)} (${namesOf(columns)}) VALUES (${placeholders})`)
      for (const row of rows) statement.run(...row)
    },
    all: async (sql, ...values) => prepared(sql).all(...values),
    run: async (sql, ...values) => void prepared(sql).run(...values),
    prepare: async () => undefined,
    change: async (sql) => db.exec(sql),
    transaction: async (work) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = await work()
        db.exec('COMMIT')
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    },
    suspend: async () => {
      const dropped = z
        .array(IndexOrTrigger)
        .parse(ask("SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL"))
      for (const { type, name } of dropped) db.exec(`DROP ${type} ${quoted(name)}`)
      return dropped.map(({ sql }) => sql)
    },
    resume: async (statements) => {
      for (const sql of statements) db.exec(sql)
      const broken = ask('SELECT DISTINCT "table" AS name FROM pragma_foreign_key_check')
      const tables = z.array(Named).parse(broken)
      if (tables.length === 0) return
      throw new Error(`Rows refer to rows that don't exist: ${tables.map(({ name }) => name).join(', ')}`)
    },
    counters: async () => {
      const rows = z.array(Counter).parse(ask('SELECT name, seq FROM sqlite_sequence'))
      return new Map(rows.map(({ name, seq }) => [name, seq]))
    },
    setCounters: async (counters) => {
      const counted = z
        .array(Named)
        .parse(ask("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"))
      for (const { name } of counted) {
        const last = counters.get(name)
        if (last === undefined) continue
        const { changes } = prepared('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(last, name)
        if (Number(changes) === 0) prepared('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last)
      }
    },
    [Symbol.asyncDispose]: async () => db.close(),
  }
}
