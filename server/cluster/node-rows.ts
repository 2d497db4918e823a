import * as z from 'zod/mini'
import { bit, type Store } from '../store/store.ts'
import type { ClusterMember } from './cluster.ts'
import { readFacts, type NodeFacts } from './facts.ts'

/** A node without a beat for this long isn't available, and a lease that wasn't renewed for this long has ended. */
export const leaseMs = 12_000

/** The cluster's database; `clock` is the SQL of its present moment in epoch milliseconds. */
export type ClusterDatabase = { store: Store; clock: string }

export type Identity = { id: string; name: string; url: string; version: string; instance: string }

const NowRow = z.object({ now: z.number() })
const IdRow = z.object({ id: z.string() })
const BeatRow = z.object({ beatAt: z.number() })
const NodeRow = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  version: z.string(),
  lastBeatAt: z.number(),
  isDrained: bit,
  hasLeft: bit,
  isBeating: bit,
  facts: z.string(),
})

export const createNodeRows = ({ store, clock }: ClusterDatabase, self: Identity) => ({
  /** False while another instance with this id beats. */
  join: async (): Promise<boolean> => {
    const joined = await store.all(
      IdRow,
      `INSERT INTO nodes (id, name, url, version, instance, beat_at, is_drained, facts)
       VALUES (?, ?, ?, ?, ?, ${clock}, 0, '{}')
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url, version = excluded.version,
         instance = excluded.instance, beat_at = excluded.beat_at, left_at = NULL, facts = excluded.facts
       WHERE nodes.left_at IS NOT NULL OR nodes.instance = excluded.instance
         OR nodes.beat_at < excluded.beat_at - ${leaseMs}
       RETURNING id`,
      self.id,
      self.name,
      self.url,
      self.version,
      self.instance,
    )
    return joined.length > 0
  },
  lastBeat: async (): Promise<number | undefined> =>
    (await store.get(BeatRow, 'SELECT beat_at AS beatAt FROM nodes WHERE id = ?', self.id))?.beatAt,
  /** Returns the time of the beat by the database's clock; undefined if the row is gone or another instance has it. */
  beat: async (facts: NodeFacts): Promise<number | undefined> => {
    const [row] = await store.all(
      NowRow,
      `UPDATE nodes SET beat_at = ${clock}, facts = ? WHERE id = ? AND instance = ? AND left_at IS NULL
       RETURNING beat_at AS now`,
      JSON.stringify(facts),
      self.id,
      self.instance,
    )
    return row?.now
  },
  read: async (): Promise<ClusterMember[]> => {
    const rows = await store.all(
      NodeRow,
      `SELECT id, name, url, version, beat_at AS lastBeatAt, is_drained AS isDrained, facts,
         CASE WHEN left_at IS NULL THEN 0 ELSE 1 END AS hasLeft,
         CASE WHEN beat_at < ${clock} - ${leaseMs} THEN 0 ELSE 1 END AS isBeating
       FROM nodes ORDER BY id`,
    )
    return rows.map(({ hasLeft, isBeating, facts, ...row }) => ({
      ...row,
      isAvailable: isBeating && !hasLeft,
      isLost: !isBeating && !hasLeft,
      facts: readFacts(facts),
    }))
  },
  setDrained: async (id: string, isDrained: boolean): Promise<boolean> =>
    (await store.run('UPDATE nodes SET is_drained = ? WHERE id = ?', Number(isDrained), id)).changes > 0,
  /** Only a node that isn't available. */
  remove: async (id: string): Promise<boolean> => {
    const { changes } = await store.run(
      `DELETE FROM nodes WHERE id = ? AND id <> ? AND (left_at IS NOT NULL OR beat_at < ${clock} - ${leaseMs})`,
      id,
      self.id,
    )
    if (changes > 0) await store.run('UPDATE streams SET pinned_node = NULL WHERE pinned_node = ?', id)
    return changes > 0
  },
  leave: async (): Promise<void> => {
    await store.run(`UPDATE nodes SET left_at = ${clock} WHERE id = ? AND instance = ?`, self.id, self.instance)
  },
})
