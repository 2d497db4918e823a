import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { bit, migrate, query } from '../store/database.ts'

export type NodeState = { isDrained: () => boolean; setDrained: (isDrained: boolean) => void }

const steps: readonly string[] = [
  'CREATE TABLE node_state (id INTEGER PRIMARY KEY CHECK (id = 1), is_drained INTEGER NOT NULL) STRICT',
]

export const createNodeState = (db: DatabaseSync): NodeState => {
  migrate(db, 'cluster', steps)
  let isDrained =
    query(db, z.object({ isDrained: bit }), 'SELECT is_drained AS isDrained FROM node_state').get()?.isDrained ?? false
  return {
    isDrained: () => isDrained,
    setDrained: (wanted) => {
      db.prepare('INSERT OR REPLACE INTO node_state (id, is_drained) VALUES (1, ?)').run(Number(wanted))
      isDrained = wanted
    },
  }
}
