import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Store } from '../../store/store.ts'
import { streamOf } from '../../streams/substream.ts'
import { ownVolume } from '../../storage/volume-list.ts'
import { byVolume } from '../index/chunk-rows.ts'
import { bytesOn, deleteFirst } from '../index/recordings.ts'
import { createRuns } from '../index/runs.ts'

const HeldRow = z.object({
  uid: z.string(),
  name: z.string(),
  bytes: z.number(),
  start: z.nullable(z.number()),
  finish: z.nullable(z.number()),
})
/** What volumes have of a stream and its substream. Epoch milliseconds. */
export type Held = { uid: string; name: string; bytes: number; start: number; finish: number }

const RecordingRow = z.object({ recording: z.number() })
const SomeRow = z.object({ bytes: z.number(), last: z.nullable(z.number()) })
const IdRow = z.object({ id: z.number() })

const rowsAtOnce = 1000

const edge = (column: string, order: string): string =>
  `(SELECT ${column} FROM chunks ${byVolume} WHERE recording = recordings.id AND volume = ?1
     ORDER BY start ${order} LIMIT 1)`

/** The recordings that these volumes have, one of each stream. */
export const heldOn = async (store: Store, volumes: readonly number[]): Promise<Held[]> => {
  const found = new Map<string, Held>()
  for (const volume of volumes) {
    const rows = await store.all(
      HeldRow,
      `SELECT recordings.uid, coalesce(streams.name, recordings.name) AS name, ${bytesOn} AS bytes,
         ${edge('start', 'ASC')} AS start, ${edge('finish', 'DESC')} AS finish
       FROM recordings LEFT JOIN streams ON streams.uid = CASE WHEN recordings.uid LIKE '%.sub'
         THEN substr(recordings.uid, 1, length(recordings.uid) - 4) ELSE recordings.uid END
       WHERE purged = 0 ORDER BY name, recordings.uid`,
      volume,
    )
    for (const { uid: recording, name, bytes, start, finish } of rows) {
      if (start === null || finish === null) continue
      const uid = streamOf(recording)
      const known = found.get(uid) ?? { uid, name, bytes: 0, start, finish }
      found.set(uid, {
        uid,
        name,
        bytes: known.bytes + bytes,
        start: Math.min(known.start, start),
        finish: Math.max(known.finish, finish),
      })
    }
  }
  return [...found.values()]
}

/** The folders of a node. */
export const volumesOf = async (store: Store, node: string): Promise<number[]> =>
  (await store.all(IdRow, 'SELECT id FROM volumes WHERE node = ? ORDER BY id', node)).map(({ id }) => id)

/** Deletes the rows of some chunks of a recording on a volume; false if there are none. */
const forgetChunks = (store: Store, recording: number, volume: number): Promise<boolean> =>
  store.transaction(async () => {
    const some = await store.get(
      SomeRow,
      `SELECT coalesce(sum(bytes), 0) AS bytes, max(start) AS last FROM (
         SELECT start, bytes FROM chunks ${byVolume} WHERE recording = ? AND volume = ?
         ORDER BY start LIMIT ?) AS oldest`,
      recording,
      volume,
      rowsAtOnce,
    )
    if (some === undefined || some.last === null) return false
    await store.run(
      `DELETE FROM chunks ${byVolume} WHERE recording = ? AND volume = ? AND start <= ?`,
      recording,
      volume,
      some.last,
    )
    await store.run('UPDATE recordings SET bytes = bytes - ?2 WHERE id = ?1', recording, some.bytes)
    await store.run(
      'UPDATE holdings SET bytes = bytes - ?3 WHERE recording = ?1 AND volume = ?2',
      recording,
      volume,
      some.bytes,
    )
    return true
  })

/** The same, and then the rows of some segments of older versions, all of which are in the data folder. */
const forgetSome = async (store: Store, recording: number, volume: number): Promise<boolean> =>
  (await forgetChunks(store, recording, volume)) ||
  (volume === ownVolume && (await store.run(deleteFirst('segments'), recording, rowsAtOnce)).changes > 0)

/**
 * Removes a volume whose disk is gone from the index, with the rows of all that it has. Its files are left alone: a
 * server that finds them later indexes them again. Can be interrupted and run again. `requireGone` throws if the disk
 * is back.
 */
export const forgetVolume = async (
  store: Store,
  volume: number,
  requireGone: () => void = () => undefined,
): Promise<void> => {
  for (const { recording } of await store.all(RecordingRow, 'SELECT id AS recording FROM recordings')) {
    requireGone()
    let isAny = false
    while (await forgetSome(store, recording, volume)) {
      isAny = true
      await nextTurn()
    }
    if (isAny) await store.transaction(() => createRuns(store).dropEmpty(recording))
  }
  requireGone()
  await store.transaction(async () => {
    await store.run('DELETE FROM holdings WHERE volume = ?', volume)
    await store.run('DELETE FROM garbage WHERE volume = ?', volume)
    // The data folder of the first server always has its row.
    if (volume === ownVolume) await store.run('UPDATE volumes SET node = NULL, missing = 0 WHERE id = ?', volume)
    else await store.run('DELETE FROM volumes WHERE id = ?', volume)
  })
}
