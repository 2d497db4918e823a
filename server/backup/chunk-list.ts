import { open, type FileHandle } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { chunkFile } from '../storage/folders.ts'
import { markerOf } from '../storage/volume-files.ts'
import { ownVolume } from '../storage/volume-list.ts'
import type { Store } from '../store/store.ts'
import { chunksName, type Manifest } from './manifest.ts'
import type { TaskControl } from './task-control.ts'

const RecordingRow = z.object({ id: z.number(), uid: z.string() })
const VolumeRow = z.object({ id: z.number(), path: z.string() })
const ChunkRow = z.object({ start: z.number(), volume: z.number() })
const CountRow = z.object({ count: z.number() })

const rowsPerPage = 10_000

type List = { file: FileHandle; chunks: number }

/** Lists the chunks of an index, in one file for each volume. Its progress is in recordings. */
export const listChunks = async (
  store: Store,
  folder: string,
  ownPath: string,
  { signal, onProgress }: Pick<TaskControl, 'signal' | 'onProgress'>,
): Promise<Manifest['volumes']> => {
  const others = await store.all(VolumeRow, 'SELECT id, path FROM volumes WHERE id > 0 ORDER BY id')
  const volumes = [{ id: ownVolume, path: ownPath }, ...others]
  const lists = new Map<number, List>()
  try {
    for (const { id, path } of volumes) {
      const file = await open(join(folder, chunksName(id)), 'wx', 0o600)
      lists.set(id, { file, chunks: 0 })
      // The marker file of the volume: without it the server takes the copied folder for a disk that isn't mounted.
      if (id !== ownVolume) await file.appendFile(`${basename(markerOf(path))}\n`)
    }
    const recordings = await store.all(RecordingRow, 'SELECT id, uid FROM recordings WHERE purged = 0 ORDER BY uid')
    for (const [position, { id, uid }] of recordings.entries()) {
      for (let after = -1, isMore = true; isMore && !signal.aborted;) {
        const rows = await store.all(
          ChunkRow,
          'SELECT start, volume FROM chunks WHERE recording = ? AND start > ? ORDER BY start LIMIT ?',
          id,
          after,
          rowsPerPage,
        )
        for (const [volume, chunks] of Map.groupBy(rows, (row) => row.volume)) {
          const list = lists.get(volume)
          if (list === undefined) continue
          list.chunks += chunks.length
          await list.file.appendFile(chunks.map(({ start }) => `${basename(uid)}/${chunkFile(start)}\n`).join(''))
        }
        after = rows.at(-1)?.start ?? after
        isMore = rows.length === rowsPerPage
      }
      if (!signal.aborted) onProgress({ done: position + 1, of: recordings.length })
    }
    return volumes.map((volume) => ({ ...volume, chunks: lists.get(volume.id)?.chunks ?? 0 }))
  } finally {
    for (const { file } of lists.values()) await file.close()
  }
}

/** The number of segments of older versions that repacking hasn't converted yet; they are in no list. */
export const countOldSegments = async (store: Store): Promise<number> =>
  (await store.get(CountRow, 'SELECT count(*) AS count FROM segments'))?.count ?? 0
