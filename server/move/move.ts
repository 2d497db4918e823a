import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { ExclusiveDatabase } from '../store/exclusive-database.ts'
import { ownTables, type Move } from '../store/own-tables.ts'
import { UsageError } from '../usage-error.ts'
import { copyTables, type MoveOptions } from './copy.ts'
import { targetMarkOf, sourceMarkOf } from './marks.ts'
import type { Schema } from '../store/migration.ts'
import { prepareTarget, stepsOf } from './prepare.ts'
import { verify, type Sum } from './verify.ts'

const Statement = z.object({ sql: z.string() })

/** Marks the source. Servers don't start on a marked source, so it is unchanged when an interrupted move goes on. */
const markSource = async (
  source: ExclusiveDatabase,
  target: ExclusiveDatabase,
  known: Move | undefined,
  now: number,
): Promise<Move> => {
  const mark: Move = known ?? { id: randomUUID(), role: 'source', location: target.location, began: now, ended: null }
  await source.transaction(async () => {
    await source.change(ownTables)
    const sql = `INSERT INTO moves (id, role, place, began, ended) VALUES (?, 'source', ?, ?, NULL)
      ON CONFLICT (id) DO UPDATE SET place = excluded.place`
    await source.run(sql, mark.id, target.location, mark.began)
  })
  return mark
}

/** Recreates the indexes, foreign keys and triggers that were dropped before the copy. */
const complete = (source: ExclusiveDatabase, target: ExclusiveDatabase): Promise<void> =>
  target.transaction(async () => {
    const statements = await target.all('SELECT sql FROM move_statements ORDER BY place')
    await target.resume(statements.map((row) => z.parse(Statement, row).sql))
    await target.run('DELETE FROM move_statements')
    await target.setCounters(await source.counters())
  })

const end = async (source: ExclusiveDatabase, target: ExclusiveDatabase, { id }: Move, now: number): Promise<void> => {
  const sql = 'UPDATE moves SET ended = ? WHERE id = ?'
  await source.run(sql, now, id)
  await target.transaction(async () => {
    await target.change('DROP TABLE move_progress; DROP TABLE move_statements')
    await target.run(sql, now, id)
  })
}

/**
 * Moves every table to an empty database, and marks the source, so that no server starts on it. An interrupted move
 * continues where it stopped. Returns the compared counts and checksums of the tables; undefined if aborted.
 */
export const moveSite = async (
  source: ExclusiveDatabase,
  target: ExclusiveDatabase,
  { schema, now, ...options }: MoveOptions & { schema: Schema; now: () => number },
): Promise<Sum[] | undefined> => {
  const sourceMark = await sourceMarkOf(source)
  const targetMark = await targetMarkOf(target, sourceMark)
  const ended = (targetMark ?? sourceMark)?.ended ?? null
  if (ended !== null) throw new UsageError(`${source.location} was moved to ${sourceMark?.location} already`)
  const schemaSteps = await stepsOf(source, schema)
  const mark = await markSource(source, target, sourceMark, now())
  if (targetMark === undefined) await prepareTarget(source, target, schemaSteps, mark)
  else options.report('Going on with the move that was interrupted')
  await copyTables(source, target, options)
  if (options.signal.aborted) return undefined
  options.report('Making the indexes')
  await complete(source, target)
  options.report('Comparing every row')
  const sums = await verify(source, target, options)
  if (options.signal.aborted) return undefined
  await end(source, target, mark, now())
  return sums
}

/** How far `moveSite` has come with these databases. Refuses a target that isn't empty. */
export const progressOfMove = async (
  source: ExclusiveDatabase,
  target: ExclusiveDatabase,
): Promise<'absent' | 'begun' | 'ended'> => {
  const sourceMark = await sourceMarkOf(source)
  const targetMark = await targetMarkOf(target, sourceMark)
  if (sourceMark === undefined) return 'absent'
  return targetMark === undefined || targetMark.ended === null ? 'begun' : 'ended'
}

/** Removes the mark from a database that was moved elsewhere. Returns where it was moved to. */
export const revertMove = async (database: ExclusiveDatabase): Promise<string> => {
  const mark = await sourceMarkOf(database)
  if (mark === undefined) throw new UsageError(`${database.location} wasn't moved anywhere`)
  await database.run('DELETE FROM moves WHERE id = ?', mark.id)
  return mark.location
}
