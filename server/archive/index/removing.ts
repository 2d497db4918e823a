import { isDiskError } from '../../store/disk-error.ts'
import { chunkFile } from '../../storage/folders.ts'
import { ownVolume } from '../../storage/volume-list.ts'
import type { Volumes } from '../../storage/volumes.ts'
import type { StoredChunk } from './chunk-rows.ts'
import type { StoredSegment } from './old-rows.ts'
import type { SegmentIndex } from './segment-index.ts'

type Stored = StoredChunk | StoredSegment
export type RemovingVolumes = Pick<Volumes, 'isMissing' | 'leavesGarbage' | 'storage' | 'markFailed'>

const fileOf = (stored: Stored): string => ('file' in stored ? stored.file : chunkFile(stored.start))

/**
 * Deletes chunks and segments of older versions: rows before files, so that no row lacks its file; files first if the
 * disk is too full to delete rows. Files on a missing or read-only volume stay, and repair finds them later. Chunks in
 * a bucket or on another node become garbage, which is removed later.
 */
export const removeStored = async (
  index: SegmentIndex,
  volumes: RemovingVolumes,
  stored: readonly Stored[],
): Promise<void> => {
  for (const [recording, group] of Map.groupBy(stored, (each) => each.recording)) {
    const uid = group[0]?.uid ?? ''
    const onDisks = [...Map.groupBy(group, ({ volume }) => volume)].filter(
      ([volume]) => !volumes.isMissing(volume) && !volumes.leavesGarbage(volume),
    )
    try {
      await index.remove(recording, group)
    } catch (error) {
      if (!isDiskError(error)) throw error
      for (const [volume, files] of onDisks) await volumes.storage(volume).remove(uid, files.map(fileOf))
      await index.remove(recording, group)
    }
    for (const [volume, files] of onDisks) {
      try {
        const unused: string[] = []
        for (const each of files)
          if (!('file' in each && (await index.old.isUsed(recording, each.file)))) unused.push(fileOf(each))
        await volumes.storage(volume).remove(uid, unused)
      } catch (error) {
        if (volume === ownVolume || !isDiskError(error)) throw error
        volumes.markFailed(volume)
      }
    }
  }
}
