import { archiveFolder } from './folders.ts'

/** Where recordings go. */
export type ArchiveLocations = {
  /** The folders that take new chunks. */
  archiveDirs: readonly string[]
  /** The bucket that sealed chunks are handed in to; undefined: they stay in the folders. */
  archiveUrl: string | undefined
  /** On a full disk: deletes the oldest chunks, which no bucket has yet, instead of stopping recording. */
  dropsOldest: boolean
}

/** By default recordings stay in the data folder. */
export const archiveLocationsOf = (dataDir: string, given: Partial<ArchiveLocations>): ArchiveLocations => ({
  archiveDirs: given.archiveDirs ?? [archiveFolder(dataDir)],
  archiveUrl: given.archiveUrl,
  dropsOldest: given.dropsOldest ?? false,
})
