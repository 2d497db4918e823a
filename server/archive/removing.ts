import { rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDiskError } from '../store/disk-error.ts'
import type { Stored } from './chunk-rows.ts'
import { chunkFile, unless } from './folders.ts'
import type { OldStored } from './old-rows.ts'
import type { SegmentIndex } from './segment-index.ts'
import { ownVolume } from './volume-list.ts'
import type { Volumes } from './volumes.ts'

type StoredFile = Stored | OldStored
export type RemovingVolumes = Pick<Volumes, 'isMissing' | 'folder' | 'failed'>

const fileOf = (stored: StoredFile): string => ('file' in stored ? stored.file : chunkFile(stored.start))

/** The paths of files on one volume. */
const pathsOf = (volumes: RemovingVolumes, volume: number, files: readonly StoredFile[]): Map<string, StoredFile> => {
  const folder = volumes.folder(volume, files[0]?.uid ?? '')
  return new Map(files.map((each) => [join(folder, fileOf(each)), each]))
}

/**
 * Deletes rows before files, so that no row lacks its file; files first if the disk is too full to delete rows. Files
 * on a missing or read-only volume stay, and are found without a row later.
 */
export const removeStored = async (
  index: SegmentIndex,
  volumes: RemovingVolumes,
  stored: readonly StoredFile[],
): Promise<void> => {
  for (const [recording, group] of Map.groupBy(stored, (each) => each.recording)) {
    const there = [...Map.groupBy(group, ({ volume }) => volume)].filter(([volume]) => !volumes.isMissing(volume))
    const files = there.map(([volume, own]) => ({ volume, paths: pathsOf(volumes, volume, own) }))
    try {
      await index.remove(recording, group)
    } catch (error) {
      if (!isDiskError(error)) throw error
      for (const { paths } of files)
        for (const path of paths.keys()) await unlink(path).catch(unless('ENOENT', 'ENOTEMPTY'))
      await index.remove(recording, group)
    }
    for (const { volume, paths } of files) {
      const folders = new Set<string>()
      try {
        for (const [path, each] of paths) {
          if ('file' in each && (await index.old.isUsed(recording, each.file))) continue
          await unlink(path).catch(unless('ENOENT', 'ENOTEMPTY'))
          folders.add(dirname(path))
        }
        for (const each of folders) await rmdir(each).catch(unless('ENOENT', 'ENOTEMPTY'))
      } catch (error) {
        if (volume === ownVolume || !isDiskError(error)) throw error
        volumes.failed(volume)
      }
    }
  }
}
