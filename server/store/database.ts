import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import * as z from 'zod/mini'

/**
 * Opens (or makes) the database of the embedded server; `:memory:` is allowed. Its owner alone may read it. Every connection enforces foreign keys
 * and knows `fold(text)`, lower case in any script (SQLite's own `lower` knows ASCII alone).
 */
export const openDatabase = (file: string): DatabaseSync => {
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5000 })
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000',
  )
  db.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : ''))
  return db
}

const ErrorOfDatabase = z.object({ errcode: z.number() })
const ErrorOfFile = z.object({ code: z.enum(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']) })
/** SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN; the lowest eight bits of what SQLite says. */
const codesOfDisk: ReadonlySet<number> = new Set([8, 10, 13, 14])

/** Whether an error says that the disk takes nothing: it is full, has become read-only, or is gone. */
export const isOfDisk = (error: unknown): boolean => {
  const { data } = z.safeParse(ErrorOfDatabase, error)
  return data === undefined ? z.safeParse(ErrorOfFile, error).success : codesOfDisk.has(data.errcode & 0xff)
}

/** Notes what may stay unnoted: where the disk takes nothing, what it is about goes on without. */
export const whereWritable = (note: () => void): void => {
  try {
    note()
  } catch (error) {
    if (!isOfDisk(error)) throw error
  }
}

/** Runs `work` in one transaction: all of it or nothing. Inside another transaction it is a savepoint. */
export const inTransaction = <T>(db: DatabaseSync, work: () => T): T => {
  const [begin, commit, rollback] = db.isTransaction
    ? ['SAVEPOINT step', 'RELEASE step', 'ROLLBACK TO step; RELEASE step']
    : ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']
  db.exec(begin)
  try {
    const result = work()
    db.exec(commit)
    return result
  } catch (error) {
    // SQLite itself takes back what found no room.
    if (db.isTransaction) db.exec(rollback)
    throw error
  }
}

const Version = z.object({ version: z.number() })

/**
 * Brings one concern's tables up to date. `steps` are numbered by their place and never edited once released: a change is a new step.
 * Throws where the file was written by a newer version than this one.
 */
export const migrate = (db: DatabaseSync, concern: string, steps: readonly string[]): void => {
  db.exec('CREATE TABLE IF NOT EXISTS migrations (concern TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT')
  inTransaction(db, () => {
    const done = query(db, Version, 'SELECT version FROM migrations WHERE concern = ?').get(concern)?.version ?? 0
    if (done > steps.length) {
      throw new Error(
        `The data folder was written by a newer version (${concern} ${done}, this one knows ${steps.length})`,
      )
    }
    for (const step of steps.slice(done)) db.exec(step)
    db.prepare(
      'INSERT INTO migrations (concern, version) VALUES (?, ?) ON CONFLICT (concern) DO UPDATE SET version = excluded.version',
    ).run(concern, steps.length)
  })
}

type Query<Row> = {
  get: (...values: SQLInputValue[]) => Row | undefined
  all: (...values: SQLInputValue[]) => Row[]
}

/** A question whose rows are read by a schema, so that a row is never of an assumed type; prepared when first asked. */
export const query = <Schema extends z.ZodMiniType>(
  db: DatabaseSync,
  schema: Schema,
  sql: string,
): Query<z.output<Schema>> => {
  let prepared: StatementSync | undefined
  const statement = () => (prepared ??= db.prepare(sql))
  return {
    get: (...values) => {
      const row = statement().get(...values)
      return row === undefined ? undefined : z.parse(schema, row)
    },
    all: (...values) =>
      statement()
        .all(...values)
        .map((row) => z.parse(schema, row)),
  }
}

/** SQLite has no booleans: 0 and 1. */
export const bit = z.codec(z.number(), z.boolean(), {
  decode: (value) => value !== 0,
  encode: (value) => (value ? 1 : 0),
})
