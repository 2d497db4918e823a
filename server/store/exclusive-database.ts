import type { Value } from './connection.ts'

export type Kind = 'integer' | 'real' | 'text' | 'blob'
export type Column = { name: string; kind: Kind }
/** `key`: the columns of the primary key, in its order. */
export type Table = { name: string; columns: readonly Column[]; key: readonly Column[] }
/** The values of a row in the order of the columns: integers are bigints, so that none is rounded. */
export type TableRow = readonly Value[]

/** Exclusive access to a whole database, which is read and written in batches. */
export type ExclusiveDatabase = {
  /** The file or URL, without credentials, for messages. */
  location: string
  /** The text that this database stores for a text. */
  storedText: (text: string) => string
  /** The names of all tables. */
  names: () => Promise<string[]>
  /** All tables with their columns, from the catalogue, both in alphabetical order. */
  tables: () => Promise<Table[]>
  count: (table: Table) => Promise<number>
  /** At most `limit` rows after a key, or the first ones, in the order of the key. */
  read: (table: Table, after: TableRow | undefined, limit: number) => Promise<TableRow[]>
  insert: (table: Table, rows: readonly TableRow[]) => Promise<void>
  /** Queries rows as objects; `?` stands for the values. */
  all: (sql: string, ...values: Value[]) => Promise<unknown[]>
  run: (sql: string, ...values: Value[]) => Promise<void>
  /** Creates the functions and collations that the schema needs. */
  prepare: () => Promise<void>
  /** Runs statements of the schema, in SQLite's SQL. */
  change: (sql: string) => Promise<void>
  transaction: <T>(work: () => Promise<T>) => Promise<T>
  /** Drops indexes, foreign keys and triggers, which slow or disturb inserts. Returns what recreates them. */
  suspend: () => Promise<string[]>
  resume: (statements: readonly string[]) => Promise<void>
  /** The last generated key of each table that generates keys. */
  counters: () => Promise<Map<string, bigint>>
  /** Makes the tables generate keys above these, and above the largest key that they have. */
  setCounters: (counters: ReadonlyMap<string, bigint>) => Promise<void>
  [Symbol.asyncDispose]: () => Promise<void>
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => quoted(name)).join(', ')
