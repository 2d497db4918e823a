import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import { isDiskError } from '../../store/disk-error.ts'
import { chunkFile } from '../../storage/folders.ts'
import { ownVolume } from '../../storage/volume-list.ts'
import type { Volumes } from '../../storage/volumes.ts'
import type { Stored } from './old-rows.ts'
import type { SegmentIndex } from './segment-index.ts'

export type RemovingVolumes = Pick<Volumes, 'isMissing' | 'leavesGarbage' | 'storage' | 'markFailed'>

const fileOf = (stored: Stored): string => ('file' in stored ? stored.file : chunkFile(stored.start))

/** Those that lie outside of all locks. */
export const outsideOf = <Each extends { start: number; finish: number }>(
  locks: readonly TimeRange[],
  stored: readonly Each[],
): Each[] => stored.filter(({ start, finish }) => !locks.some((lock) => lock.from < finish && lock.to > start))

/**
 * Deletes chunks and segments of older versions: rows before files, so that no row lacks its file; files first if the
 * disk is too full to delete rows. Files on a missing or read-only volume stay, and repair finds them later. Chunks in
 * a bucket or on another node become garbage, which is removed later. `locksOf`: what must stay of a recording, asked
 * in the transaction that deletes the rows, as it may just have been locked. `onRowsLeft`: called with the rows of
 * deleted files that stay as the database takes nothing; without it, that rejects.
 */
export const removeStored = async (
  index: SegmentIndex,
  volumes: RemovingVolumes,
  stored: readonly Stored[],
  locksOf: (recording: string) => Promise<readonly TimeRange[]> = async () => [],
  onRowsLeft?: (rows: readonly Stored[], error: unknown) => void,
): Promise<void> => {
  for (const [recording, group] of Map.groupBy(stored, (each) => each.recording)) {
    const uid = group[0]?.uid ?? ''
    const unlocked = async (all: readonly Stored[]) => outsideOf(await locksOf(uid), all)
    const onDisks = (removed: readonly Stored[]) =>
      [...Map.groupBy(removed, ({ volume }) => volume)].filter(
        ([volume]) => !volumes.isMissing(volume) && !volumes.leavesGarbage(volume),
      )
    let removed: readonly Stored[]
    try {
      removed = await index.remove(recording, group, unlocked)
    } catch (error) {
      if (!isDiskError(error)) throw error
      removed = await unlocked(group)
      for (const [volume, files] of onDisks(removed)) await volumes.storage(volume).remove(uid, files.map(fileOf))
      try {
        await index.remove(recording, removed)
      } catch (again) {
        if (onRowsLeft === undefined || !isDiskError(again)) throw again
        onRowsLeft(
          onDisks(removed).flatMap(([, files]) => files),
          again,
        )
        continue
      }
    }
    for (const [volume, files] of onDisks(removed)) {
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
