import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { schema } from '../../server/schema.ts'
import { openDatabase } from '../../server/store/sqlite.ts'
import { openStore } from '../../server/store/store.ts'

const Named = z.object({ name: z.string() })
const Column = z.object({ name: z.string(), type: z.string(), notnull: z.number(), pk: z.number() })
const Reference = z.object({ table: z.string(), from: z.string(), to: z.string() })
const ofMoves = /^(?:move|sqlite)/

type Input = null | number | bigint | string | Uint8Array

const namesOf = (db: DatabaseSync): string[] =>
  z
    .array(Named)
    .parse(db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all())
    .map(({ name }) => name)
    .filter((name) => !ofMoves.test(name))

/** Values that differ in every row; numbers beyond the exact integers of JavaScript. */
const valueOf = ({ type, notnull, pk }: z.output<typeof Column>, table: string, row: number): Input => {
  if (row === 2 && notnull === 0 && pk === 0) return null
  if (type === 'INTEGER') return 9_007_199_254_740_993n + BigInt(row)
  if (type === 'REAL') return [0.1 + 0.2, 1e300, -0.5][row] ?? null
  if (type === 'BLOB') return Uint8Array.from({ length: 256 }, (_each, index) => (index + row) % 256)
  return `Ёж 🎥 ' " \\ {a,NULL} \u0001 ${table} ${row}`
}

const fillTable = (db: DatabaseSync, table: string): void => {
  const columns = z.array(Column).parse(db.prepare('SELECT * FROM pragma_table_info(?)').all(table))
  const references = z.array(Reference).parse(db.prepare('SELECT * FROM pragma_foreign_key_list(?)').all(table))
  const insert = db.prepare(
    `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  insert.setReadBigInts(true)
  const referred = ({ table: parent, to }: z.output<typeof Reference>, row: number): Input => {
    const statement = db.prepare(`SELECT ${to} AS value FROM ${parent} ORDER BY ${to} LIMIT 1 OFFSET ?`)
    statement.setReadBigInts(true)
    return statement.get(row)?.['value'] ?? null
  }
  for (let row = 0; row < 3; row += 1) {
    const values = columns.map((column) => {
      const reference = references.find(({ from }) => from === column.name)
      return reference === undefined ? valueOf(column, table, row) : referred(reference, row)
    })
    // Tables with a single row have `CHECK (id = 1)`.
    const isSingle = columns.some(({ name }) => name === 'id') && hasCheck(db, table)
    if (!isSingle) insert.run(...values)
    else if (row === 0) {
      db.exec(`DELETE FROM ${table}`)
      insert.run(...values.map((value, index) => (columns[index]?.name === 'id' ? 1 : value)))
    }
  }
}

const hasCheck = (db: DatabaseSync, table: string): boolean =>
  db.prepare("SELECT 1 AS found FROM sqlite_master WHERE name = ? AND sql LIKE '%CHECK (id = 1)%'").get(table) !==
  undefined

/** Creates a database with the tables of every concern and rows in each, referenced tables first. */
export const fillEveryTable = async (file: string): Promise<void> => {
  const store = await openStore(file, undefined, schema)
  await store.close()
  const db = openDatabase(file)
  const parents = (table: string): string[] =>
    z
      .array(Reference)
      .parse(db.prepare('SELECT * FROM pragma_foreign_key_list(?)').all(table))
      .map((reference) => reference.table)
  const filled = new Set(['migrations'])
  const due = namesOf(db).filter((name) => !filled.has(name))
  while (due.length > 0) {
    const index = due.findIndex((name) => parents(name).every((parent) => filled.has(parent)))
    const [table = ''] = due.splice(index, 1)
    fillTable(db, table)
    filled.add(table)
  }
  db.close()
}

/** The content of a database file without the marks of moves: rows, counters and schema. */
export const contentOf = (file: string): Record<string, unknown> => {
  const db = openDatabase(file)
  const all = (sql: string): unknown[] => {
    const statement = db.prepare(sql)
    statement.setReadBigInts(true)
    return statement
      .all()
      .map((row) =>
        Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? hash('sha256', value) : value]),
      )
  }
  const tables = namesOf(db).map((table) => {
    const keys = z.array(Column).parse(db.prepare('SELECT * FROM pragma_table_info(?) WHERE pk > 0').all(table))
    const order = keys.toSorted((a, b) => a.pk - b.pk).map(({ name }) => name)
    return [table, all(`SELECT * FROM ${table} ORDER BY ${order.join(', ')}`)]
  })
  const content = {
    ...Object.fromEntries(tables),
    sqlite_sequence: all('SELECT name, seq FROM sqlite_sequence ORDER BY name'),
    schema: all("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'move%' ORDER BY type, name"),
  }
  db.close()
  return content
}

/** Adds a recording with `count` chunks of a minute. */
export const addChunks = (file: string, count: number): void => {
  const db = openDatabase(file)
  db.exec(`
    INSERT INTO recordings (id, uid, next_sequence, next_discontinuity, target_duration) VALUES (1, 'door', 0, 0, 2);
    INSERT INTO runs (id, recording, key, init, codecs, width, height, has_sound, first)
      VALUES (1, 1, 'a', x'00', 'avc1', 1, 1, 0, 0);
    INSERT INTO chunks (recording, start, finish, run, bytes, segments)
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
      SELECT 1, i * 60000, i * 60000 + 60000, 1, 15000000 + i, randomblob(200) FROM n`)
  db.close()
}
