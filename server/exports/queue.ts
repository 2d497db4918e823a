import { existsSync, mkdirSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Retention } from '../archive/retention/retention.ts'
import { holderElsewhere, type Cluster } from '../cluster/cluster.ts'
import { recentMs } from '../cluster/passing-on.ts'
import type { ServerContext } from '../context.ts'
import { dayMs, minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import { createSlots } from '../media/slots.ts'
import { monotonicNow } from '../monotonic.ts'
import { StoreAway } from '../store/connection.ts'
import { isWriteError } from '../store/disk-error.ts'
import { untilThere } from '../store/while-away.ts'
import { StorageAway } from '../storage/chunk-storage.ts'
import type { Site } from '../streams/site.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import type { FootageReader } from './footage.ts'
import { ExportFailed, failureReason } from './export-failed.ts'
import { endsInGrowingSegment } from './growing.ts'
import { makeExport } from './make.ts'
import type { SigningKey } from './signing-key.ts'
import { createSpaceCheck } from './space-check.ts'

/** One export at a time, as it uses the disk as fast as it can; the users take turns. */
const concurrency = 1
const sweepMs = 10 * minuteMs
/** More often in a cluster, as sweeping takes over the exports of lost nodes. */
const clusterSweepMs = minuteMs
/** The pause before another attempt while a bucket, a node or the database doesn't answer. */
const defaultRetryMs = 5000
/** An export that has tried so often in vain to read a bucket or a node lets others go first, and begins again. */
const maxTries = 60
/** The pause before an export looks again whether the segment that it ends in is complete. */
const growingMs = 500

export type ExportQueue = {
  /** Queues the exports that are unfinished or have no file, as in a backup, and deletes files of no export. */
  start: () => Promise<void>
  add: (entry: StoredExport) => void
  /** Stops making an export, and deletes it with its file. */
  remove: (id: string) => Promise<void>
  /** From 0 to 1; undefined unless the export waits or is being made. */
  progressOf: (id: string) => number | undefined
  pathOf: (id: string) => string
  /** Deletes exports that have expired, and takes over those of lost nodes. */
  sweep: () => Promise<void>
  stop: () => Promise<void>
}

type Placement = 'nodeId' | 'isLeader' | 'isAvailable' | 'nodes' | 'tenureOf' | 'holderOf'
type QueueContext = Pick<ServerContext, 'dataDir' | 'settings' | 'changes' | 'now' | 'log'> & {
  cluster: Pick<Cluster, Placement | 'isShared' | 'factSources'>
}
type Job = { progress: number; abort: AbortController; done: Promise<void> }

export const createExportQueue = (
  { dataDir, settings, cluster, changes, now, log }: QueueContext,
  site: Pick<Site, 'index' | 'read' | 'store' | 'supervisor'>,
  exports: ExportStore,
  key: SigningKey,
  { makeSpace, retryMs = defaultRetryMs }: Pick<Retention, 'makeSpace'> & { retryMs?: number },
): ExportQueue => {
  const folder = join(dataDir, 'exports')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const requireSpace = createSpaceCheck(folder, settings, exports, makeSpace)
  const slots = createSlots({ queue: 'exports', size: concurrency })
  const jobs = new Map<string, Job>()
  let isStopping = false

  const pathOf = (id: string): string => join(folder, `${id}.zip`)

  const readerOf = (uid: string, signal: AbortSignal): FootageReader => ({
    pages: (from, to) => site.index.pagesWithin(uid, from, to),
    runOf: (id) => site.index.run(uid, id),
    read: async (segment) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await site.read(uid, segment, { signal })
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof StoreAway) throw error
          if (!(error instanceof StorageAway)) throw new ExportFailed('RECORDINGS_GONE', { cause: error })
          if (tries >= maxTries) throw error
          await pause(retryMs, undefined, { signal })
        }
      }
    },
  })

  /**
   * Waits until what is being recorded of it is indexed: this node doesn't know the newest chunks of other nodes, nor
   * the ends of its own segments that still grow.
   */
  const untilIndexed = async ({ items }: StoredExport, signal: AbortSignal): Promise<void> => {
    const ends = items.filter(({ uid }) => holderElsewhere(cluster, uid) !== undefined).map(({ finish }) => finish)
    const waitMs = Math.max(...ends) + recentMs - now()
    // The system's clock may be set back meanwhile.
    const aheadMs = now() - monotonicNow()
    if (waitMs > 0) await pause(waitMs, undefined, { signal })
    for (const item of items) {
      const isGrowing = () => endsInGrowingSegment(site, item, monotonicNow() + aheadMs)
      while (await untilThere(isGrowing, signal, retryMs)) await pause(growingMs, undefined, { signal })
    }
  }

  const make = async (entry: StoredExport, job: Job): Promise<void> => {
    const { id } = entry
    const expires = () => now() + settings.exportsKeepDays * dayMs
    try {
      if (!(await exports.markRunning(id))) return undefined
      const items = entry.items.map((item) => ({ ...item, masks: site.store.find(item.uid)?.masks ?? item.masks }))
      const { bytes, sha256 } = await makeExport({ ...entry, items }, pathOf(id), {
        readerOf: (uid) => readerOf(uid, job.abort.signal),
        key,
        requireSpace: (bytes) => requireSpace(entry.items, bytes, job.abort.signal),
        onProgress: (fraction) => {
          job.progress = fraction
        },
        now,
        signal: job.abort.signal,
      })
      if (!(await exports.markReady(id, bytes, sha256, expires()))) await rm(pathOf(id), { force: true })
    } catch (error) {
      if (job.abort.signal.aborted) return undefined
      if (error instanceof StorageAway) throw error
      if (error instanceof StoreAway) {
        // Whether an answer was lost isn't known: it is made anew.
        await pause(retryMs, undefined, { signal: job.abort.signal })
        return make(entry, job)
      }
      const reason = failureReason(error)
      if (reason === 'InternalServerError') log.error({ err: error, id }, 'an export failed')
      else log.warn({ id, reason }, 'an export failed')
      // While nothing can be written it waits: else the export would stay unfinished until the next start.
      const until = expires()
      await untilThere(() => exports.markFailed(id, reason, until), job.abort.signal, retryMs, isWriteError)
    }
    return undefined
  }

  const add = (entry: StoredExport): void => {
    if (jobs.has(entry.id)) return
    const abort = new AbortController()
    const job: Job = { progress: 0, abort, done: Promise.resolve() }
    const callers = () => [entry.owner ?? '']
    const makeInTurn = (): Promise<void> =>
      slots({ callers, signal: abort.signal }, () => make(entry, job)).catch(async (error: unknown) => {
        if (!(error instanceof StorageAway)) throw error
        job.progress = 0
        await pause(retryMs, undefined, { signal: abort.signal })
        return makeInTurn()
      })
    job.done = untilIndexed(entry, abort.signal)
      .catch((error: unknown) => {
        abort.signal.throwIfAborted()
        log.warn({ err: error, id: entry.id }, 'an export does not wait for its newest recordings')
      })
      .then(makeInTurn)
      .catch((error: unknown) => {
        // An export that is removed while it waits is rejected, too.
        if (!abort.signal.aborted) log.error({ err: error, id: entry.id }, 'an export was not made')
      })
      .finally(() => {
        if (jobs.get(entry.id) === job) jobs.delete(entry.id)
      })
    jobs.set(entry.id, job)
  }

  const remove = async (id: string): Promise<void> => {
    const job = jobs.get(id)
    job?.abort.abort()
    await job?.done
    await rm(pathOf(id), { force: true })
    await exports.remove(id)
  }

  const isOwn = (node: string): boolean => !cluster.isShared || node === '' || node === cluster.nodeId
  /** Whether this node looks after the exports of another one, which isn't available. */
  const isAbandoned = (node: string): boolean => cluster.isLeader() && !cluster.isAvailable(node)

  /** Deletes files of exports that no longer exist, and stops making exports that another node has removed. */
  const prune = async (): Promise<void> => {
    // Read before the queries, so that no export counts as removed that is added meanwhile.
    const [names, earlierJobs] = [await readdir(folder), [...jobs]]
    const unfinished = (await exports.unfinished()).map(({ id }) => id)
    const kept = new Set([...unfinished, ...(await exports.readyIds())])
    for (const [id, { abort }] of earlierJobs) if (!kept.has(id)) abort.abort()
    for (const name of names) if (!kept.has(name.split('.')[0] ?? '')) await rm(join(folder, name), { force: true })
  }

  const takeOver = async (): Promise<void> => {
    const known = new Set(cluster.nodes().map(({ id }) => id))
    for (const node of await exports.makers())
      if (!isOwn(node) && isAbandoned(node)) await exports.takeOver(node, !known.has(node))
    for (const entry of await exports.unfinished()) if (!isStopping) add(entry)
  }

  const sweep = async (): Promise<void> => {
    for (const { id, node } of await exports.expired(now())) {
      if (isStopping || (!isOwn(node) && !isAbandoned(node))) continue
      await remove(id).catch((error: unknown) => {
        if (error instanceof StoreAway) throw error
        log.warn({ err: error, id }, 'an expired export could not be removed')
      })
    }
    if (cluster.isShared) await takeOver()
  }
  if (cluster.isShared) {
    changes.follow(['exports'], prune)
    cluster.factSources.push(() => ({
      exports: Object.fromEntries([...jobs].map(([id, { progress }]) => [id, progress])),
    }))
  }
  const sweepTimer = setInterval(guarded('exports: sweep', sweep), cluster.isShared ? clusterSweepMs : sweepMs)
  sweepTimer.unref()

  return {
    start: async () => {
      // Exports that were requested meanwhile are being made already.
      const [names, begun, ready] = [await readdir(folder), new Set(jobs.keys()), await exports.readyIds()]
      const kept = new Set(ready.map((id) => `${id}.zip`))
      for (const name of names)
        if (!kept.has(name) && !begun.has(name.split('.')[0] ?? '')) await rm(join(folder, name), { force: true })
      for (const id of ready) if (!existsSync(pathOf(id))) await exports.makeAgain(id)
      for (const entry of await exports.unfinished()) if (!isStopping) add(entry)
      await sweep()
    },
    add,
    remove,
    progressOf: (id) => jobs.get(id)?.progress ?? cluster.nodes().flatMap(({ facts }) => facts.exports?.[id] ?? [])[0],
    pathOf,
    sweep,
    stop: async () => {
      isStopping = true
      clearInterval(sweepTimer)
      for (const { abort } of jobs.values()) abort.abort()
      await Promise.all([...jobs.values()].map(({ done }) => done))
    },
  }
}
