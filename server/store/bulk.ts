import type { Value } from './connection.ts'

export type Kind = 'integer' | 'real' | 'text' | 'blob'
export type Column = { name: string; kind: Kind }
/** `key`: the columns of the primary key, in its order. */
export type Table = { name: string; columns: readonly Column[]; key: readonly Column[] }
/** The values of a row in the order of the columns: integers are bigints, so that none is rounded. */
export type BulkRow = readonly Value[]

/** All of a database, read and written in batches, and used exclusively. */
export type Bulk = {
  /** For people, without credentials. */
  location: string
  /** A text as this database stores it. */
  keptText: (text: string) => string
  /** The names of all tables. */
  names: () => Promise<string[]>
  /** All tables with their columns, from the catalogue, both by name. */
  tables: () => Promise<Table[]>
  count: (table: Table) => Promise<number>
  /** At most so many rows after a key, or the first ones, by key. */
  read: (table: Table, after: BulkRow | undefined, limit: number) => Promise<BulkRow[]>
  insert: (table: Table, rows: readonly BulkRow[]) => Promise<void>
  /** Rows as objects; `?` stands for the values. */
  all: (sql: string, ...values: Value[]) => Promise<unknown[]>
  run: (sql: string, ...values: Value[]) => Promise<void>
  /** Makes what the schema needs. */
  prepare: () => Promise<void>
  /** Statements of the schema, in SQLite's SQL. */
  change: (sql: string) => Promise<void>
  transaction: <T>(work: () => Promise<T>) => Promise<T>
  /** Drops indexes, references and triggers, which slow inserts or act on them; returns what recreates them. */
  suspend: () => Promise<string[]>
  resume: (statements: readonly string[]) => Promise<void>
  /** The last number that each table gave to a row, where it remembers. */
  counters: () => Promise<Map<string, bigint>>
  /** The tables give numbers after these, and after those they have. */
  setCounters: (counters: ReadonlyMap<string, bigint>) => Promise<void>
  [Symbol.asyncDispose]: () => Promise<void>
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => quoted(name)).join(', ')
