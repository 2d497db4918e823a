import { archiveFolder } from './folders.ts'

/** Where recordings are stored, and what happens if there is no room. */
export type StorageOptions = {
  /** The folders for new chunks. */
  archiveDirs: readonly string[]
  /** The URL of the bucket that sealed chunks are handed in to; undefined if they stay in the folders. */
  archiveUrl: string | undefined
  /** Whether a full disk costs the oldest chunks that no bucket has yet; otherwise recording stops. */
  dropsOldest: boolean
}

/** By default recordings stay in the data folder. */
export const storageOptionsOf = (dataDir: string, given: Partial<StorageOptions>): StorageOptions => ({
  archiveDirs: given.archiveDirs ?? [archiveFolder(dataDir)],
  archiveUrl: given.archiveUrl,
  dropsOldest: given.dropsOldest ?? false,
})
