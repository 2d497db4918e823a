import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { isDiskError } from '../store/disk-error.ts'
import { hoursOnDisk } from './adopt.ts'
import { syncFolder } from './folders.ts'
import type { SegmentIndex } from './segment-index.ts'
import { ownVolume } from './volume-list.ts'
import type { Volumes } from './volumes.ts'

const rowsAtOnce = 400

type SomeVolumes = () => readonly { id: number }[]
type PurgedVolumes = Pick<Volumes, 'folder'> & { all: SomeVolumes; there: SomeVolumes }

const deleteFolder = async (folder: string, signal: AbortSignal): Promise<void> => {
  for (const hour of await hoursOnDisk([folder])) {
    if (signal.aborted) return
    await rm(join(folder, hour), { recursive: true, force: true })
  }
  await rm(folder, { recursive: true, force: true })
  // Rows go last: repair would restore a folder that still has files.
  await syncFolder(dirname(folder))
}

/**
 * A purged recording stays known while a volume is missing or read-only, and its files are deleted when the volume is
 * back.
 */
export const deletePurged = async (index: SegmentIndex, volumes: PurgedVolumes, signal: AbortSignal): Promise<void> => {
  const isAllThere = volumes.there().length === volumes.all().length
  for (const purged of await index.purged()) {
    let isAllGone = isAllThere
    for (const { id } of volumes.there()) {
      if (signal.aborted) return
      await deleteFolder(volumes.folder(id, purged.uid), signal).catch((error: unknown) => {
        if (id === ownVolume || !isDiskError(error)) throw error
        isAllGone = false
      })
    }
    while (!signal.aborted && (await index.purgeSome(purged, rowsAtOnce, isAllGone))) await turn()
  }
}
