import { statfs } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import type { Site } from '../streams/site.ts'
import { mostOver, streamTotals, type StreamTotal } from './fair-share.ts'
import { archiveFolder, removeSegments } from './files.ts'
import type { KeptSegment } from './segment-index.ts'
import { recordingsOf, streamOf } from '../streams/substream.ts'
import { hourMs } from '../durations.ts'

const everyMs = 60_000
/** Segments of streams without archive stay this long: about two live windows and a margin. */
const expiryMs = 120_000
const batch = 500
/** Smaller on a short disk: the owner to delete from is chosen again after each batch. */
const shortBatch = 100
const streamsAtOnce = 50
const gibibyte = 2 ** 30

type Disk = { freeBytes: number; totalBytes: number }

/** Free space left for the rest of the machine: 1 %, at least 200 MiB, at most 2 GiB. */
export const reserveOf = ({ totalBytes }: Disk): number =>
  Math.min(2 * gibibyte, Math.max(0.2 * gibibyte, totalBytes / 100))

const diskOf = async (folder: string): Promise<Disk> => {
  const { blocks, bavail, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export type Retention = {
  /** Deletes segments over depth or quota, and on a short disk the oldest of those over their share. */
  sweep: () => Promise<void>
  stop: () => Promise<void>
}

/** Enforces `archive.depthHours`, `archive.quotaBytes` and free space, also for removed streams. */
export const createRetention = (
  context: Pick<ServerContext, 'dataDir' | 'settings' | 'now' | 'log'>,
  site: Site,
  readDisk: () => Promise<Disk> = () => diskOf(archiveFolder(context.dataDir)),
): Retention => {
  const { dataDir, settings, now } = context
  const { index } = site
  const stopping = new AbortController()
  const goesOn = () => !stopping.signal.aborted
  let sweeping: Promise<void> = Promise.resolve()
  let runs = new Set<number>()
  let isEveryRunSeen = false

  const remove = async (segments: readonly KeptSegment[]): Promise<void> => {
    await removeSegments(index, dataDir, segments)
    for (const { run } of segments) runs.add(run)
    await turn()
  }

  const removeWhile = async (next: () => readonly KeptSegment[]): Promise<void> => {
    let found = next()
    while (found.length > 0 && goesOn()) {
      await remove(found)
      found = next()
    }
  }

  /** The oldest of a stream and its substream together. */
  const oldestOf = (recordings: readonly number[], limit: number): KeptSegment[] =>
    recordings
      .flatMap((each) => index.oldest(each, Infinity, limit))
      .toSorted((a, b) => a.start - b.start)
      .slice(0, limit)

  const makeRoom = async (): Promise<void> => {
    let totals: StreamTotal[] | undefined
    const told = new Set<string>()
    while (goesOn()) {
      const disk = await readDisk()
      if (disk.freeBytes >= reserveOf(disk)) return
      totals ??= streamTotals(index.totals())
      const giver = mostOver(totals)
      if (giver === undefined) return
      const oldest = oldestOf(giver.recordings, shortBatch)
      await remove(oldest)
      const bytes = oldest.length === 0 ? giver.bytes : oldest.reduce((sum, segment) => sum + segment.bytes, 0)
      totals = totals.map((total) => (total === giver ? { ...giver, bytes: giver.bytes - bytes } : total))
      if (oldest.length > 0 && !told.has(giver.uid)) {
        site.logs.write(giver.uid, 'warn', 'The disk is nearly full: the oldest recordings were removed')
      }
      told.add(giver.uid)
    }
  }

  const overQuota = (recordings: readonly number[], quotaBytes: number): KeptSegment[] => {
    let over = recordings.reduce((sum, each) => sum + index.bytesOf(each), 0) - quotaBytes
    return oldestOf(recordings, over > 0 ? batch : 0).filter(({ bytes }) => {
      const goes = over > 0
      over -= bytes
      return goes
    })
  }

  const sweepStream = async (uid: string): Promise<void> => {
    const recordings = recordingsOf(index, uid).flatMap((each) => index.numbers(each)?.recording ?? [])
    const stream = site.store.find(uid)
    const depths = [stream?.depthHours ?? index.leftOf(uid)?.depthHours ?? -1, settings.archiveMaxDepthHours]
    const depth = Math.min(...depths.filter((hours) => hours > 0))
    if (depth !== Infinity) {
      const before = now() - depth * hourMs
      for (const recording of recordings) await removeWhile(() => index.oldest(recording, before, batch))
      while (goesOn() && site.annotations.forgetSome(uid, before)) await turn()
    }
    const quotaBytes = stream?.quotaBytes ?? -1
    if (quotaBytes >= 0) await removeWhile(() => overQuota(recordings, quotaBytes))
  }

  /** Removes runs without segments. The first sweep checks all, in pages, after mending. */
  const dropRuns = async (): Promise<void> => {
    const inUse = new Set(
      index.uids().flatMap((uid) => {
        const live = site.supervisor(uid)?.live
        return [live?.newest()?.run.id ?? [], live?.opened().map(({ run }) => run.id) ?? []].flat()
      }),
    )
    runs = new Set(index.dropEmptyRuns(runs, inUse))
    if (isEveryRunSeen || !site.isMended()) return
    isEveryRunSeen = true
    const last = index.lastRun()
    let page = index.runsAfter(0, batch)
    while (page.length > 0 && goesOn()) {
      for (const spared of index.dropEmptyRuns(
        page.filter((id) => id <= last),
        inUse,
      ))
        runs.add(spared)
      await turn()
      page = index.runsAfter(page.at(-1) ?? last, batch)
    }
  }

  const sweepOnce = async (): Promise<void> => {
    await site.purge(stopping.signal)
    await makeRoom()
    await removeWhile(() => index.expired(now() - expiryMs, batch))
    for (const [count, uid] of [...new Set(index.uids().map(streamOf))].entries()) {
      if (!goesOn()) return
      if (count % streamsAtOnce === 0) await turn()
      await sweepStream(uid)
    }
    await dropRuns()
    site.settle()
  }

  const sweep = (): Promise<void> => {
    sweeping = sweeping
      .then(() => (goesOn() ? sweepOnce() : undefined))
      .catch((error: unknown) => context.log.error({ err: error }, 'old recordings could not be removed'))
    return sweeping
  }

  const timer = setInterval(guarded('retention: sweep', sweep), everyMs)
  let lastFailure = 0
  site.diskFailureListeners.push(() => {
    if (now() - lastFailure < 5000) return
    lastFailure = now()
    void sweep()
  })
  return {
    sweep,
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      await sweeping
    },
  }
}
