import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { isDiskError } from './disk-error.ts'

/** Runs an optional write; ignores a disk that can't be written. */
export const ignoreDiskError = (note: () => void): void => {
  try {
    note()
  } catch (error) {
    if (!isDiskError(error)) throw error
  }
}

/** Runs `work` in one transaction; in a savepoint inside another one. */
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
    // SQLite rolls back by itself when the disk is full.
    if (db.isTransaction) db.exec(rollback)
    throw error
  }
}

const Version = z.object({ version: z.number() })

/** Migrates one concern's tables; steps are never edited after a release. Throws if a newer version wrote them. */
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
      `INSERT INTO migrations (concern, version) VALUES (?, ?)
       ON CONFLICT (concern) DO UPDATE SET version = excluded.version`,
    ).run(concern, steps.length)
  })
}

type Query<Row> = {
  get: (...values: SQLInputValue[]) => Row | undefined
  all: (...values: SQLInputValue[]) => Row[]
}

/** A query whose rows are parsed by a schema; prepared on first use. */
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
