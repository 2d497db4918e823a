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
  /** Whether the chunk with this start is sealed and waits to be indexed. */
  isWaitingForIndex?: (start: number) => boolean
  /** Whether the chunk with this start was handed in, and its file is kept on the disk for a while, for viewers. */
  isHandedIn?: (start: number) => boolean
}

/** The number of segments indexed from a file, or what was done with the file; `moved`: to lost+found. */
export type Outcome = number | 'moved' | 'removed'

/**
 * What a repair did: the number of segments that it indexed and of rows that it removed, the files that it moved to
 * lost+found, and those that it couldn't read.
 */
export type RepairResult = { restored: number; removedRows: number; movedFiles: string[]; failed: string[] }

export const nothingRepaired = (): RepairResult => ({
  restored: 0,
  removedRows: 0,
  movedFiles: [],
  failed: [],
})

export const isNotable = ({ restored, removedRows, movedFiles, failed }: RepairResult): boolean =>
  restored + removedRows + movedFiles.length + failed.length > 0

/** Adds what another repair of the recording did. */
export const addRepaired = (sum: RepairResult, { restored, removedRows, movedFiles, failed }: RepairResult): void => {
  sum.restored += restored
  sum.removedRows += removedRows
  sum.movedFiles.push(...movedFiles)
  sum.failed.push(...failed)
}

/** Adds the outcome of `work` on a file to `repaired`. It is no failure that the file no longer exists. */
export const addOutcome = async (repaired: RepairResult, file: string, work: () => Promise<Outcome>): Promise<void> => {
  try {
    const outcome = await work()
    if (outcome === 'moved') repaired.movedFiles.push(file)
    else if (outcome !== 'removed') repaired.restored += outcome
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT') repaired.failed.push(`${file} (${code ?? String(error)})`)
  }
}
