import { chunkFile } from '../storage/folders.ts'
import type { Volumes } from '../storage/volumes.ts'
import { wholeRecording } from './garbage-rows.ts'
import { deleteFiles } from './purging.ts'
import type { SegmentIndex } from './segment-index.ts'

/** One request to a bucket can remove as many. */
const atOnce = 1000

type SomeVolumes = Pick<Volumes, 'storage' | 'folder' | 'collectsGarbage'> & { all: () => readonly { id: number }[] }

/** Removes the garbage that this server collects, and then its rows. */
export const removeGarbage = async (
  { garbage }: Pick<SegmentIndex, 'garbage'>,
  volumes: SomeVolumes,
  signal: AbortSignal,
): Promise<void> => {
  for (const { id } of volumes.all().filter((each) => volumes.collectsGarbage(each.id))) {
    for (let some = await garbage.some(id, atOnce); some.length > 0; some = await garbage.some(id, atOnce)) {
      for (const [uid, own] of Map.groupBy(some, (each) => each.uid)) {
        if (signal.aborted) return
        if (own.some(({ start }) => start === wholeRecording)) await deleteFiles(volumes, id, uid, signal)
        else
          await volumes.storage(id).remove(
            uid,
            own.map(({ start }) => chunkFile(start)),
            signal,
          )
        await garbage.drop(id, own)
      }
    }
  }
}
