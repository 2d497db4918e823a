import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDiskError } from '../../store/disk-error.ts'
import { answered } from '../../storage/answered.ts'
import { syncFolder } from '../../storage/folders.ts'
import type { SegmentIndex } from './segment-index.ts'
import { ownVolume } from '../../storage/volume-list.ts'
import type { Volume, Volumes } from '../../storage/volumes.ts'

const rowsAtOnce = 400

type PurgedVolumes = Pick<Volumes, 'folder' | 'storage' | 'elsewhere'> &
  Record<'all' | 'folders', () => readonly Pick<Volume, 'id' | 'isBucket'>[]>

/** Deletes all files of a recording on a volume. */
export const deleteFiles = async (
  volumes: Pick<Volumes, 'folder' | 'storage'>,
  volume: number,
  uid: string,
  signal: AbortSignal,
): Promise<void> => {
  const folder = volumes.folder(volume, uid)
  for (const hour of await volumes.storage(volume).hours(uid)) {
    if (signal.aborted) return
    await answered('rm', rm(join(folder, hour), { recursive: true, force: true }))
  }
  await answered('rm', rm(folder, { recursive: true, force: true }))
  // Files are deleted before rows: repair would restore a recording that has files only.
  await syncFolder(dirname(folder))
}

/**
 * Deletes the files and rows of purged recordings. A recording stays marked as purged while a disk is missing or
 * read-only, until its files on that disk are deleted too. Each node deletes the files on its own disks.
 */
export const deletePurged = async (index: SegmentIndex, volumes: PurgedVolumes, signal: AbortSignal): Promise<void> => {
  const areAllAvailable = volumes.folders().length === volumes.all().filter(({ isBucket }) => !isBucket).length
  for (const purged of await index.purged()) {
    const elsewhere = volumes.elsewhere()
    if (elsewhere.length > 0 && !purged.isListed) await index.listPurged(purged, elsewhere)
    let areFilesDeleted = areAllAvailable && !(index.isFenced && (await index.garbage.isOnNodes(purged.uid)))
    for (const { id } of volumes.folders()) {
      if (signal.aborted) return
      await deleteFiles(volumes, id, purged.uid, signal).catch((error: unknown) => {
        if (id === ownVolume || !isDiskError(error)) throw error
        areFilesDeleted = false
      })
    }
    while (!signal.aborted && (await index.purgeSome(purged, rowsAtOnce, areFilesDeleted))) await nextTurn()
  }
}
