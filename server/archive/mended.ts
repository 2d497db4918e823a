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

/** Segments that were brought back, rows that were removed, files that were moved aside or couldn't be read. */
export type Mended = { brought: number; rows: number; aside: string[]; failed: string[] }

export const nothingMended = (): Mended => ({ brought: 0, rows: 0, aside: [], failed: [] })

export const isNotable = ({ brought, rows, aside, failed }: Mended): boolean =>
  brought + rows + aside.length + failed.length > 0
