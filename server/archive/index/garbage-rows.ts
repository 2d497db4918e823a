import * as z from 'zod/mini'
import type { Store } from '../../store/store.ts'
import { minMoment } from './recordings.ts'

const GarbageRow = z.object({ uid: z.string(), start: z.number() })
export type Garbage = z.output<typeof GarbageRow>
/** A row with this start stands for all chunks of a recording on the disk of a node. */
export const wholeRecording = minMoment

/**
 * Chunks in buckets, and on the disks of other nodes, that are to be removed. They are listed in the transaction that
 * removes their rows.
 */
export const createGarbageRows = (store: Store) => {
  const each = async (sql: string, volume: number, garbage: readonly Garbage[]): Promise<void> => {
    for (const { uid, start } of garbage) await store.run(sql, volume, uid, start)
  }
  return {
    add: (volume: number, garbage: readonly Garbage[]): Promise<void> =>
      each('INSERT INTO garbage (volume, uid, start) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', volume, garbage),
    drop: (volume: number, garbage: readonly Garbage[]): Promise<void> =>
      each('DELETE FROM garbage WHERE volume = ? AND uid = ? AND start = ?', volume, garbage),
    has: async (volume: number, { uid, start }: Garbage): Promise<boolean> => {
      const sql = 'SELECT uid, start FROM garbage WHERE volume = ? AND uid = ? AND start = ?'
      return (await store.get(GarbageRow, sql, volume, uid, start)) !== undefined
    },
    /** Whether a node still has files of a purged recording; a node that was removed doesn't count. */
    isOnNodes: async (uid: string): Promise<boolean> => {
      const sql = `SELECT uid, start FROM garbage WHERE uid = ? AND start = ${wholeRecording}
        AND volume IN (SELECT volumes.id FROM volumes JOIN nodes ON nodes.id = volumes.node)`
      return (await store.get(GarbageRow, sql, uid)) !== undefined
    },
    list: (volume: number, limit: number): Promise<Garbage[]> =>
      store.all(
        GarbageRow,
        'SELECT uid, start FROM garbage WHERE volume = ? ORDER BY uid, start LIMIT ?',
        volume,
        limit,
      ),
  }
}
