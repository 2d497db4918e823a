import { createLiveWindow, type LiveWindow } from '../archive/live-window.ts'
import { createRecorder } from '../archive/recorder.ts'
import { guarded } from '../guarded.ts'
import { partSeconds } from '../media/encoding.ts'
import { wordsOf, type FailureReason } from '../media/failures.ts'
import type { Init } from '../media/init.ts'
import { startIngest, type Ingest, type IngestEnd } from '../media/ingest.ts'
import { isDiskError } from '../store/disk-error.ts'
import { forgetSound, planIngest, type Memory } from './attempt.ts'
import { createLease } from './lease.ts'
import { createOutages } from './outages.ts'
import { createRecordingLog } from './recording-log.ts'
import { createRetries } from './retries.ts'
import type { StreamRow } from './stream-store.ts'
import type { SupervisorOptions } from './supervisor-options.ts'
import { createVideoTime, type VideoTime } from './video-time.ts'
import { createWatchers } from './watchers.ts'

export type Status = 'pending' | 'running' | 'paused' | 'failed'

export type Supervisor = {
  live: LiveWindow
  status: () => { status: Status; failureReason: string }
  change: (row: StreamRow) => void
  reconsider: () => void
  extendLease: () => void
  seen: (viewer: string) => void
  viewers: () => number
  isStarting: () => boolean
  isLive: () => boolean
  pictures: () => { init: Init | undefined; frameRate: number }
  stop: () => Promise<void>
}

const faultPauseMs = 1000
/** About two minutes. */
const failuresOfAway = 15
/** A camera counts as running this long after its last picture, longer with far keyframes. */
const freshMs = 15_000

export const createSupervisor = (first: StreamRow, options: SupervisorOptions): Supervisor => {
  const { uid } = first
  const { logs, annotations, now } = options
  const live = createLiveWindow()
  const watchers = createWatchers(now)
  const retries = createRetries(options.random)
  let row = first
  let isStopped = false
  let isBusy = false
  let ingest: Ingest | undefined
  let planning: AbortController | undefined
  let memory: Memory = {}
  let wake = () => {}
  let { lastInit } = options

  const tellFault = guarded('supervisor: round', (error: unknown) => {
    throw error
  })
  const tellDiskFailure = guarded('supervisor: disk failure', () => options.onDiskFailure?.())
  const outages = createOutages(uid, annotations, options.notes, now)
  const told = createRecordingLog((level, message) => logs.write(uid, level, message), now)
  const recorder = createRecorder({
    ...options,
    live,
    isArchived: () => row.isArchived && options.mayRecord(),
    partSeconds,
    now,
    onFailure: (error) => {
      tellDiskFailure()
      told.onFailure(error)
    },
    onSegment: (segment, run, isKept) => {
      lastInit = run.init
      told.onRecorded()
      outages.recover()
      options.onSegment?.(segment, run, isKept)
    },
    onCut: told.onCut,
    onClockSetBack: (byMs, until) => {
      told.onClockSetBack(byMs)
      options.onClockSetBack?.(until)
    },
  })

  const lease = createLease(now, () => {
    if (ingest !== undefined && !isWanted()) interrupt()
  })
  const isWanted = () => !isStopped && !row.isPaused && !options.isDrained() && (!row.isOnDemand || lease.holds())
  const watchLease = () => {
    if (isStopped || !row.isOnDemand) lease.rest()
    else lease.watch()
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

  const attempt = async (video: VideoTime): Promise<IngestEnd> => {
    planning = new AbortController()
    const { signal } = planning
    const hasFailed = retries.failures() > 0
    const hadSound = lastInit?.tracks.some(({ kind }) => kind === 'audio') ?? false
    const wanted = { uid, hasFailed, allowLoopback: options.allowLoopback, hadSound, now: now(), signal }
    const plan = await planIngest(row.source, wanted, memory).catch((error: unknown) => {
      if (!signal.aborted) throw error
      return undefined
    })
    planning = undefined
    if (plan === undefined || signal.aborted || !isWanted()) {
      if (typeof plan === 'object') plan.gateway?.close()
      return { kind: 'stopped' }
    }
    if (typeof plan === 'string') return { kind: 'failed', reason: plan }
    ingest = startIngest({
      ...plan,
      now,
      onInit: (init, fail) => {
        const { codec, width, height } = init.video
        logs.write(uid, 'info', `Connected: ${codec}, ${width}×${height}; ${plan.words}`)
        return video.heard(recorder.begin({ init, firstPictureAt: plan.firstPictureAt, fail }))
      },
    })
    return ingest.ended.finally(() => {
      ingest = undefined
    })
  }

  /** After a second failure the source is probed again, unless it was only away: probably it was not changed. */
  const pauseAfter = (videoMs: number, reason?: FailureReason): number => {
    const pauseMs = retries.fail(videoMs, reason === 'HTTP_UNAUTHORIZED')
    const wasAway = reason === 'EHOSTUNREACH' || (reason === 'The connection was lost' && videoMs > 0)
    if (retries.failures() > (wasAway ? failuresOfAway : 1)) memory = {}
    return pauseMs
  }

  const failed = async (reason: FailureReason, videoMs: number): Promise<void> => {
    if (reason === 'The source sends no keyframes' && memory.tracks !== undefined) memory.tracks.hasFarKeyframes = true
    const pauseMs = pauseAfter(videoMs, reason)
    outages.fail(reason)
    logs.write(uid, 'warn', `${wordsOf(reason)}; trying again in ${Math.round(pauseMs / 100) / 10} s`)
    await rest(pauseMs)
  }

  const round = async (): Promise<void> => {
    if (!isWanted()) {
      isBusy = false
      await rest()
      if (row.isOnDemand) outages.recover()
      return
    }
    isBusy = true
    const video = createVideoTime(() => performance.now())
    const end = await attempt(video).catch((error: unknown): IngestEnd => {
      tellFault(error)
      return { kind: 'failed', reason: isDiskError(error) ? 'The disk is full' : 'ProbeError' }
    })
    if (end.kind === 'failed' && isWanted()) await failed(end.reason, video.ms())
    if (end.kind === 'changed') {
      logs.write(uid, 'info', 'The source changed its pictures: connecting again')
      const pauseMs = pauseAfter(video.ms())
      memory = {}
      // A source that keeps changing; the first change costs nothing.
      if (retries.failures() > 1 && isWanted()) await rest(pauseMs)
    }
    if (end.kind === 'soundless') {
      logs.write(uid, 'warn', 'The source sends no sound that can be decoded: recording without it')
      forgetSound(memory)
    }
    if (end.kind === 'stopped') logs.write(uid, 'info', 'Stopped')
  }

  /** No error, such as a full disk, stops a stream for good, or the server. */
  const work = async (): Promise<void> => {
    const goesOn = () => !isStopped
    while (goesOn()) {
      await round().catch((error: unknown) => {
        tellFault(error)
        if (isDiskError(error)) tellDiskFailure()
        return rest(faultPauseMs)
      })
    }
  }

  const isLive = (): boolean => ingest !== undefined && live.isFresh(now(), freshMs)

  const finished = work()

  return {
    live,
    isLive,
    pictures: () => ({ init: lastInit, frameRate: ingest?.frameRate() ?? 0 }),
    status: () => {
      if (row.isPaused) return { status: 'paused', failureReason: '' }
      if (options.isDrained()) return { status: 'paused', failureReason: 'The node is drained' }
      const failureReason = outages.reason()
      if (failureReason !== '') return { status: 'failed', failureReason }
      return { status: isLive() ? 'running' : 'pending', failureReason: '' }
    },
    change: (changed) => {
      const before = row
      row = changed
      const isElsewhere = before.source !== changed.source
      if (isElsewhere) {
        memory = {}
        retries.reset()
      }
      if (before.isPaused !== changed.isPaused) {
        outages.pause(changed.isPaused)
        logs.write(uid, 'info', changed.isPaused ? 'Paused' : 'Resumed')
      }
      if (isElsewhere || !isWanted() || ingest === undefined) interrupt()
      watchLease()
    },
    reconsider: () => {
      const isDrained = options.isDrained()
      logs.write(uid, 'info', isDrained ? 'The node is drained' : 'The node is back')
      if (!row.isPaused) outages.pause(isDrained)
      interrupt()
    },
    extendLease: () => {
      lease.extend()
      if (!row.isOnDemand) return
      watchLease()
      if (!isBusy) wake()
    },
    seen: watchers.seen,
    viewers: watchers.count,
    isStarting: () => isBusy && outages.reason() === '',
    stop: async () => {
      isStopped = true
      lease.rest()
      interrupt()
      await finished
    },
  }
}
