import { NoVolume } from '../storage/write-target.ts'
import { createRecorder, type Recorder } from '../archive/recorder/recorder.ts'
import { guarded, reportFault } from '../guarded.ts'
import { startIngest, type Ingest, type IngestEnd } from '../media/ingest.ts'
import { isDiskError } from '../store/disk-error.ts'
import { planIngest, planOtherSound, type KnownTracks, type Plan } from './plan.ts'
import type { AttemptRequest, AttemptResult, Command, HostEvent, MaybeTarget, Opening } from './protocol.ts'
import { createVideoTime, type VideoTime } from './video-time.ts'

export type IngestHost = { take: (command: Command) => void }

/** `clockAheadMs`: how far this machine's clock is ahead, which `now` is corrected by. */
type Options = { now: () => number; clockAheadMs: () => number; send: (event: HostEvent) => void }

type Stream = {
  recorder: Recorder
  target: MaybeTarget
  isArchived: boolean
  /** What waits for the answers to `isRecorded`, by `requestId`. */
  answers: Map<number, (isRecorded: boolean) => void>
  ingest: Ingest | undefined
  /** Aborts the attempt in progress before ffmpeg is started, for the first time or again. */
  planning: AbortController | undefined
  /** Settles when the attempt in progress has ended. */
  attempt: Promise<void>
}

/**
 * Connects to cameras, cuts what they send into segments, and writes these. It has no database; when to connect and
 * where to record is decided by the server.
 */
export const createIngestHost = ({ now, clockAheadMs, send }: Options): IngestHost => {
  const streams = new Map<number, Stream>()
  let lastRequestId = 0

  const open = (id: number, { target, start, isArchived, partSeconds }: Opening): void => {
    const answers: Stream['answers'] = new Map()
    const stream: Stream = {
      target,
      isArchived,
      answers,
      ingest: undefined,
      planning: undefined,
      attempt: Promise.resolve(),
      recorder: createRecorder({
        target: () => {
          if (stream.target === undefined) throw new NoVolume('No volume of the archive takes recordings')
          return stream.target
        },
        start,
        partSeconds,
        now,
        isArchived: () => stream.isArchived,
        isRecorded: (from, to) =>
          new Promise((resolve) => {
            lastRequestId += 1
            answers.set(lastRequestId, resolve)
            send({ kind: 'isRecorded', stream: id, requestId: lastRequestId, from, to })
          }),
        emit: (event) => {
          const rate = event.kind === 'segment' ? { frameRate: stream.ingest?.frameRate() ?? 0 } : {}
          send({ kind: 'recorder', stream: id, event, ...rate })
        },
      }),
    }
    streams.set(id, stream)
  }

  /**
   * Records by one gateway, with one ffmpeg after another if the sound stops or comes. `found`: what a probe has just
   * found.
   */
  const record = async (
    id: number,
    stream: Stream,
    first: Plan,
    { known, found, video, signal }: { known: KnownTracks; found: KnownTracks; video: VideoTime; signal: AbortSignal },
  ): Promise<AttemptResult['end']> => {
    let plan = first
    for (;;) {
      const { summary, mediaZeroAt } = plan
      stream.ingest = startIngest({
        ...plan,
        now,
        onInit: (init, fail) => {
          const { codec, width, height } = init.video
          const words = `${codec}, ${width}×${height}; ${summary}`
          send({ kind: 'connected', stream: id, summary: words, ...(plan === first ? found : {}) })
          return video.measured(stream.recorder.begin({ init, mediaZeroAt, clockAheadMs, fail }))
        },
      })
      send({ kind: 'started', stream: id, ...known })
      const end: IngestEnd = await stream.ingest.ended
      // An ingest that ends for its sound, and still writes, isn't ended by `stop` any more.
      if (signal.aborted) return { kind: 'stopped' }
      const next = planOtherSound(plan, end, known)
      const sound = known.tracks?.sound ?? (next?.mapsSound === true ? 'recorded' : undefined)
      if (sound !== undefined && (next !== undefined || end.kind === 'soundless'))
        send({ kind: 'sound', stream: id, sound })
      if (next === undefined) return end.kind === 'soundStarted' ? { kind: 'changed' } : end
      plan = next
    }
  }

  const connect = async (id: number, stream: Stream, request: AttemptRequest): Promise<AttemptResult> => {
    const { source, tracks, ...options } = request
    const known: KnownTracks = tracks === undefined ? {} : { tracks }
    const video = createVideoTime()
    const resultOf = (end: AttemptResult['end']): AttemptResult => ({ end, videoMs: video.ms(), ...known })
    const planning = new AbortController()
    stream.planning = planning
    try {
      const { signal } = planning
      const plan = await planIngest(source, { ...options, now: now(), signal }, known).catch((error: unknown) => {
        if (!signal.aborted) throw error
        return undefined
      })
      if (plan === undefined || signal.aborted) {
        if (typeof plan === 'object') plan.gateway?.close()
        return resultOf({ kind: 'stopped' })
      }
      if (typeof plan === 'string') return resultOf({ kind: 'failed', reason: plan })
      const found = tracks === undefined ? known : {}
      try {
        return resultOf(await record(id, stream, plan, { known, found, video, signal }))
      } finally {
        plan.gateway?.close()
      }
    } catch (error) {
      reportFault({ callback: 'ingest: attempt', error })
      return resultOf({ kind: 'failed', reason: isDiskError(error) ? 'The disk is full' : 'ProbeError' })
    } finally {
      stream.ingest = undefined
      stream.planning = undefined
    }
  }

  const attempt = async (id: number, stream: Stream, request: AttemptRequest): Promise<void> => {
    const result = await connect(id, stream, request)
    send({ kind: 'ended', stream: id, result })
  }

  const read = async (id: number, { recorder }: Stream, wanted: Extract<Command, { kind: 'read' }>): Promise<void> => {
    const bytes = await recorder.read(wanted.start, wanted.part)
    const found = bytes === undefined ? {} : { bytes }
    send({ kind: 'bytes', stream: id, requestId: wanted.requestId, ...found })
  }

  const stop = ({ planning, ingest }: Stream): void => {
    planning?.abort()
    ingest?.stop()
  }

  const close = async (id: number, stream: Stream): Promise<void> => {
    stop(stream)
    await stream.attempt
    streams.delete(id)
    send({ kind: 'closed', stream: id })
  }

  const handle = (stream: Stream, command: Exclude<Command, { kind: 'open' }>): Promise<void> | void => {
    const { stream: id } = command
    switch (command.kind) {
      case 'archive':
        stream.isArchived = command.isArchived
        return undefined
      case 'target':
        stream.target = command.target
        return undefined
      case 'attempt':
        stream.attempt = attempt(id, stream, command.request)
        return stream.attempt
      case 'stop':
        return stop(stream)
      case 'read':
        return read(id, stream, command)
      case 'isRecordedAnswer':
        stream.answers.get(command.requestId)?.(command.isRecorded)
        stream.answers.delete(command.requestId)
        return undefined
      case 'close':
        return close(id, stream)
    }
  }

  const take = (command: Command): Promise<void> | void => {
    if (command.kind === 'open') return open(command.stream, command.opening)
    const stream = streams.get(command.stream)
    return stream === undefined ? undefined : handle(stream, command)
  }
  return { take: guarded('ingest: command', take) }
}
