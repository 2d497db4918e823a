import { rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDiskError } from '../store/disk-error.ts'
import type { Stored } from './chunk-rows.ts'
import { chunkFile, streamFolder, unless } from './folders.ts'
import type { OldStored } from './old-rows.ts'
import type { SegmentIndex } from './segment-index.ts'

const fileOf = (stored: Stored | OldStored): string => ('file' in stored ? stored.file : chunkFile(stored.start))

/** Removes rows first, so that none lacks its file; files first if the disk is too full to delete rows. */
export const removeStored = async (
  index: SegmentIndex,
  dataDir: string,
  stored: readonly (Stored | OldStored)[],
): Promise<void> => {
  const byRecording = Map.groupBy(stored, (each) => each.recording)
  for (const [recording, group] of byRecording) {
    const files = Map.groupBy(group, fileOf)
    const folder = streamFolder(dataDir, group[0]?.uid ?? '')
    try {
      await index.remove(recording, group)
    } catch (error) {
      if (!isDiskError(error)) throw error
      for (const file of files.keys()) await unlink(join(folder, file)).catch(unless('ENOENT', 'ENOTEMPTY'))
      await index.remove(recording, group)
    }
    const folders = new Set<string>()
    for (const [file, [first]] of files) {
      if (first !== undefined && 'file' in first && (await index.old.isUsed(recording, file))) continue
      const path = join(folder, file)
      await unlink(path).catch(unless('ENOENT', 'ENOTEMPTY'))
      folders.add(dirname(path))
    }
    for (const each of folders) await rmdir(each).catch(unless('ENOENT', 'ENOTEMPTY'))
  }
}
