import { isStoreWriteError } from '../../store/disk-error.ts'
import type { Stored } from '../index/old-rows.ts'
import { minMoment } from '../index/recordings.ts'
import type { SegmentIndex } from '../index/segment-index.ts'
import type { Volumes } from '../../storage/volumes.ts'
import type { StreamTotal } from './fair-share.ts'

/** Of a recording on a volume. `from`: everything earlier is deleted; `bytes`: what the rows say of it. */
type Left = { recording: number; from: number; bytes: number; rows: Map<number, Stored> }

/** Further rows stay until the repair of the next start. */
const defaultMaxRows = 100_000
const batch = 50

/**
 * Rows whose files are deleted, but which stay as the database can't be written to: its disk is full, and the
 * recordings are on others. They are removed once it can, and until then what is deleted next follows them.
 */
export const createRowsLeft = (
  index: Pick<SegmentIndex, 'remove'>,
  { unmountedSince }: Pick<Volumes, 'unmountedSince'>,
  maxRows = defaultMaxRows,
) => {
  const leftBy = new Map<string, Left>()
  const keyOf = (volume: number, recording: number): string => `${volume} ${recording}`
  const count = (): number => [...leftBy.values()].reduce((sum, { rows }) => sum + rows.size, 0)

  return {
    add: (rows: readonly Stored[]): void => {
      let free = maxRows - count()
      for (const row of rows) {
        const { volume, recording, start, bytes } = row
        const key = keyOf(volume, recording)
        const left = leftBy.get(key) ?? { recording, from: minMoment, bytes: 0, rows: new Map<number, Stored>() }
        leftBy.set(key, left)
        if (left.rows.has(start)) continue
        left.from = Math.max(left.from, start + 1)
        left.bytes += bytes
        if (free > 0) left.rows.set(start, row)
        free -= 1
      }
    },
    isAny: (): boolean => leftBy.size > 0,
    /** The moment from which a recording has files on a volume. */
    fromOf: (volume: number, recording: number): number =>
      Math.max(leftBy.get(keyOf(volume, recording))?.from ?? minMoment, unmountedSince(volume) ?? minMoment),
    /** What streams have on a volume, without the rows that are left. */
    withoutLeft: (volume: number, totals: readonly StreamTotal[]): StreamTotal[] =>
      totals.map((total) => {
        const left = total.recordings.map((recording) => leftBy.get(keyOf(volume, recording))?.bytes ?? 0)
        return { ...total, bytes: total.bytes - left.reduce((sum, bytes) => sum + bytes, 0) }
      }),
    /** Removes the rows if the database can be written to. */
    remove: async (): Promise<void> => {
      try {
        for (const [key, { recording, rows }] of leftBy) {
          while (rows.size > 0) {
            const some = [...rows.values().take(batch)]
            await index.remove(recording, some)
            for (const { start } of some) rows.delete(start)
          }
          leftBy.delete(key)
        }
      } catch (error) {
        if (!isStoreWriteError(error)) throw error
      }
    },
  }
}
