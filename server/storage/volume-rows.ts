import * as z from 'zod/mini'
import { bit, type Store } from '../store/store.ts'

const VolumeRow = z.object({
  id: z.number(),
  key: z.string(),
  path: z.string(),
  isMissing: bit,
  node: z.nullable(z.string()),
})
export type VolumeRow = z.output<typeof VolumeRow>

const NodeVolumeRow = z.object({ id: z.number(), isMissing: bit, node: z.string() })
export type NodeVolumeRow = z.output<typeof NodeVolumeRow>

/** `start`: of the recording's newest chunk on the volume, epoch milliseconds; null without one. */
const NewestRow = z.object({ uid: z.string(), start: z.nullable(z.number()) })
const IdRow = z.object({ id: z.number() })

/** The volumes in the index. Their ids are never reused. */
export const createVolumeRows = (store: Store) => ({
  all: (): Promise<VolumeRow[]> =>
    store.all(VolumeRow, 'SELECT id, key, path, missing AS isMissing, node FROM volumes WHERE id > 0 ORDER BY id'),
  add: (key: string, path: string): Promise<number> =>
    store.transaction(async () => {
      await store.run('INSERT INTO volumes (key, path) VALUES (?, ?)', key, path)
      const added = await store.get(IdRow, 'SELECT id FROM volumes WHERE key = ?', key)
      if (added === undefined) throw new Error('The volume was not added to the index')
      return added.id
    }),
  /** The folders of the nodes of a cluster. */
  ofNodes: (): Promise<NodeVolumeRow[]> =>
    store.all(NodeVolumeRow, 'SELECT id, missing AS isMissing, node FROM volumes WHERE node IS NOT NULL ORDER BY id'),
  setNode: async (id: number, node: string): Promise<void> => {
    await store.run('UPDATE volumes SET node = ? WHERE id = ?', node, id)
  },
  /** Adds the row of a node's folder again, which was forgotten when the node was removed. */
  adopt: async (id: number, { key, path }: Pick<VolumeRow, 'key' | 'path'>, node: string): Promise<void> => {
    await store.run(
      `INSERT INTO volumes (id, key, path, node) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET node = excluded.node WHERE volumes.node IS NULL`,
      id,
      key,
      path,
      node,
    )
  },
  /** The newest chunk of each recording on a volume. */
  newestOn: async (volume: number): Promise<{ uid: string; start: number }[]> => {
    const rows = await store.all(
      NewestRow,
      `SELECT uid, (SELECT start FROM chunks WHERE chunks.recording = recordings.id AND chunks.volume = ?
         ORDER BY start DESC LIMIT 1) AS start
       FROM recordings WHERE purged = 0`,
      volume,
    )
    return rows.flatMap(({ uid, start }) => (start === null ? [] : [{ uid, start }]))
  },
  /** Runs `work` while no other node adds volumes. */
  exclusively: <T>(work: () => Promise<T>): Promise<T> => store.transaction(work),
  move: async (id: number, path: string): Promise<void> => {
    await store.run('UPDATE volumes SET path = ? WHERE id = ?', path, id)
  },
  setMissing: async (id: number, isMissing: boolean): Promise<void> => {
    await store.run('UPDATE volumes SET missing = ? WHERE id = ?', isMissing ? 1 : 0, id)
  },
  /** Removes a volume that isn't configured any more. False if it has recordings, or files to delete. */
  drop: async (id: number): Promise<boolean> => {
    const { changes } = await store.run(
      `DELETE FROM volumes WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM holdings
         WHERE holdings.volume = ?1 AND holdings.bytes > 0)
       AND NOT EXISTS (SELECT 1 FROM garbage WHERE garbage.volume = ?1)`,
      id,
    )
    return changes > 0
  },
})

export type VolumeRows = ReturnType<typeof createVolumeRows>
