import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HealthWarning, ServerContext, ServerSettings } from '../../context.ts'
import { guarded } from '../../guarded.ts'
import { monotonicNow } from '../../monotonic.ts'
import type { Site } from '../../streams/site.ts'
import { mostOverShare, streamTotals, type StreamTotal } from './fair-share.ts'
import { createLockedShares } from './locked-bytes.ts'
import { unlockedOldest } from './locks.ts'
import { everywhere, oldestOf, type Owned, type SomeVolumes } from './oldest-unlocked.ts'
import type { Stored } from '../index/old-rows.ts'
import { removeStored } from '../index/removing.ts'
import { answered } from '../../storage/answered.ts'
import { reserveOf, spaceOf, type Space } from '../../storage/volume-files.ts'
import { StoreAway } from '../../store/connection.ts'
import { createRepeated, createSerialQueue } from '../../store/serial-queue.ts'
import type { Volume } from '../../storage/volumes.ts'
import { streamOf, subOf } from '../../streams/substream.ts'
import { createRowsLeft } from './rows-left.ts'
import { createSpaceWatch } from './space-watch.ts'
import { hourMs } from '../../durations.ts'

const everyMs = 60_000
/** The time between two sweeps after failures of a disk. */
const minSweepMs = 5000
/** Chunks deleted at once; few if space is short: after each batch, the stream to delete from is determined again. */
const [batch, smallBatch] = [50, 10]
const streamsAtOnce = 50

const gigabyte = 1e9

/** The total size limit of all streams; Infinity without a limit. */
export const siteBytesOf = ({ archiveMaxGb }: Pick<ServerSettings, 'archiveMaxGb'>): number =>
  archiveMaxGb === -1 ? Infinity : archiveMaxGb * gigabyte

export type Retention = {
  /**
   * Deletes chunks beyond depth or quota, and the oldest of those over their share if a disk or the archive is full.
   */
  sweep: () => Promise<void>
  /** Of limits that locked recordings fill. */
  warnings: () => HealthWarning[]
  stop: () => Promise<void>
}

/** Enforces `archive.depthHours`, `archive.quotaBytes` and free space, also for removed streams. */
export const createRetention = (
  context: Pick<ServerContext, 'settings' | 'cluster' | 'now' | 'log'>,
  site: Site,
  readDisk: (folder: string) => Promise<Pick<Space, 'freeBytes' | 'totalBytes'>> = spaceOf,
): Retention => {
  const { settings, cluster, now } = context
  const { index, volumes } = site
  const stopping = new AbortController()
  const isRunning = () => !stopping.signal.aborted
  const isInCharge = () => isRunning() && cluster.isLeader()
  let sweeping: Promise<void> = Promise.resolve()
  type Chunks = readonly Stored[]
  /**
   * `bytesOver`: how much is to be deleted, after so many bytes; `reason`: for the log of a stream; `keptFrom`: later
   * recordings stay in any case; `isOfDisk`: files are deleted though their rows are left.
   */
  type Shortage = {
    bytesOver: (deleted: number) => Promise<number>
    reason: string
    keptFrom?: number
    isOfDisk?: boolean
  }
  const lockedShares = createLockedShares(site, now)
  const rowsLeft = createRowsLeft(index, volumes)

  /** False if rows are left, as the database can't be written to; the files are deleted all the same. */
  const remove = async (some: Chunks): Promise<boolean> => {
    const locksOf = (recording: string) => site.locks.rangesOf(streamOf(recording))
    let isDone = true
    await removeStored(index, volumes, some, locksOf, (rows, error) => {
      if (!rowsLeft.isAny()) context.log.error({ err: error }, 'rows of deleted recordings stay for now')
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
    { bytes, limit, keptFrom = Infinity }: { bytes: number; limit: number; keptFrom?: number | undefined },
    fromOf?: typeof rowsLeft.fromOf,
  ): Promise<Chunks> => {
    let left = bytes
    const oldest = left > 0 ? await oldestOf(site, on, owned, limit, fromOf) : []
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
    { bytesOver, reason, keptFrom, isOfDisk = false }: Shortage,
  ): Promise<void> => {
    let [totals, deleted] = [first, 0]
    const warned = new Set<string>()
    for (let over = await bytesOver(deleted); over > 0 && isRunning(); over = await bytesOver(deleted)) {
      const largest = mostOverShare(totals)
      if (largest === undefined) return
      const shortage = { bytes: over, limit: smallBatch, keptFrom }
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

  /** How much of the reserve of a volume's disk is used. */
  const bytesOverReserve = async ({ path }: Volume): Promise<number> => {
    const disk = await answered('statfs', readDisk(path))
    return reserveOf(disk) - disk.freeBytes
  }

  /** Deletes no more in a sweep than was short at first, as some file systems free the space of a file later. */
  const freeSpace = async (volume: Volume): Promise<void> => {
    const totals = rowsLeft.withoutLeft(volume.id, streamTotals(await index.totalsOn(volume.id)))
    let atFirst: number | undefined
    const bytesOver: Shortage['bytesOver'] = async (deleted) => {
      const over = await bytesOverReserve(volume)
      atFirst ??= over
      return Math.min(over, atFirst - deleted)
    }
    await deleteOldest([volume], totals, { bytesOver, reason: 'The disk is nearly full', isOfDisk: true })
  }

  /** The sweep and the watch of the free space never delete from the same disk at once. */
  const freeing = createSerialQueue()
  const freeSpaceOn = (volume: Volume): Promise<void> => freeing(() => freeSpace(volume))
  const sweptDisks = (): readonly Volume[] =>
    volumes.deletesOldest ? volumes.folders().filter(({ state }) => state !== 'unwritable') : []

  const freeSpaceOfSite = async (): Promise<void> => {
    const keptFrom = await lockedShares.allKeptFrom(siteBytesOf(settings))
    const totals = streamTotals(await index.totals())
    const atFirst = totals.reduce((sum, { bytes }) => sum + bytes, 0)
    await deleteOldest(everywhere(volumes), totals, {
      // Another node may lead by now, and the limit may have changed.
      bytesOver: async (deleted) => (isInCharge() ? atFirst - deleted - siteBytesOf(settings) : 0),
      reason: 'The archive has reached its maximum size',
      keptFrom,
    })
  }

  const overQuota = async (owned: Owned, quotaBytes: number, keptFrom: number): Promise<Chunks> => {
    const sizes = await Promise.all(owned.recordings.map(index.bytesOf))
    const bytes = sizes.reduce((sum, each) => sum + each, 0) - quotaBytes
    return oldestUntil(everywhere(volumes), owned, { bytes, limit: batch, keptFrom })
  }

  const sweepStream = async (uid: string): Promise<void> => {
    const known = await Promise.all([uid, subOf(uid)].map(index.recording))
    const recordings = known.flatMap((each) => each?.recording ?? [])
    const stream = site.store.find(uid)
    const depths = [stream?.depthHours ?? (await index.orphanOf(uid))?.depthHours ?? -1, settings.archiveMaxDepthHours]
    const depth = Math.min(...depths.filter((hours) => hours > 0))
    if (depth !== Infinity) {
      const before = now() - depth * hourMs
      const pastDepth = async (recording: number): Promise<Chunks> =>
        unlockedOldest(await site.locks.rangesOf(uid), batch, (from) => index.oldest(recording, before, batch, from))
      for (const recording of recordings) await removeWhile(() => pastDepth(recording))
      while (isInCharge() && (await site.annotations.deleteSome(uid, before))) await nextTurn()
    }
    const quotaBytes = stream?.quotaBytes ?? Infinity
    const keptFrom = await lockedShares.keptFrom(uid, quotaBytes)
    if (quotaBytes !== Infinity) await removeWhile(() => overQuota({ uid, recordings }, quotaBytes, keptFrom))
  }

  const report = (error: unknown): void => context.log.error({ err: error }, 'old recordings could not be deleted')
  /** What can't be deleted from one disk or of one stream keeps nothing else. */
  const tried = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (error instanceof StoreAway) throw error
      report(error)
    })

  const sweepOnce = async (): Promise<void> => {
    await tried(rowsLeft.remove())
    if (isInCharge()) await site.purge(stopping.signal)
    // First what no stream may keep: that may be enough.
    if (isInCharge()) await tried(sweepStreams())
    for (const volume of sweptDisks()) await tried(freeSpaceOn(volume))
    if (isInCharge()) await tried(freeSpaceOfSite())
    await site.settle()
  }

  /** Deletes what is beyond depths and quotas, on all nodes; only the leader does so. */
  const sweepStreams = async (): Promise<void> => {
    for (const [count, uid] of [...new Set((await index.uids()).map(streamOf))].entries()) {
      if (!isInCharge()) return
      if (count % streamsAtOnce === 0) await nextTurn()
      await tried(sweepStream(uid))
    }
  }

  const sweepInTurn = createRepeated(async () => {
    if (isRunning()) await sweepOnce().catch(report)
  })
  const sweep = (): Promise<void> => (sweeping = sweepInTurn())

  const timer = setInterval(guarded('retention: sweep', sweep), everyMs)
  const watch = createSpaceWatch({
    volumes: sweptDisks,
    readDisk,
    isRunning,
    storedOn: async ({ id }) => (await index.totalsOn(id)).reduce((sum, { bytes }) => sum + bytes, 0),
    free: freeSpaceOn,
    onFailure: report,
  })
  let lastFailureAt = -Infinity
  site.diskFailureListeners.push(() => {
    if (monotonicNow() - lastFailureAt < minSweepMs) return
    lastFailureAt = monotonicNow()
    watch.look()
    void sweep()
  })
  return {
    sweep,
    warnings: lockedShares.warnings,
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      watch.stop()
      await sweeping
      await freeing(async () => undefined)
    },
  }
}
