import * as z from 'zod/mini'
import { UsageError } from '../usage-error.ts'

/**
 * Tables of the store itself. `migrations`: how many steps of each concern were run. `moves`: where the database was
 * moved to (`role` is `source`) or is being moved from (`target`); `ended` is null until all of it is there.
 */
export const ownTables = `
  CREATE TABLE IF NOT EXISTS migrations (concern TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS moves (
    id TEXT PRIMARY KEY, role TEXT NOT NULL, place TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER
  ) STRICT;`

export const Move = z.object({
  id: z.string(),
  role: z.enum(['source', 'target']),
  location: z.string(),
  began: z.coerce.number(),
  ended: z.nullable(z.coerce.number()),
})
export type Move = z.output<typeof Move>

/** The moves because of which a server must not start on this database. */
export const openMoves = `SELECT id, role, place AS location, began, ended FROM moves
  WHERE role = 'source' OR ended IS NULL`

/** Refuses a database that was moved elsewhere, or that a move into it has not filled yet. */
export const refuseMoved = ({ role, location, began, ended }: Move): never => {
  const day = new Date(ended ?? began).toISOString().slice(0, 10)
  if (role === 'target') {
    throw new UsageError(
      `The database has only a part of ${location}, which is being moved here since ${day}: ` +
        'run "sightline migrate" again to go on',
    )
  }
  const how = ended === null ? 'is being moved' : 'was moved'
  throw new UsageError(
    `The database ${how} to ${location} (${day}): start the server there, ` +
      'or take this one back with "sightline migrate --undo"',
  )
}
