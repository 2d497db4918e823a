import * as z from 'zod/mini'
import type { ExclusiveDatabase, Table } from '../store/exclusive-database.ts'
import { Move } from '../store/own-tables.ts'
import { UsageError } from '../usage-error.ts'

/** In the target during a move: how far each table is copied, and the statements that recreate indexes and the like. */
export const progressTables = `
  CREATE TABLE move_progress (
    name TEXT PRIMARY KEY, position TEXT NOT NULL, count INTEGER NOT NULL, is_done INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE move_statements (place INTEGER PRIMARY KEY, sql TEXT NOT NULL) STRICT;`

/** Tables of the store itself, which an empty database has too. */
const storeTables = ['migrations', 'moves']
const namesOfOthers: ReadonlySet<string> = new Set([...storeTables, 'move_progress', 'move_statements'])

/** The tables of the site: all but those of the store and of the move. */
export const siteTables = async (database: ExclusiveDatabase): Promise<Table[]> =>
  (await database.tables()).filter(({ name }) => !namesOfOthers.has(name))

const movesOf = async (database: ExclusiveDatabase): Promise<Move[]> => {
  if (!(await database.names()).includes('moves')) return []
  const rows = await database.all('SELECT id, role, place AS location, began, ended FROM moves ORDER BY began')
  return rows.map((row) => z.parse(Move, row))
}

/** The row of a source that says where it was moved to, or is being moved to. */
export const sourceMarkOf = async (source: ExclusiveDatabase): Promise<Move | undefined> =>
  (await movesOf(source)).find(({ role }) => role === 'source')

/** The row of the same move in its target; undefined for an empty target. Refuses any other database. */
export const targetMarkOf = async (target: ExclusiveDatabase, mark: Move | undefined): Promise<Move | undefined> => {
  const moves = await movesOf(target)
  const same = moves.find(({ role, id }) => role === 'target' && id === mark?.id)
  if (same !== undefined) return same
  const tables = (await target.names()).filter((name) => !storeTables.includes(name))
  if (tables.length === 0 && moves.length === 0) return undefined
  const [moved] = moves.filter(({ role }) => role === 'source')
  const why = moved === undefined ? `has ${tables.length} tables` : `was moved to ${moved.location}`
  throw new UsageError(`${target.location} isn't empty (it ${why}): remove it or name another`)
}
