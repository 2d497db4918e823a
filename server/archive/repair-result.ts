import { codeOf } from '../storage/folders.ts'
import type { SegmentIndex } from './segment-index.ts'
import type { Volume, Volumes } from '../storage/volumes.ts'

export type StreamArchive = {
  index: SegmentIndex
  volumes: Pick<Volumes, 'isMissing' | 'isBucket' | 'verify' | 'folder' | 'storage'> &
    Record<'all' | 'there' | 'folders', () => readonly Pick<Volume, 'id'>[]>
  uid: string
  isArchived: boolean
  /** An id for a run that the index doesn't know. */
  runId: () => number
  /** Whether a sealed chunk is about to be indexed anyway. */
  isAwaited?: (start: number) => boolean
  /** Whether a chunk's file is kept for now, although it was handed in. */
  isCopy?: (start: number) => boolean
}

/** The number of segments restored from a file, or what became of the file. */
export type Outcome = number | 'aside' | 'removed'

/** Restored segments, removed rows, files moved to lost+found, and unreadable files. */
export type RepairResult = { restored: number; rows: number; aside: string[]; failed: string[] }

export const nothingRepaired = (): RepairResult => ({ restored: 0, rows: 0, aside: [], failed: [] })

export const isNotable = ({ restored, rows, aside, failed }: RepairResult): boolean =>
  restored + rows + aside.length + failed.length > 0

/** Records the outcome for a file; a file that no longer exists is no failure. */
export const noteFile = async (repaired: RepairResult, file: string, work: () => Promise<Outcome>): Promise<void> => {
  try {
    const outcome = await work()
    if (outcome === 'aside') repaired.aside.push(file)
    else if (outcome !== 'removed') repaired.restored += outcome
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT') repaired.failed.push(`${file} (${code ?? String(error)})`)
  }
}
