import { NoVolume } from '../storage/write-target.ts'
import { createRecorder, type Recorder } from '../archive/recorder.ts'
import { guarded } from '../guarded.ts'
import { startIngest, type Ingest } from '../media/ingest.ts'
import { isDiskError } from '../store/disk-error.ts'
import { planIngest, type Memory } from './plan.ts'
import type { AttemptRequest, AttemptResult, Command, HostEvent, MaybeTarget, Opening } from './protocol.ts'
import { createVideoTime } from './video-time.ts'

export type IngestHost = { take: (command: Command) => void }

type Options = { now: () => number; send: (event: HostEvent) => void }

type Stream = {
  recorder: Recorder
  target: MaybeTarget
  isArchived: boolean
  questions: Map<number, (isCovered: boolean) => void>
  ingest: Ingest | undefined
  planning: AbortController | undefined
  /** Settles when the attempt in progress has ended. */
  attempt: Promise<void>
}

/** Connects to cameras, cuts what they send, and writes it: it asks no database, and knows no policy. */
export const createIngestHost = ({ now, send }: Options): IngestHost => {
  const streams = new Map<number, Stream>()
  let lastQuestion = 0

  const reportFault = guarded('ingest: attempt', (error: unknown) => {
    throw error
  })

  const open = (id: number, { target, start, isArchived, partSeconds }: Opening): void => {
    const questions: Stream['questions'] = new Map()
    const stream: Stream = {
      target,
      isArchived,
      questions,
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
        isCovered: (from, to) =>
          new Promise((resolve) => {
            lastQuestion += 1
            questions.set(lastQuestion, resolve)
            send({ kind: 'isCovered', stream: id, question: lastQuestion, from, to })
          }),
        emit: (event) => {
          const rate = event.kind === 'segment' ? { frameRate: stream.ingest?.frameRate() ?? 0 } : {}
          send({ kind: 'recorder', stream: id, event, ...rate })
        },
      }),
    }
    streams.set(id, stream)
  }

  const connect = async (id: number, stream: Stream, request: AttemptRequest): Promise<AttemptResult> => {
    const { source, tracks, ...wanted } = request
    const memory: Memory = tracks === undefined ? {} : { tracks }
    const video = createVideoTime(() => performance.now())
    const resultOf = (end: AttemptResult['end']): AttemptResult => ({ end, videoMs: video.ms(), ...memory })
    const planning = new AbortController()
    stream.planning = planning
    try {
      const { signal } = planning
      const plan = await planIngest(source, { ...wanted, now: now(), signal }, memory).catch((error: unknown) => {
        if (!signal.aborted) throw error
        return undefined
      })
      if (plan === undefined || signal.aborted) {
        if (typeof plan === 'object') plan.gateway?.close()
        return resultOf({ kind: 'stopped' })
      }
      if (typeof plan === 'string') return resultOf({ kind: 'failed', reason: plan })
      stream.ingest = startIngest({
        ...plan,
        now,
        onInit: (init, fail) => {
          const { codec, width, height } = init.video
          send({ kind: 'connected', stream: id, words: `${codec}, ${width}×${height}; ${plan.words}` })
          return video.measured(stream.recorder.begin({ init, firstPictureAt: plan.firstPictureAt, fail }))
        },
      })
      send({ kind: 'started', stream: id, ...memory })
      return resultOf(await stream.ingest.ended)
    } catch (error) {
      reportFault(error)
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

  const obey = (stream: Stream, command: Exclude<Command, { kind: 'open' }>): Promise<void> | void => {
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
      case 'read': {
        const bytes = stream.recorder.read(command.start, command.part)
        const found = bytes === undefined ? {} : { bytes }
        return send({ kind: 'bytes', stream: id, question: command.question, ...found })
      }
      case 'covered':
        stream.questions.get(command.question)?.(command.isCovered)
        stream.questions.delete(command.question)
        return undefined
      case 'close':
        return close(id, stream)
    }
  }

  const take = (command: Command): Promise<void> | void => {
    if (command.kind === 'open') return open(command.stream, command.opening)
    const stream = streams.get(command.stream)
    return stream === undefined ? undefined : obey(stream, command)
  }
  return { take: guarded('ingest: command', take) }
}
