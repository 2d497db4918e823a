import * as z from 'zod/mini'
import { StoreAway, UnusableDatabase, type Value } from './connection.ts'

/** The steps that make the tables of each concern. Released steps are never edited. */
export type Schema = ReadonlyMap<string, readonly string[]>

/** What a migration needs of a transaction. */
export type Tables = {
  get: <Row extends z.ZodMiniType>(row: Row, sql: string, ...values: Value[]) => Promise<z.output<Row> | undefined>
  /** Runs several statements. */
  exec: (sql: string) => Promise<unknown>
  run: (sql: string, ...values: Value[]) => Promise<unknown>
}

const Version = z.object({ version: z.number() })

const failed = (concern: string, step: number, error: unknown): Error => {
  const reason = error instanceof Error ? error.message : String(error)
  const message = `The database was not changed: step ${step} of ${concern} failed (${reason})`
  return new UnusableDatabase(message, { cause: error })
}

/**
 * Runs the steps of a concern that the database lacks. Rejects if one fails or a newer version wrote the tables; the
 * caller rolls back.
 */
export const migrateTables = async (tables: Tables, concern: string, steps: readonly string[]): Promise<void> => {
  const found = await tables.get(Version, 'SELECT version FROM migrations WHERE concern = ?', concern)
  const done = found?.version ?? 0
  if (done > steps.length) {
    const versions = `${concern} ${done}, this one knows ${steps.length}`
    throw new UnusableDatabase(`The database was written by a newer version (${versions})`)
  }
  for (const [offset, step] of steps.slice(done).entries()) {
    try {
      await tables.exec(step)
    } catch (error) {
      throw error instanceof StoreAway ? error : failed(concern, done + offset + 1, error)
    }
  }
  if (found?.version === steps.length) return
  await tables.run(
    `INSERT INTO migrations (concern, version) VALUES (?, ?)
     ON CONFLICT (concern) DO UPDATE SET version = excluded.version`,
    concern,
    steps.length,
  )
}
