import { chunkFile } from '../../storage/folders.ts'
import type { Volumes } from '../../storage/volumes.ts'
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
    for (let listed = await garbage.list(id, atOnce); listed.length > 0; listed = await garbage.list(id, atOnce)) {
      for (const { uid, start } of listed)
        if (start === wholeRecording && !signal.aborted) await deleteFiles(volumes, id, uid, signal)
      const chunks = listed.flatMap(({ uid, start }) =>
        start === wholeRecording ? [] : [{ uid, file: chunkFile(start) }],
      )
      if (signal.aborted) return
      await volumes.storage(id).removeAll(chunks, signal)
      await garbage.drop(id, listed)
    }
  }
}
