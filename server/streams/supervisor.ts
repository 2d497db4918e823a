import { createLiveWindow, type LiveWindow } from '../archive/recorder/live-window.ts'
import { guarded, reportFault } from '../guarded.ts'
import type { KnownTracks } from '../ingest/plan.ts'
import { createRecording, type Outcome } from '../ingest/recording.ts'
import { wordsOf, type FailureReason } from '../media/failures.ts'
import { isDiskError } from '../store/disk-error.ts'
import { createLease } from './lease.ts'
import { createOutages } from './outages.ts'
import { createRecordingLog } from './recording-log.ts'
import { createRetries } from './retries.ts'
import { createSoundRetries } from './sound-retries.ts'
import type { StreamRow } from './stream-store.ts'
import type { SupervisorOptions } from './supervisor-options.ts'
import { createViewers } from './viewers.ts'

export type Status = 'pending' | 'running' | 'paused' | 'failed'

export type Supervisor = {
  live: LiveWindow
  status: () => { status: Status; failureReason: string }
  change: (row: StreamRow) => void
  /** The node was drained, or is back. */
  reconsider: () => void
  extendLease: () => void
  /** Counts a viewer of live; `viewer` identifies a browser. */
  noteViewer: (viewer: string) => void
  viewers: () => number
  /** Connecting or recording, without a failure. */
  isStarting: () => boolean
  isLive: () => boolean
  /** Frames per second. */
  frameRate: () => number
  stop: () => Promise<void>
}

const errorPauseMs = 1000
/** So many connections in a row that end as the source changes, without video, are a failure. */
const maxChanges = 3
/** A stream counts as running this long after its last segment, longer with far keyframes. */
const freshMs = 15_000

export const createSupervisor = (initialRow: StreamRow, options: SupervisorOptions): Supervisor => {
  const { uid } = initialRow
  const { logs, now, pool, prepared, prepare } = options
  const live = createLiveWindow()
  const viewers = createViewers()
  const retries = createRetries()
  const soundRetries = createSoundRetries()
  let row = initialRow
  let isStopped = false
  let isActive = false
  /** What is known of the source's tracks; emptied to have the source probed again. */
  let knownTracks: KnownTracks = options.known
  let endWait = () => {}
  let { lastInit } = prepared

  const reportDiskFailure = guarded('supervisor: disk failure', () => options.onDiskFailure())
  const outages = createOutages(uid, options)
  const recordingLog = createRecordingLog((level, message) => logs.write(uid, level, message))
  const recording = createRecording({
    pool,
    prepared,
    prepare,
    uid,
    live,
    isArchived: () => row.isArchived && options.isKeeping() && options.mayRecord(),
    onKeyframe: options.onKeyframe,
    onConnected: (summary) => logs.write(uid, 'info', `Connected: ${summary}`),
    onSound: recordingLog.onSound,
    onFailure: (reason) => {
      reportDiskFailure()
      recordingLog.onFailure(reason)
    },
    onSegment: (segment, run, isKept) => {
      lastInit = run.init
      recordingLog.onRecorded()
      if (options.isHolding()) outages.noteRecorded()
      if (isKept) options.lostTime.recorded(segment)
      options.onSegment(segment, run, isKept)
    },
    onCut: recordingLog.onCut,
    onClockSetBack: (byMs, until) => {
      recordingLog.onClockSetBack(byMs)
      options.onClockSetBack(until)
    },
  })

  const lease = createLease(() => {
    if (isActive && !shouldRun()) interrupt()
  })
  const shouldRun = () => !isStopped && !row.isPaused && !options.isDrained() && (!row.isOnDemand || lease.holds())
  const updateLostTime = () => {
    if (shouldRun() && row.isArchived && options.isHolding()) options.lostTime.begin()
    else options.lostTime.pause()
  }
  const updateLeaseTimer = () => {
    if (isStopped || !row.isOnDemand) lease.unwatch()
    else lease.watch()
  }

  const wait = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      endWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** Ends the connection or the wait; the next cycle connects again if the stream should run. */
  const interrupt = () => {
    recording.stop()
    endWait()
  }

  const attempt = async (): Promise<Outcome> => {
    // A change of the source replaces `knownTracks` during the attempt, whose results then don't count.
    const ofAttempt = knownTracks
    if (ofAttempt.tracks !== undefined) ofAttempt.tracks = soundRetries.forNext(ofAttempt.tracks)
    const hasFailed = retries.failures() > 0
    const hadSound = lastInit?.tracks.some(({ kind }) => kind === 'audio') ?? false
    const { source } = row
    const request = { uid, source, hasFailed, hadSound, allowLoopback: options.allowLoopback, ...ofAttempt }
    const outcome = await recording.attempt(request, (tracks, isConfirmed) => {
      ofAttempt.tracks = tracks
      soundRetries.note(tracks)
      if (isConfirmed) options.keepTracks(source, tracks)
    })
    if (outcome.tracks !== undefined) ofAttempt.tracks = outcome.tracks
    return outcome
  }

  /** Returns how long to wait, in milliseconds. */
  const registerFailure = (videoMs: number, reason?: FailureReason): number => {
    const pauseMs = retries.fail(videoMs, reason)
    if (retries.needsProbe()) knownTracks = {}
    return pauseMs
  }

  const handleFailure = async (reason: FailureReason, videoMs: number): Promise<void> => {
    if (reason === 'The source sends no keyframes' && knownTracks.tracks !== undefined)
      knownTracks.tracks.hasFarKeyframes = true
    // A source that sends too much waits longer each time, like one that has never delivered video.
    const pauseMs = registerFailure(reason === 'The source sends too much at once' ? 0 : videoMs, reason)
    if (options.isHolding()) outages.fail(reason)
    logs.write(uid, 'warn', `${wordsOf(reason)}; trying again in ${Math.round(pauseMs / 100) / 10} s`)
    await wait(pauseMs)
  }

  /** One connection and the wait after it, or the wait until the stream should run. */
  const cycle = async (): Promise<void> => {
    updateLostTime()
    if (!shouldRun()) {
      isActive = false
      await wait()
      if (row.isOnDemand) outages.recover()
      return
    }
    isActive = true
    const { end, videoMs } = await attempt().catch((error: unknown): Outcome => {
      reportFault({ callback: 'supervisor: cycle', error })
      return { end: { kind: 'failed', reason: isDiskError(error) ? 'The disk is full' : 'ProbeError' }, videoMs: 0 }
    })
    if (end.kind === 'failed' && shouldRun()) await handleFailure(end.reason, videoMs)
    if (end.kind === 'died') {
      logs.write(uid, 'warn', 'The process that recorded has ended: recording in another one')
      if (shouldRun()) await wait(recording.pauseMs())
    }
    if (end.kind === 'changed') {
      const reason: FailureReason = 'The source changed what it sends'
      logs.write(uid, 'info', `${reason}: connecting again`)
      const pauseMs = registerFailure(videoMs)
      const isStuck = videoMs === 0 && retries.failures() >= maxChanges
      if (isStuck && shouldRun() && options.isHolding()) outages.fail(reason)
      knownTracks = {}
      // The first change is followed at once; a source that keeps changing waits.
      if (retries.failures() > 1 && shouldRun()) await wait(pauseMs)
    }
    if (end.kind === 'stopped') logs.write(uid, 'info', 'Stopped')
  }

  /** No error, such as a full disk, ends the supervision or the server. */
  const runCycles = async (): Promise<void> => {
    const isRunning = () => !isStopped
    while (isRunning()) {
      await cycle().catch((error: unknown) => {
        reportFault({ callback: 'supervisor: cycle', error })
        if (isDiskError(error)) reportDiskFailure()
        return wait(errorPauseMs)
      })
    }
  }

  const isLive = (): boolean => recording.isStarted() && live.isFresh(now(), freshMs)
  const finished = runCycles()

  return {
    live,
    isLive,
    frameRate: recording.frameRate,
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
      updateLostTime()
      const hasNewSource = before.source !== changed.source
      if (hasNewSource) {
        knownTracks = {}
        retries.reset()
      }
      if (before.isPaused !== changed.isPaused) {
        outages.pause(changed.isPaused)
        logs.write(uid, 'info', changed.isPaused ? 'Paused' : 'Resumed')
      }
      recording.reconsider()
      if (hasNewSource || !shouldRun() || !recording.isStarted()) interrupt()
      updateLeaseTimer()
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
      updateLeaseTimer()
      if (!isActive) endWait()
    },
    noteViewer: viewers.note,
    viewers: viewers.count,
    isStarting: () => isActive && outages.reason() === '',
    stop: async () => {
      isStopped = true
      updateLostTime()
      lease.unwatch()
      interrupt()
      await finished
      await recording.close()
    },
  }
}
