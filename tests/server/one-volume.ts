import { archiveFolder, streamFolder } from '../../server/archive/folders.ts'
import { ownVolume } from '../../server/archive/volume-list.ts'
import type { Volume, Volumes } from '../../server/archive/volumes.ts'

/** The archive of a data folder alone, without a database that knows of volumes. */
export const oneVolume = (dataDir: string): Volumes => {
  const path = archiveFolder(dataDir)
  const own: Volume = {
    id: ownVolume,
    path,
    isListed: true,
    state: 'there',
    freeBytes: 1e12,
    totalBytes: 1e12,
    device: 0,
  }
  return {
    all: () => [own],
    there: () => [own],
    isMissing: () => false,
    verify: async () => true,
    folder: (_volume, uid) => streamFolder(dataDir, uid),
    placeOf: (uid) => ({ volume: ownVolume, folder: streamFolder(dataDir, uid), marker: undefined }),
    failed: () => undefined,
    refresh: async () => undefined,
    returnListeners: [],
    stop: async () => undefined,
  }
}
