import { mkdirSync } from 'node:fs'
import { readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServerContext } from '../context.ts'
import { dayMs, minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import { createSlots } from '../media/slots.ts'
import { isDiskError } from '../store/disk-error.ts'
import { StorageAway } from '../storage/chunk-storage.ts'
import type { Site } from '../streams/site.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import type { Reader } from './footage.ts'
import { ExportFailed } from './export-failed.ts'
import { makeExport } from './make.ts'
import type { SigningKey } from './signing-key.ts'

/** One after the other, by turns of those who asked: each reads and hashes as fast as the disk allows. */
const concurrency = 1
const sweepMs = 10 * minuteMs
/** Left on the disk for recordings. */
const reserveBytes = 1024 ** 3
const gigabyte = 1e9
/** A bucket that is away is asked again after this. */
const awayMs = 5000

export type ExportQueue = {
  /** Takes up what a restart left, and deletes files that belong to nothing. */
  start: () => Promise<void>
  add: (asked: StoredExport) => void
  /** Stops making it, and deletes its file. */
  remove: (id: string) => Promise<void>
  /** From 0 to 1; undefined unless it is being made. */
  progressOf: (id: string) => number | undefined
  pathOf: (id: string) => string
  stop: () => Promise<void>
}

type Job = { progress: number; end: AbortController; done: Promise<void> }

export const createExportQueue = (
  { dataDir, settings, now, log }: ServerContext,
  site: Pick<Site, 'index' | 'read'>,
  exports: ExportStore,
  key: SigningKey,
): ExportQueue => {
  const folder = join(dataDir, 'exports')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const slots = createSlots({ size: concurrency })
  const jobs = new Map<string, Job>()
  let isStopping = false

  const pathOf = (id: string): string => join(folder, `${id}.zip`)

  const readerOf = (uid: string, signal: AbortSignal): Reader => ({
    pages: (from, to) => site.index.pagesWithin(uid, from, to),
    runOf: (id) => site.index.run(uid, id),
    read: async (segment) => {
      for (;;) {
        try {
          return await site.read(uid, segment, signal)
        } catch (error) {
          signal.throwIfAborted()
          if (!(error instanceof StorageAway)) throw new ExportFailed('RECORDINGS_GONE', { cause: error })
          await pause(awayMs, undefined, { signal })
        }
      }
    },
  })

  const requireSpace = async (bytes: number): Promise<void> => {
    const { exportsMaxGb } = settings
    if (exportsMaxGb >= 0 && (await exports.usedBytes()) + bytes > exportsMaxGb * gigabyte)
      throw new ExportFailed('EXPORTS_FULL')
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize - bytes < reserveBytes) throw new ExportFailed('DISK_FULL')
  }

  const reasonOf = (error: unknown): string => {
    if (error instanceof ExportFailed) return error.message
    return isDiskError(error) ? 'DISK_FULL' : 'InternalServerError'
  }

  const make = async (asked: StoredExport, job: Job): Promise<void> => {
    const { id } = asked
    const expires = () => now() + settings.exportsKeepDays * dayMs
    try {
      await exports.running(id)
      const { bytes, sha256 } = await makeExport(asked, pathOf(id), {
        readerOf: (uid) => readerOf(uid, job.end.signal),
        key,
        requireSpace,
        onProgress: (share) => {
          job.progress = share
        },
        now,
        signal: job.end.signal,
      })
      await exports.ready(id, bytes, sha256, expires())
    } catch (error) {
      if (job.end.signal.aborted) return
      const reason = reasonOf(error)
      if (reason === 'InternalServerError') log.error({ err: error, id }, 'an export failed')
      else log.warn({ id, reason }, 'an export failed')
      await exports.failed(id, reason, expires())
    }
  }

  const add = (asked: StoredExport): void => {
    const end = new AbortController()
    const job: Job = { progress: 0, end, done: Promise.resolve() }
    const callers = () => [asked.owner ?? '']
    job.done = slots({ callers, signal: end.signal }, () => make(asked, job))
      .catch((error: unknown) => {
        // Those that are taken out of the queue are rejected, too.
        if (!end.signal.aborted) log.error({ err: error, id: asked.id }, 'an export was not made')
      })
      .finally(() => {
        if (jobs.get(asked.id) === job) jobs.delete(asked.id)
      })
    jobs.set(asked.id, job)
  }

  const remove = async (id: string): Promise<void> => {
    const job = jobs.get(id)
    job?.end.abort()
    await job?.done
    await rm(pathOf(id), { force: true })
    await exports.remove(id)
  }

  const sweep = async (): Promise<void> => {
    for (const id of await exports.expired(now())) if (!isStopping) await remove(id)
  }
  const sweeping = setInterval(guarded('exports: sweep', sweep), sweepMs)
  sweeping.unref()

  return {
    start: async () => {
      const waiting = await exports.unmade()
      const kept = new Set((await exports.readyIds()).map((id) => `${id}.zip`))
      for (const name of await readdir(folder)) if (!kept.has(name)) await rm(join(folder, name), { force: true })
      for (const asked of waiting) if (!isStopping) add(asked)
      await sweep()
    },
    add,
    remove,
    progressOf: (id) => jobs.get(id)?.progress,
    pathOf,
    stop: async () => {
      isStopping = true
      clearInterval(sweeping)
      for (const { end } of jobs.values()) end.abort()
      await Promise.all([...jobs.values()].map(({ done }) => done))
    },
  }
}
