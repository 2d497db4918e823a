import { archiveFolder, streamFolder } from '../../server/storage/folders.ts'
import { createFolderStorage } from '../../server/storage/folder-storage.ts'
import { ownVolume } from '../../server/storage/volume-list.ts'
import type { Volume, Volumes } from '../../server/storage/volumes.ts'

/** The archive of only the data folder, without volumes in the database. */
export const oneVolume = (dataDir: string): Volumes => {
  const path = archiveFolder(dataDir)
  const own: Volume = {
    id: ownVolume,
    path,
    isListed: true,
    isBucket: false,
    state: 'there',
    freeBytes: 1e12,
    totalBytes: 1e12,
    device: 0,
  }
  return {
    all: () => [own],
    available: () => [own],
    folders: () => [own],
    deletesOldest: true,
    isFull: () => false,
    isBucket: () => false,
    elsewhere: () => [],
    leavesGarbage: () => false,
    collectsGarbage: () => false,
    setNodeReader: () => undefined,
    bucket: () => undefined,
    storage: () => createFolderStorage(path),
    isMissing: () => false,
    verify: async () => true,
    folder: (_volume, uid) => streamFolder(dataDir, uid),
    targetFor: (uid) => ({ volume: ownVolume, folder: streamFolder(dataDir, uid), marker: undefined }),
    failed: () => undefined,
    refresh: async () => undefined,
    returnListeners: [],
    stop: async () => undefined,
  }
}
