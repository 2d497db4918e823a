import type { PreparedRecording } from '../archive/archive.ts'
import { greatestCounts } from '../archive/format/chunk-file.ts'
import { createLiveFeed, type FeedOptions } from '../archive/recorder/live-feed.ts'
import type { LiveWindow } from '../archive/recorder/live-window.ts'
import { guarded } from '../guarded.ts'
import { partSeconds, type Tracks } from '../media/encoding.ts'
import { StoreAway } from '../store/connection.ts'
import type { IngestPool, StreamChannel } from './pool.ts'
import type { AttemptRequest, AttemptResult, HostEvent, MaybeTarget, SoundState } from './protocol.ts'

/** The result of an attempt; `died`: its host ended by itself. */
export type Outcome = AttemptResult | { end: { kind: 'died' }; videoMs: number; tracks?: undefined }

type Options = Required<Pick<FeedOptions, 'onSegment' | 'onFailure' | 'onCut' | 'onClockSetBack'>> & {
  uid: string
  pool: IngestPool
  live: LiveWindow
  prepared: PreparedRecording
  /** Called before a stream is opened on another host: seals what a host that died has left. */
  prepare: () => Promise<PreparedRecording>
  isArchived: () => boolean
  /** `summary`: of what the source delivers, for the stream's log. */
  onConnected: (summary: string) => void
  /** The sound of the source has stopped, can't be decoded, or has come. */
  onSound: (sound: SoundState) => void
  /** Called when a segment begins. */
  onKeyframe: () => void
}

type TracksListener = (tracks: Tracks, isConfirmed: boolean) => void

/** A stream that an ingest host records, as the server sees it. */
export type Recording = {
  /**
   * Connects, and resolves when the connection or the host has ended. `onTracks`: called with the tracks each time that
   * ffmpeg starts, and as confirmed once a source that was just probed delivers.
   */
  attempt: (request: AttemptRequest, onTracks: TracksListener) => Promise<Outcome>
  /** Ends the attempt in progress. */
  stop: () => void
  /** Whether ffmpeg runs. */
  isStarted: () => boolean
  /** Frames per second of the last seconds; 0 until they are known. */
  frameRate: () => number
  /** Sends `isArchived` to the host if it has changed. */
  reconsider: () => void
  /** How long to wait before the next attempt after a host has died. */
  pauseMs: () => number
  /** Stops, and resolves when everything is written. */
  close: () => Promise<void>
}

const answerWithinMs = 10_000
const maxReads = 256

export const createRecording = (options: Options): Recording => {
  const { uid, pool, live, isArchived } = options
  let prepared = options.prepared
  let isPrepared = true
  let channel: StreamChannel | undefined
  let attempt: { outcome: PromiseWithResolvers<Outcome>; onTracks: TracksListener } | undefined
  let closed: PromiseWithResolvers<void> | undefined
  let isStopped = false
  let isStarted = false
  let frameRate = 0
  let sentTarget: MaybeTarget
  let sentArchived = false
  let { counts: reported, recordedUntil } = prepared.start
  let lastRequestId = 0
  const reads = new Map<number, (bytes: Buffer | undefined) => void>()

  const read = (start: number, part?: number): Promise<Buffer | undefined> => {
    if (channel === undefined || reads.size >= maxReads) return Promise.resolve(undefined)
    const { stream, send } = channel
    lastRequestId += 1
    const requestId = lastRequestId
    return new Promise((resolve) => {
      const settle = (bytes: Buffer | undefined): void => {
        clearTimeout(timer)
        reads.delete(requestId)
        resolve(bytes)
      }
      const timer = setTimeout(guarded('recording: read', settle), answerWithinMs, undefined)
      reads.set(requestId, settle)
      send({ kind: 'read', stream, requestId, start, ...(part === undefined ? {} : { part }) })
    })
  }

  const feed = createLiveFeed({
    live,
    read,
    onFailure: options.onFailure,
    onCut: options.onCut,
    onClockSetBack: options.onClockSetBack,
    onSegment: (segment, run, isKept) => {
      prepared.onSegment(segment, run, isKept)
      options.onSegment(segment, run, isKept)
    },
    onSealed: (chunk, run) => prepared.onSealed(chunk, run),
    onCounts: (counts) => prepared.onCounts(counts),
    onVolumeFailed: (volume) => {
      prepared.onVolumeFailed(volume)
      updateTarget()
    },
  })

  const currentTarget = (): MaybeTarget => {
    try {
      return prepared.target()
    } catch {
      return undefined
    }
  }

  /** Sends the host where its next chunk goes, if that has changed. */
  const updateTarget = (): void => {
    const target = currentTarget()
    if (channel === undefined || target?.folder === sentTarget?.folder) return
    sentTarget = target
    channel.send({ kind: 'target', stream: channel.stream, target })
  }

  const reconsider = (): void => {
    updateTarget()
    const isArchivedNow = isArchived()
    if (channel === undefined || isArchivedNow === sentArchived) return
    sentArchived = isArchivedNow
    channel.send({ kind: 'archive', stream: channel.stream, isArchived: isArchivedNow })
  }

  /** If the index can't answer, the range counts as recorded, so that nothing is recorded twice. */
  const isRecorded = (from: number, to: number): Promise<boolean> =>
    prepared.isRecorded(from, to).catch((error: unknown) => {
      if (!(error instanceof StoreAway)) options.onFailure('full')
      return true
    })

  const settleAttempt = (outcome: Outcome): void => {
    const ended = attempt
    attempt = undefined
    isStarted = false
    frameRate = 0
    ended?.outcome.resolve(outcome)
  }

  const handleRecorder = ({ event, frameRate: rate = frameRate }: Extract<HostEvent, { kind: 'recorder' }>): void => {
    frameRate = rate
    prepared.spools.follow(event)
    feed(event)
    if (event.kind === 'begun') options.onKeyframe()
    if (event.kind !== 'segment') return
    const { sequence, discontinuity, targetDuration, segment } = event
    recordedUntil = Math.max(recordedUntil, segment.finish)
    reported = { nextSequence: sequence + 1, nextDiscontinuity: discontinuity, targetDuration }
    reconsider()
  }

  const take = async (event: HostEvent): Promise<void> => {
    switch (event.kind) {
      case 'recorder':
        return handleRecorder(event)
      case 'started':
        isStarted = true
        if (event.tracks !== undefined) attempt?.onTracks(event.tracks, false)
        return undefined
      case 'connected':
        if (event.tracks !== undefined) attempt?.onTracks(event.tracks, true)
        return options.onConnected(event.summary)
      case 'sound':
        return options.onSound(event.sound)
      case 'ended':
        return settleAttempt(event.result)
      case 'bytes':
        return reads.get(event.requestId)?.(event.bytes)
      case 'isRecorded': {
        const { stream, requestId, from, to } = event
        channel?.send({ kind: 'isRecordedAnswer', stream, requestId, isRecorded: await isRecorded(from, to) })
        return undefined
      }
      case 'closed':
        return closed?.resolve()
    }
  }

  const handleHostEnd = (): void => {
    channel = undefined
    for (const settle of reads.values()) settle(undefined)
    live.dropUnwritten()
    settleAttempt({ end: { kind: 'died' }, videoMs: 0 })
    closed?.resolve()
  }

  /** While the database is away the last preparation serves again; a later one seals what the dead host has left. */
  const prepareAgain = (): Promise<PreparedRecording> =>
    options.prepare().catch((error: unknown) => {
      if (!(error instanceof StoreAway)) throw error
      return { ...prepared, start: { ...prepared.start, recordedUntil } }
    })

  const open = async (): Promise<StreamChannel> => {
    if (channel !== undefined) return channel
    if (!isPrepared) prepared = await prepareAgain()
    isPrepared = false
    const { start } = prepared
    sentTarget = currentTarget()
    const opened = pool.open(uid, {
      onEvent: guarded('recording: event', take),
      onEnd: guarded('recording: end', handleHostEnd),
    })
    channel = opened
    sentArchived = isArchived()
    const opening = {
      target: sentTarget,
      start: { ...start, counts: greatestCounts(start.counts, reported) },
      partSeconds,
    }
    opened.send({ kind: 'open', stream: opened.stream, opening: { ...opening, isArchived: sentArchived } })
    return opened
  }

  return {
    attempt: async (request, onTracks) => {
      isStopped = false
      const { stream, send } = await open()
      if (isStopped) return { end: { kind: 'stopped' }, videoMs: 0 }
      reconsider()
      const outcome = Promise.withResolvers<Outcome>()
      attempt = { outcome, onTracks }
      send({ kind: 'attempt', stream, request })
      return outcome.promise
    },
    stop: () => {
      isStopped = true
      if (attempt !== undefined) channel?.send({ kind: 'stop', stream: channel.stream })
    },
    isStarted: () => isStarted,
    frameRate: () => frameRate,
    reconsider,
    pauseMs: () => pool.pauseMs(uid),
    close: async () => {
      closed = Promise.withResolvers()
      if (channel === undefined) closed.resolve()
      else channel.send({ kind: 'close', stream: channel.stream })
      await closed.promise
      channel?.leave()
      channel = undefined
      prepared.spools.forget()
    },
  }
}
