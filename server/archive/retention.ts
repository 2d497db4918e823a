import { setImmediate as turn } from 'node:timers/promises'
import type { ServerContext, ServerSettings } from '../context.ts'
import { guarded } from '../guarded.ts'
import type { Site } from '../streams/site.ts'
import { mostOverShare, streamTotals, type StreamTotal } from './fair-share.ts'
import type { Stored } from './chunk-rows.ts'
import { unlockedOldest } from './locks.ts'
import type { OldStored } from './old-rows.ts'
import { removeStored } from './removing.ts'
import { reserveOf, spaceOf, type Space } from '../storage/volume-files.ts'
import type { Volume } from '../storage/volumes.ts'
import { streamOf, subOf } from '../streams/substream.ts'
import { hourMs } from '../durations.ts'

const everyMs = 60_000
/** Chunks deleted at once. */
const batch = 50
/** Smaller when the disk is nearly full, because the owner is chosen again after each batch. */
const shortBatch = 10
const streamsAtOnce = 50

const gigabyte = 1e9

/** The total size limit of all streams; Infinity without a limit. */
export const siteBytesOf = ({ archiveMaxGb }: Pick<ServerSettings, 'archiveMaxGb'>): number =>
  archiveMaxGb === -1 ? Infinity : archiveMaxGb * gigabyte

export type Retention = {
  /** Deletes chunks over depth or quota, and on a short disk the oldest of those over their share. */
  sweep: () => Promise<void>
  stop: () => Promise<void>
}

/** Enforces `archive.depthHours`, `archive.quotaBytes` and free space, also for removed streams. */
export const createRetention = (
  context: Pick<ServerContext, 'settings' | 'now' | 'log'>,
  site: Site,
  readDisk: (folder: string) => Promise<Pick<Space, 'freeBytes' | 'totalBytes'>> = spaceOf,
): Retention => {
  const { settings, now } = context
  const { index, volumes } = site
  const stopping = new AbortController()
  const goesOn = () => !stopping.signal.aborted
  let sweeping: Promise<void> = Promise.resolve()
  type Some = readonly (Stored | OldStored)[]
  type Owned = Pick<StreamTotal, 'uid' | 'recordings'>
  type Short = { tooMuch: (totals: readonly StreamTotal[]) => Promise<number>; why: string }

  const remove = async (some: Some): Promise<void> => {
    await removeStored(index, volumes, some)
    await turn()
  }

  const removeWhile = async (next: () => Promise<Some>): Promise<void> => {
    let found = await next()
    while (found.length > 0 && goesOn()) {
      await remove(found)
      found = await next()
    }
  }

  /** The oldest unlocked chunks of a stream and its substream together, on some volumes. */
  const oldestOf = async (on: readonly Volume[], { uid, recordings }: Owned, limit: number): Promise<Some> => {
    const locks = await site.locks.within(uid)
    const asked = on.flatMap(({ id }) =>
      recordings.map((each) => unlockedOldest(locks, limit, (from) => index.oldestOn(id, each, limit, from))),
    )
    return (await Promise.all(asked))
      .flat()
      .toSorted((a, b) => a.start - b.start)
      .slice(0, limit)
  }

  /** The oldest chunks of some recordings, up to `bytes` in total. */
  const oldestUntil = async (on: readonly Volume[], owned: Owned, bytes: number, limit: number): Promise<Some> => {
    let left = bytes
    const oldest = left > 0 ? await oldestOf(on, owned, limit) : []
    return oldest.filter((each) => {
      const goes = left > 0
      left -= each.bytes
      return goes
    })
  }

  /** Deletes the oldest chunks of the largest owner in small batches until the limits hold. */
  const deleteOldest = async (
    on: readonly Volume[],
    first: readonly StreamTotal[],
    { tooMuch, why }: Short,
  ): Promise<void> => {
    let totals = first
    const warned = new Set<string>()
    for (let over = await tooMuch(totals); over > 0 && goesOn(); over = await tooMuch(totals)) {
      const giver = mostOverShare(totals)
      if (giver === undefined) return
      const oldest = await oldestUntil(on, giver, over, shortBatch)
      await remove(oldest)
      const bytes = oldest.length === 0 ? giver.bytes : oldest.reduce((sum, each) => sum + each.bytes, 0)
      totals = totals.map((total) => (total === giver ? { ...giver, bytes: giver.bytes - bytes } : total))
      if (oldest.length > 0 && !warned.has(giver.uid)) {
        site.logs.write(giver.uid, 'warn', `${why}: the oldest recordings were removed`)
      }
      warned.add(giver.uid)
    }
  }

  const beyondDisk = async ({ path }: Volume): Promise<number> => {
    const disk = await readDisk(path)
    return reserveOf(disk) - disk.freeBytes
  }

  const freeSpaceOn = async (volume: Volume): Promise<void> => {
    const totals = streamTotals(await index.totalsOn(volume.id))
    await deleteOldest([volume], totals, { tooMuch: () => beyondDisk(volume), why: 'The disk is nearly full' })
  }

  const freeSpaceOfSite = async (): Promise<void> => {
    const tooMuch = async (totals: readonly StreamTotal[]): Promise<number> =>
      totals.reduce((sum, { bytes }) => sum + bytes, 0) - siteBytesOf(settings)
    const totals = streamTotals(await index.totals())
    await deleteOldest(volumes.there(), totals, { tooMuch, why: 'The archive has reached its size' })
  }

  const overQuota = async (owned: Owned, quotaBytes: number): Promise<Some> => {
    const held = await Promise.all(owned.recordings.map(index.bytesOf))
    return oldestUntil(volumes.there(), owned, held.reduce((sum, bytes) => sum + bytes, 0) - quotaBytes, batch)
  }

  const sweepStream = async (uid: string): Promise<void> => {
    const known = await Promise.all([uid, subOf(uid)].map(index.recording))
    const recordings = known.flatMap((each) => each?.recording ?? [])
    const stream = site.store.find(uid)
    const depths = [stream?.depthHours ?? (await index.leftOf(uid))?.depthHours ?? -1, settings.archiveMaxDepthHours]
    const depth = Math.min(...depths.filter((hours) => hours > 0))
    if (depth !== Infinity) {
      const before = now() - depth * hourMs
      const pastDepth = async (recording: number): Promise<Some> =>
        unlockedOldest(await site.locks.within(uid), batch, (from) => index.oldest(recording, before, batch, from))
      for (const recording of recordings) await removeWhile(() => pastDepth(recording))
      while (goesOn() && (await site.annotations.forgetSome(uid, before))) await turn()
    }
    const quotaBytes = stream?.quotaBytes ?? -1
    if (quotaBytes >= 0) await removeWhile(() => overQuota({ uid, recordings }, quotaBytes))
  }

  const sweepOnce = async (): Promise<void> => {
    await site.purge(stopping.signal)
    for (const volume of volumes.givesOldest ? volumes.folders() : [])
      if (volume.state !== 'unwritable') await freeSpaceOn(volume)
    await freeSpaceOfSite()
    for (const [count, uid] of [...new Set((await index.uids()).map(streamOf))].entries()) {
      if (!goesOn()) return
      if (count % streamsAtOnce === 0) await turn()
      await sweepStream(uid)
    }
    await site.settle()
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
