import type { AnnotationStore } from '../archive/annotations.ts'
import { createLiveWindow, type LiveWindow } from '../archive/live-window.ts'
import { createRecorder, type Recorder } from '../archive/recorder.ts'
import type { Run, Segment, SegmentIndex } from '../archive/segment-index.ts'
import { partSeconds } from '../media/encoding.ts'
import { startIngest, type Ingest, type IngestEnd } from '../media/ingest.ts'
import { isOfDisk, whereWritable } from '../store/database.ts'
import { planIngest, type Memory } from './attempt.ts'
import type { StreamLogs } from './logs.ts'
import type { StreamRow } from './stream-store.ts'

export type SupervisorOptions = {
  dataDir: string
  index: SegmentIndex
  logs: StreamLogs
  annotations: AnnotationStore
  allowLoopback: boolean
  /** Live is cut into parts as well. */
  hasParts: boolean
  /** The node rests: no stream is wanted. */
  isDrained: () => boolean
  /** Whether it is recorded where it is to be: it isn't while it sends too much. */
  mayRecord: () => boolean
  now: () => number
  /** Between 0 and 1, for the jitter of retries. */
  random: () => number
  onSegment?: (uid: string, segment: Segment, run: Run, previous: Segment | undefined) => void
  onDiskFailure?: () => void
}

export type Status = 'pending' | 'running' | 'paused' | 'failed'

export type Supervisor = {
  live: LiveWindow
  recorder: Recorder
  status: () => { status: Status; failureReason: string }
  /** Takes over changed settings; a changed source is connected anew. */
  change: (row: StreamRow) => void
  /** The node was drained or returned. */
  reconsider: () => void
  /** Somebody watches: an on-demand stream runs until 15 s after the last call (contract.md §3). */
  extendLease: () => void
  /** Counts a watcher for a while. */
  seen: (viewer: string) => void
  viewers: () => number
  /** True while pictures may still come for somebody who waits. */
  isStarting: () => boolean
  stop: () => Promise<void>
}

const leaseMs = 15_000
const viewerMs = 12_000
const firstRetryMs = 1000
const longestRetryMs = 30_000
/** A connection that held this long was a good one: the next retry is quick again. */
const goodMs = 30_000

/** Keeps one stream going: starts its ffmpeg, tries again when it fails, stops it when nobody needs it. */
export const createSupervisor = (first: StreamRow, options: SupervisorOptions): Supervisor => {
  const { uid } = first
  const { index, logs, annotations, hasParts, now } = options
  const live = createLiveWindow()
  const watchers = new Map<string, number>()
  let row = first
  let isStopped = false
  let failureReason = ''
  let unrecordedSince: number | undefined
  let isBusy = false
  let failures = 0
  let leaseUntil = 0
  let ingest: Ingest | undefined
  let planning: AbortController | undefined
  let memory: Memory = {}
  let wake = () => {}
  let leaseTimer: NodeJS.Timeout | undefined

  const recorder = createRecorder({
    uid,
    dataDir: options.dataDir,
    index,
    live,
    isArchived: () => row.isArchived && options.mayRecord(),
    ...(hasParts ? { partSeconds } : {}),
    now,
    onFailure: (error) => {
      options.onDiskFailure?.()
      if (unrecordedSince !== undefined) return
      unrecordedSince = now()
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      logs.write(uid, 'error', isOfDisk(error) ? 'The disk is full or gone: nothing is recorded' : `A segment could not be written (${code})`)
    },
    onSegment: (segment, run, previous) => {
      if (unrecordedSince !== undefined) logs.write(uid, 'warn', `Recording again: nothing was recorded for ${Math.round((now() - unrecordedSince) / 1000)} s`)
      unrecordedSince = undefined
      if (failureReason !== '') recovered()
      options.onSegment?.(uid, segment, run, previous)
    },
  })

  const isWanted = () => !isStopped && !row.isPaused && !options.isDrained() && (!row.isOnDemand || now() < leaseUntil)

  const recovered = () => {
    annotations.closeStatus(uid, now())
    failureReason = ''
  }

  const rest = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const interrupt = () => {
    planning?.abort()
    ingest?.stop()
    wake()
  }

  const attempt = async (): Promise<IngestEnd> => {
    planning = new AbortController()
    const hadSound = index.newestRun(uid)?.hasSound ?? false
    const { signal } = planning
    const plan = await planIngest(row.source, { allowLoopback: options.allowLoopback, hadSound, hasParts, now: now(), signal }, memory)
    planning = undefined
    if (typeof plan === 'string') return isWanted() ? { kind: 'failed', reason: plan } : { kind: 'stopped' }
    if (!isWanted()) {
      plan.gateway?.close()
      return { kind: 'stopped' }
    }
    ingest = startIngest({
      args: plan.args,
      ...(plan.gateway === undefined ? {} : { gateway: plan.gateway }),
      now,
      onInit: (init) => {
        const { video } = init
        logs.write(uid, 'info', `Connected: ${video.codec}, ${video.width}×${video.height}; ${plan.words}`)
        return recorder.begin(init, plan.firstPictureAt)
      },
    })
    const end = await ingest.ended
    ingest = undefined
    return end
  }

  const failed = async (reason: string, heldMs: number): Promise<void> => {
    failures = heldMs > goodMs ? 1 : failures + 1
    // What was probed may no longer hold: ask again.
    if (failures > 1) memory = {}
    if (failureReason === '') whereWritable(() => annotations.openStatus(uid, now()))
    failureReason = reason
    const pauseMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)) * (0.7 + 0.6 * options.random())
    logs.write(uid, 'warn', `${reason}; trying again in ${Math.round(pauseMs / 100) / 10} s`)
    await rest(pauseMs)
  }

  /** Until something ends: a rest, or a connection. */
  const round = async (): Promise<void> => {
    if (!isWanted()) {
      isBusy = false
      await rest()
      if (row.isOnDemand && failureReason !== '') recovered()
      return
    }
    isBusy = true
    const startedAt = now()
    const end = await attempt().catch((): IngestEnd => ({ kind: 'failed', reason: 'ProbeError' }))
    if (end.kind === 'failed' && isWanted()) await failed(end.reason, now() - startedAt)
    if (end.kind === 'changed') {
      memory = {}
      logs.write(uid, 'info', 'The source changed its pictures: connecting again')
    }
    if (end.kind === 'stopped') logs.write(uid, 'info', 'Stopped')
  }

  /** A database that can't be written, on a full disk for one, stops no stream for good, and no server. */
  const work = async (): Promise<void> => {
    const goesOn = () => !isStopped
    while (goesOn()) {
      await round().catch(() => {
        options.onDiskFailure?.()
        return rest(firstRetryMs)
      })
    }
  }

  const watchLease = () => {
    clearTimeout(leaseTimer)
    if (isStopped || !row.isOnDemand) return
    leaseTimer = setTimeout(() => {
      if (now() < leaseUntil) watchLease()
      else if (ingest !== undefined && !isWanted()) interrupt()
    }, Math.max(50, leaseUntil - now()))
  }

  const isFresh = (): boolean => {
    const newest = live.newest()
    return newest !== undefined && ingest !== undefined && now() - newest.segment.arrivedAt < 15_000
  }

  const finished = work()

  return {
    live,
    recorder,
    status: () => {
      if (row.isPaused) return { status: 'paused', failureReason: '' }
      if (options.isDrained()) return { status: 'paused', failureReason: 'The node is drained' }
      if (failureReason !== '') return { status: 'failed', failureReason }
      return { status: isFresh() ? 'running' : 'pending', failureReason: '' }
    },
    change: (changed) => {
      const before = row
      row = changed
      const isElsewhere = before.source !== changed.source
      if (isElsewhere) {
        memory = {}
        failures = 0
      }
      if (before.isPaused !== changed.isPaused) {
        if (failureReason !== '') recovered()
        if (changed.isPaused) annotations.openStatus(uid, now())
        else annotations.closeStatus(uid, now())
        logs.write(uid, 'info', changed.isPaused ? 'Paused' : 'Resumed')
      }
      if (isElsewhere || !isWanted() || ingest === undefined) interrupt()
      watchLease()
    },
    reconsider: () => {
      const isDrained = options.isDrained()
      logs.write(uid, 'info', isDrained ? 'The node is drained' : 'The node is back')
      if (!row.isPaused && failureReason !== '') recovered()
      if (!row.isPaused && isDrained) annotations.openStatus(uid, now())
      if (!row.isPaused && !isDrained) annotations.closeStatus(uid, now())
      interrupt()
    },
    extendLease: () => {
      leaseUntil = now() + leaseMs
      if (!row.isOnDemand) return
      watchLease()
      if (!isBusy) wake()
    },
    seen: (viewer) => {
      watchers.delete(viewer)
      watchers.set(viewer, now())
      for (const [key, at] of watchers) if (now() - at > viewerMs) watchers.delete(key)
    },
    viewers: () => [...watchers.values()].filter((at) => now() - at <= viewerMs).length,
    isStarting: () => isBusy && failureReason === '',
    stop: async () => {
      isStopped = true
      clearTimeout(leaseTimer)
      interrupt()
      await finished
    },
  }
}
