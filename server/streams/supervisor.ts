import { createLiveWindow, type LiveWindow } from '../archive/live-window.ts'
import { guarded } from '../guarded.ts'
import { forgetSound, type Memory } from '../ingest/plan.ts'
import { createRecording, type Outcome } from '../ingest/recording.ts'
import { wordsOf, type FailureReason } from '../media/failures.ts'
import type { Init } from '../media/init.ts'
import { isDiskError } from '../store/disk-error.ts'
import { createLease } from './lease.ts'
import { createOutages } from './outages.ts'
import { createRecordingLog } from './recording-log.ts'
import { createRetries } from './retries.ts'
import type { StreamRow } from './stream-store.ts'
import type { SupervisorOptions } from './supervisor-options.ts'
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
  let memory: Memory = {}
  let wake = () => {}
  let { lastInit } = options.prepared

  const reportFault = guarded('supervisor: round', (error: unknown) => {
    throw error
  })
  const reportDiskFailure = guarded('supervisor: disk failure', () => options.onDiskFailure?.())
  const outages = createOutages(uid, annotations, options.backgroundWrites, now)
  const recordingLog = createRecordingLog((level, message) => logs.write(uid, level, message), now)
  const { pool, prepared, prepare } = options
  const recording = createRecording({
    pool,
    prepared,
    prepare,
    uid,
    live,
    isArchived: () => row.isArchived && options.isHolding() && options.mayRecord(),
    onKeyframe: options.onKeyframe,
    onConnected: (words) => logs.write(uid, 'info', `Connected: ${words}`),
    onFailure: (reason) => {
      reportDiskFailure()
      recordingLog.onFailure(reason)
    },
    onSegment: (segment, run, isKept) => {
      lastInit = run.init
      recordingLog.onRecorded()
      if (options.isHolding()) outages.noteRecorded()
      if (isKept) options.lost.recorded(segment)
      options.onSegment?.(segment, run, isKept)
    },
    onCut: recordingLog.onCut,
    onClockSetBack: (byMs, until) => {
      recordingLog.onClockSetBack(byMs)
      options.onClockSetBack?.(until)
    },
  })

  const lease = createLease(now, () => {
    if (isBusy && !isWanted()) interrupt()
  })
  const isWanted = () => !isStopped && !row.isPaused && !options.isDrained() && (!row.isOnDemand || lease.holds())
  const followLost = () => {
    if (isWanted() && row.isArchived && options.isHolding()) options.lost.begin()
    else options.lost.rest()
  }
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
    recording.stop()
    wake()
  }

  const attempt = async (): Promise<Outcome> => {
    const own = memory
    const hasFailed = retries.failures() > 0
    const hadSound = lastInit?.tracks.some(({ kind }) => kind === 'audio') ?? false
    const { allowLoopback } = options
    const request = { uid, source: row.source, hasFailed, hadSound, allowLoopback, ...own }
    const outcome = await recording.attempt(request, (tracks) => {
      own.tracks = tracks
    })
    if (outcome.tracks !== undefined) own.tracks = outcome.tracks
    return outcome
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
    if (options.isHolding()) outages.fail(reason)
    logs.write(uid, 'warn', `${wordsOf(reason)}; trying again in ${Math.round(pauseMs / 100) / 10} s`)
    await rest(pauseMs)
  }

  const round = async (): Promise<void> => {
    followLost()
    if (!isWanted()) {
      isBusy = false
      await rest()
      if (row.isOnDemand) outages.recover()
      return
    }
    isBusy = true
    const { end, videoMs } = await attempt().catch((error: unknown): Outcome => {
      reportFault(error)
      return { end: { kind: 'failed', reason: isDiskError(error) ? 'The disk is full' : 'ProbeError' }, videoMs: 0 }
    })
    if (end.kind === 'failed' && isWanted()) await failed(end.reason, videoMs)
    if (end.kind === 'died') {
      logs.write(uid, 'warn', 'The process that recorded has ended: recording in another one')
      if (isWanted()) await rest(recording.pauseMs())
    }
    if (end.kind === 'changed') {
      logs.write(uid, 'info', 'The source changed what it sends: connecting again')
      const pauseMs = pauseAfter(videoMs)
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
        reportFault(error)
        if (isDiskError(error)) reportDiskFailure()
        return rest(faultPauseMs)
      })
    }
  }

  const isLive = (): boolean => recording.isStarted() && live.isFresh(now(), freshMs)

  const finished = work()

  return {
    live,
    isLive,
    pictures: () => ({ init: lastInit, frameRate: recording.frameRate() }),
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
      followLost()
      const isElsewhere = before.source !== changed.source
      if (isElsewhere) {
        memory = {}
        retries.reset()
      }
      if (before.isPaused !== changed.isPaused) {
        outages.pause(changed.isPaused)
        logs.write(uid, 'info', changed.isPaused ? 'Paused' : 'Resumed')
      }
      recording.reconsider()
      if (isElsewhere || !isWanted() || !recording.isStarted()) interrupt()
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
      followLost()
      lease.rest()
      interrupt()
      await finished
      await recording.close()
    },
  }
}
