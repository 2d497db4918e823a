import { codeOf } from './folders.ts'
import type { SegmentIndex } from './segment-index.ts'
import type { Volume, Volumes } from './volumes.ts'

export type StreamArchive = {
  index: SegmentIndex
  volumes: Pick<Volumes, 'isMissing' | 'verify' | 'folder'> & {
    there: () => readonly Pick<Volume, 'id' | 'path'>[]
  }
  uid: string
  isArchived: boolean
  /** An id for a run that the index doesn't know. */
  runId: () => number
  /** A sealed chunk whose row comes without help. */
  isAwaited?: (start: number) => boolean
}

/** How many segments a file brought back, or where it went. */
export type Outcome = number | 'aside' | 'removed'

/** Segments that were brought back, rows that were removed, files that were moved aside or couldn't be read. */
export type Mended = { brought: number; rows: number; aside: string[]; failed: string[] }

export const nothingMended = (): Mended => ({ brought: 0, rows: 0, aside: [], failed: [] })

export const isNotable = ({ brought, rows, aside, failed }: Mended): boolean =>
  brought + rows + aside.length + failed.length > 0

/** Notes what becomes of a file; one that is gone meanwhile is no failure. */
export const noteFile = async (mended: Mended, file: string, work: () => Promise<Outcome>): Promise<void> => {
  try {
    const outcome = await work()
    if (outcome === 'aside') mended.aside.push(file)
    else if (outcome !== 'removed') mended.brought += outcome
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT') mended.failed.push(`${file} (${code ?? String(error)})`)
  }
}
