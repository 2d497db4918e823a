import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import type { ServerContext } from '../../context.ts'
import type { Site } from '../../streams/site.ts'
import { streamOf } from '../../streams/substream.ts'
import type { Stored } from '../index/old-rows.ts'
import { removeStored } from '../index/removing.ts'
import { mostOverShare, type StreamTotal } from './fair-share.ts'
import { oldestOf, type Owned, type SomeVolumes } from './oldest-unlocked.ts'
import type { createRowsLeft } from './rows-left.ts'

/** Chunks deleted at once: after each batch, the stream to delete from is determined again. */
const smallBatch = 10

type Chunks = readonly Stored[]
/** Ranges of a stream in which nothing is deleted, besides its locks. */
type KeptOf = (uid: string) => readonly TimeRange[]
/**
 * `bytesOver`: how much is to be deleted, after so many bytes; `reason`: for the log of a stream; `keptFrom`: later
 * recordings stay in any case; `isOfDisk`: files are deleted though their rows are left.
 */
export type Shortage = {
  bytesOver: (deleted: number) => Promise<number>
  reason: string
  keptFrom?: number
  keptOf?: KeptOf | undefined
  isOfDisk?: boolean
}
type Limits = { bytes: number; limit: number; keptFrom?: number | undefined; keptOf?: KeptOf | undefined }
type Options = {
  rowsLeft: ReturnType<typeof createRowsLeft>
  isRunning: () => boolean
  isInCharge: () => boolean
}

/** Deletes unlocked chunks, the oldest first. */
export const createDeletion = (
  { log }: Pick<ServerContext, 'log'>,
  site: Pick<Site, 'index' | 'volumes' | 'locks' | 'logs'>,
  { rowsLeft, isRunning, isInCharge }: Options,
) => {
  const { index, volumes } = site
  /** False if rows are left, as the database can't be written to; the files are deleted all the same. */
  const remove = async (some: Chunks): Promise<boolean> => {
    const locksOf = (recording: string) => site.locks.rangesOf(streamOf(recording))
    let isDone = true
    await removeStored(index, volumes, some, locksOf, (rows, error) => {
      if (!rowsLeft.isAny()) log.error({ err: error }, 'rows of deleted recordings stay for now')
      rowsLeft.add(rows)
      isDone = false
    })
    await nextTurn()
    return isDone
  }

  const removeWhile = async (next: () => Promise<Chunks>): Promise<void> => {
    let found = await next()
    while (found.length > 0 && isInCharge() && (await remove(found))) found = await next()
  }

  /** The oldest chunks that together have at least `bytes`, but `limit` at most, and none from `keptFrom` on. */
  const oldestUntil = async (
    on: SomeVolumes,
    owned: Owned,
    { bytes, limit, keptFrom = Infinity, keptOf = () => [] }: Limits,
    fromOf?: typeof rowsLeft.fromOf,
  ): Promise<Chunks> => {
    let left = bytes
    const rangesOf = async (uid: string) => [...(await site.locks.rangesOf(uid)), ...keptOf(uid)]
    const oldest = left > 0 ? await oldestOf({ index, locks: { rangesOf } }, on, owned, limit, fromOf) : []
    return oldest.filter((each) => {
      const isNeeded = left > 0 && each.finish <= keptFrom
      left -= each.bytes
      return isNeeded
    })
  }

  /** Deletes the oldest chunks of whoever is most over their share, in small batches, until the shortage is over. */
  const deleteOldest = async (
    on: SomeVolumes,
    first: readonly StreamTotal[],
    { bytesOver, reason, keptFrom, keptOf, isOfDisk = false }: Shortage,
  ): Promise<void> => {
    let [totals, deleted] = [first, 0]
    const warned = new Set<string>()
    for (let over = await bytesOver(deleted); over > 0 && isRunning(); over = await bytesOver(deleted)) {
      const largest = mostOverShare(totals)
      if (largest === undefined) return
      const shortage = { bytes: over, limit: smallBatch, keptFrom, keptOf }
      const oldest = await oldestUntil(on, largest, shortage, isOfDisk ? rowsLeft.fromOf : undefined)
      if (!(await remove(oldest)) && !isOfDisk) return
      const removed = oldest.reduce((sum, each) => sum + each.bytes, 0)
      deleted += removed
      const bytes = oldest.length === 0 ? largest.bytes : removed
      totals = totals.map((total) => (total === largest ? { ...largest, bytes: largest.bytes - bytes } : total))
      if (oldest.length > 0 && !warned.has(largest.uid)) {
        site.logs.write(largest.uid, 'warn', `${reason}: the oldest recordings were deleted`)
      }
      warned.add(largest.uid)
    }
  }

  return { removeWhile, oldestUntil, deleteOldest }
}
