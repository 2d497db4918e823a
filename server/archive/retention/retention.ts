import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import type { HealthWarning, ServerContext, ServerSettings } from '../../context.ts'
import { guarded } from '../../guarded.ts'
import { monotonicNow } from '../../monotonic.ts'
import type { Site } from '../../streams/site.ts'
import { createDeletion, type Shortage } from './deletion.ts'
import { streamTotals } from './fair-share.ts'
import { createLockedShares } from './locked-bytes.ts'
import { unlockedOldest } from './locks.ts'
import { everywhere, type Owned } from './oldest-unlocked.ts'
import type { Stored } from '../index/old-rows.ts'
import { maxMoment, totalBytesOf } from '../index/recordings.ts'
import { answered } from '../../storage/answered.ts'
import { reserveOf, spaceOf, type Space } from '../../storage/volume-files.ts'
import { StoreAway } from '../../store/connection.ts'
import { createRepeated, createSerialQueue } from '../../store/serial-queue.ts'
import type { Volume } from '../../storage/volumes.ts'
import { streamOf, subOf } from '../../streams/substream.ts'
import { createRowsLeft } from './rows-left.ts'
import { createSpaceWatch, maxShare } from './space-watch.ts'
import { dayMs, hourMs } from '../../durations.ts'

const everyMs = 60_000
/** The time between two sweeps after failures of a disk. */
const minSweepMs = 5000
/** Chunks deleted at once. */
const batch = 50
const streamsAtOnce = 50

const gigabyte = 1e9

/** The total size limit of all streams; Infinity without a limit. */
export const siteBytesOf = ({ archiveMaxGb }: Pick<ServerSettings, 'archiveMaxGb'>): number =>
  archiveMaxGb === -1 ? Infinity : archiveMaxGb * gigabyte

/** `bytes`: beyond the reserve of the disk; `keptOf`: ranges of a stream that stay. */
type WantedSpace = {
  device: number
  bytes: number
  keptOf: (uid: string) => readonly TimeRange[]
  signal: AbortSignal
}

export type Retention = {
  /**
   * Deletes chunks beyond depth or quota, and the oldest of those over their share if a disk or the archive is full.
   */
  sweep: () => Promise<void>
  /** Deletes the oldest recordings for other files, if the disk is one that retention frees. May free less. */
  makeSpace: (wanted: WantedSpace) => Promise<void>
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
  const lockedShares = createLockedShares(site, now)
  const rowsLeft = createRowsLeft(index, volumes)
  const { removeWhile, oldestUntil, deleteOldest } = createDeletion(context, site, { rowsLeft, isRunning, isInCharge })

  /** How much of the reserve of a volume's disk is used. */
  const bytesOverReserve = async ({ path }: Volume): Promise<number> => {
    const disk = await answered('statfs', readDisk(path))
    return reserveOf(disk) - disk.freeBytes
  }

  /** Deletes no more in a sweep than was short at first, as some file systems free the space of a file later. */
  const freeSpace = async (volume: Volume, wanted?: WantedSpace): Promise<void> => {
    const totals = rowsLeft.withoutLeft(volume.id, streamTotals(await index.totalsOn(volume.id)))
    const most = wanted === undefined ? Infinity : totalBytesOf(totals) * maxShare
    let atFirst: number | undefined
    const bytesOver: Shortage['bytesOver'] = async (deleted) => {
      const over = (await bytesOverReserve(volume)) + (wanted?.bytes ?? 0)
      atFirst ??= over
      return wanted?.signal.aborted === true || atFirst > most ? 0 : Math.min(over, atFirst - deleted)
    }
    const reason = wanted === undefined ? 'The disk is nearly full' : 'An export needs space on the disk'
    await deleteOldest([volume], totals, { bytesOver, reason, keptOf: wanted?.keptOf, isOfDisk: true })
  }

  /** The sweep and the watch of the free space never delete from the same disk at once. */
  const freeing = createSerialQueue()
  const freeSpaceOn = (volume: Volume, wanted?: WantedSpace): Promise<void> => freeing(() => freeSpace(volume, wanted))
  const sweptDisks = (): readonly Volume[] =>
    volumes.deletesOldest ? volumes.folders().filter(({ state }) => state !== 'unwritable') : []

  const report = (error: unknown): void => context.log.error({ err: error }, 'old recordings could not be deleted')
  /** What can't be deleted from one disk or of one stream keeps nothing else. */
  const tried = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      if (error instanceof StoreAway) throw error
      report(error)
    })

  const makeSpace = async (wanted: WantedSpace): Promise<void> => {
    for (const volume of sweptDisks()) if (volume.device === wanted.device) await tried(freeSpaceOn(volume, wanted))
  }

  const freeSpaceOfSite = async (): Promise<void> => {
    const keptFrom = await lockedShares.allKeptFrom(siteBytesOf(settings))
    const totals = streamTotals(await index.totals())
    const atFirst = totalBytesOf(totals)
    await deleteOldest(everywhere(volumes), totals, {
      // Another node may lead by now, and the limit may have changed.
      bytesOver: async (deleted) => (isInCharge() ? atFirst - deleted - siteBytesOf(settings) : 0),
      reason: 'The archive has reached its maximum size',
      keptFrom,
    })
  }

  const overQuota = async (owned: Owned, quotaBytes: number, keptFrom: number): Promise<readonly Stored[]> => {
    const sizes = await Promise.all(owned.recordings.map(index.bytesOf))
    const bytes = sizes.reduce((sum, each) => sum + each, 0) - quotaBytes
    return oldestUntil(everywhere(volumes), owned, { bytes, limit: batch, keptFrom })
  }

  /**
   * The moment before which all recordings of a stream are deleted but locked ones, at least a day ago, as newer ones
   * may wait for their rows. Without any, or while rows may be missing, -Infinity.
   */
  const unrecordedBefore = async (uid: string, recordings: readonly number[]): Promise<number> => {
    const isLiveOnly = site.store.find(uid)?.isArchived === false
    if (isLiveOnly || !site.isRepaired() || site.repackedPercent() !== undefined) return -Infinity
    const locks = await site.locks.rangesOf(uid)
    const oldest = await Promise.all(
      recordings.map((each) => unlockedOldest(locks, 1, (from) => index.oldest(each, maxMoment, 1, from))),
    )
    const starts = oldest.flat().map(({ start }) => start)
    return starts.length === 0 ? -Infinity : Math.min(...starts, now() - dayMs)
  }

  const sweepStream = async (uid: string): Promise<void> => {
    const known = await Promise.all([uid, subOf(uid)].map(index.recording))
    const recordings = known.flatMap((each) => each?.recording ?? [])
    const stream = site.store.find(uid)
    const depths = [stream?.depthHours ?? (await index.orphanOf(uid))?.depthHours ?? -1, settings.archiveMaxDepthHours]
    const depth = Math.min(...depths.filter((hours) => hours > 0))
    const before = now() - depth * hourMs
    const locksOf = () => site.locks.rangesOf(uid)
    if (depth !== Infinity) {
      const pastDepth = async (recording: number): Promise<readonly Stored[]> =>
        unlockedOldest(await locksOf(), batch, (from) => index.oldest(recording, before, batch, from))
      for (const recording of recordings) await removeWhile(() => pastDepth(recording))
    }
    const quotaBytes = stream?.quotaBytes ?? Infinity
    const keptFrom = await lockedShares.keptFrom(uid, quotaBytes)
    if (quotaBytes !== Infinity) await removeWhile(() => overQuota({ uid, recordings }, quotaBytes, keptFrom))
    const endedBefore = Math.max(before, await unrecordedBefore(uid, recordings))
    if (endedBefore === -Infinity) return
    while (isInCharge() && (await site.annotations.deleteSome(uid, endedBefore, locksOf))) await nextTurn()
  }

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
    storedOn: async ({ id }) => totalBytesOf(await index.totalsOn(id)),
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
    makeSpace,
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
