import { archiveFolder } from './folders.ts'

/** Where recordings go. */
export type ArchiveLocations = {
  /** The folders that take new chunks. */
  archiveDirs: readonly string[]
  /** The bucket that sealed chunks are handed in to; undefined: they stay in the folders. */
  archiveUrl: string | undefined
  /** Whether a full disk loses the oldest chunks that no bucket has yet, instead of recording no more. */
  dropsSpool: boolean
}

/** By default recordings stay in the data folder. */
export const archiveLocationsOf = (dataDir: string, given: Partial<ArchiveLocations>): ArchiveLocations => ({
  archiveDirs: given.archiveDirs ?? [archiveFolder(dataDir)],
  archiveUrl: given.archiveUrl,
  dropsSpool: given.dropsSpool ?? false,
})
