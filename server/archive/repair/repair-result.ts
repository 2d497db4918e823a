import { codeOf } from '../../storage/folders.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import { StoreAway } from '../../store/connection.ts'
import type { Volume, Volumes } from '../../storage/volumes.ts'

/** Segments that end after `from` (epoch ms) are left for later: chunks of them are added here. */
export type LateTimes = {
  from: number
  add: (late: { recording: number; volume: number; start: number }) => void
}

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
  /** What is left for later, as another node may have recorded that time. */
  late?: LateTimes
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

const maxNamed = 5

/** For the log of the stream. */
export const summaryOf = ({ restored, removedRows, movedFiles, failed }: RepairResult): string => {
  const few = (names: string[]): string =>
    `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ', …' : ''}`
  return [
    ...(restored > 0 ? [`${restored} segments without an index row were restored`] : []),
    ...(removedRows > 0 ? [`${removedRows} index rows without a file were removed`] : []),
    ...(movedFiles.length > 0
      ? [`${movedFiles.length} files that belong to no recording were moved to lost+found: ${few(movedFiles)}`]
      : []),
    ...(failed.length > 0 ? [`${failed.length} files could not be read: ${few(failed)}`] : []),
  ].join('; ')
}

/**
 * Adds the outcome of `work` on a file to `repaired`. It is no failure that the file no longer exists. Rejects only if
 * the database is away.
 */
export const addOutcome = async (repaired: RepairResult, file: string, work: () => Promise<Outcome>): Promise<void> => {
  try {
    const outcome = await work()
    if (outcome === 'moved') repaired.movedFiles.push(file)
    else if (outcome !== 'removed') repaired.restored += outcome
  } catch (error) {
    if (error instanceof StoreAway) throw error
    const code = codeOf(error)
    if (code !== 'ENOENT') repaired.failed.push(`${file} (${code ?? String(error)})`)
  }
}
