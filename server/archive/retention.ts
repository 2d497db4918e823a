import { statfs } from 'node:fs/promises'
import type { ServerContext } from '../context.ts'
import type { Site } from '../streams/site.ts'
import { removeSegments } from './files.ts'

const everyMs = 60_000
/** Segments of streams without archive stay this long: about two windows of a live playlist, and a margin. */
const passingMs = 120_000
const batch = 500
const hourMs = 3_600_000
const gibibyte = 2 ** 30

type Disk = { freeBytes: number; totalBytes: number }

/** How much of a disk stays free for the rest of the machine: 1 %, at least 200 MiB, at most 2 GiB. */
export const reserveOf = ({ totalBytes }: Disk): number => Math.min(2 * gibibyte, Math.max(0.2 * gibibyte, totalBytes / 100))

const diskOf = async (folder: string): Promise<Disk> => {
  const { blocks, bavail, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export type Retention = {
  /** Removes what is older than its stream keeps, and the oldest of all while the disk is short. */
  sweep: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Keeps the archive to `archive.depthHours` and to what the disk holds; the oldest goes first and recording goes on.
 * `readDisk` is for tests.
 */
export const createRetention = (
  context: Pick<ServerContext, 'dataDir' | 'settings' | 'now' | 'log'>,
  site: Site,
  readDisk: () => Promise<Disk> = () => diskOf(context.dataDir),
): Retention => {
  const { dataDir, settings, now } = context
  const { index } = site
  let isStopped = false
  const goesOn = () => !isStopped
  let sweeping: Promise<void> = Promise.resolve()

  const removeAged = async (uid: string, before: number, passingOnly: boolean): Promise<void> => {
    const recording = index.numbers(uid)?.recording
    if (recording === undefined) return
    let aged = index.aged(recording, before, passingOnly, batch)
    while (aged.length > 0 && goesOn()) {
      await removeSegments(index, dataDir, aged)
      aged = index.aged(recording, before, passingOnly, batch)
    }
  }

  const depthOf = (uid: string): number => {
    const depths = [site.store.find(uid)?.depthHours ?? -1, settings.archiveMaxDepthHours].filter((hours) => hours > 0)
    return Math.min(...depths)
  }

  const makeRoom = async (): Promise<void> => {
    while (goesOn()) {
      const disk = await readDisk()
      if (disk.freeBytes >= reserveOf(disk)) return
      const eldest = index.eldest(batch)
      if (eldest.length === 0) return
      await removeSegments(index, dataDir, eldest)
      for (const uid of new Set(eldest.map((segment) => segment.uid))) {
        site.logs.write(uid, 'warn', 'The disk is nearly full: the oldest recordings were removed')
      }
    }
  }

  const sweepOnce = async (): Promise<void> => {
    await makeRoom()
    for (const uid of index.uids()) {
      if (isStopped) return
      await removeAged(uid, now() - passingMs, true)
      const depth = depthOf(uid)
      if (depth === Infinity) continue
      await removeAged(uid, now() - depth * hourMs, false)
      site.annotations.forget(uid, now() - depth * hourMs)
    }
    index.dropEmptyRuns(index.uids().flatMap((uid) => site.supervisor(uid)?.live.newest()?.run.id ?? []))
  }

  const sweep = (): Promise<void> => {
    sweeping = sweeping
      .then(sweepOnce)
      .catch((error: unknown) => context.log.error({ err: error }, 'old recordings could not be removed'))
    return sweeping
  }

  const timer = setInterval(() => void sweep(), everyMs)
  let lastFailure = 0
  site.diskFailureListeners.push(() => {
    if (now() - lastFailure < 5000) return
    lastFailure = now()
    void sweep()
  })
  return {
    sweep,
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await sweeping
    },
  }
}
