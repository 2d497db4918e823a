import { codeOf } from '../../storage/folders.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import type { Volume, Volumes } from '../../storage/volumes.ts'

/** The archive of one recording, as its repair needs it. */
export type StreamArchive = {
  index: SegmentIndex
  volumes: Pick<Volumes, 'isMissing' | 'isBucket' | 'elsewhere' | 'verify' | 'folder' | 'storage'> &
    Record<'all' | 'available' | 'folders', () => readonly Pick<Volume, 'id'>[]>
  uid: string
  isArchived: boolean
  /** A new id, for a run that the index lacks. */
  runId: () => number
  /** Whether a sealed chunk waits for the chunk indexer. */
  isAwaited?: (start: number) => boolean
  /** Whether the file of a chunk that was handed in is kept on the disk for a while, for viewers. */
  isCopy?: (start: number) => boolean
}

/** The number of segments indexed from a file, or what was done with the file; `moved`: to lost+found. */
export type Outcome = number | 'moved' | 'removed'

/** Segments that were indexed, rows that were removed, files moved to lost+found, and files that couldn't be read. */
export type RepairResult = { restored: number; removedRows: number; movedFiles: string[]; failed: string[] }

export const nothingRepaired = (): RepairResult => ({
  restored: 0,
  removedRows: 0,
  movedFiles: [],
  failed: [],
})

export const isNotable = ({ restored, removedRows, movedFiles, failed }: RepairResult): boolean =>
  restored + removedRows + movedFiles.length + failed.length > 0

/** Adds the outcome of `work` on a file to the result; that the file no longer exists is no failure. */
export const noteFile = async (repaired: RepairResult, file: string, work: () => Promise<Outcome>): Promise<void> => {
  try {
    const outcome = await work()
    if (outcome === 'moved') repaired.movedFiles.push(file)
    else if (outcome !== 'removed') repaired.restored += outcome
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT') repaired.failed.push(`${file} (${code ?? String(error)})`)
  }
}
