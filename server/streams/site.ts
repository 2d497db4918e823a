import type { AnnotationDraft } from '../../src/api/contract/events.ts'
import { createAnnotationStore, type AnnotationStore } from '../archive/annotations.ts'
import { createArchive, type Archive } from '../archive/archive.ts'
import { createRateCap } from '../archive/rate-cap.ts'
import type { Run } from '../archive/run.ts'
import type { Segment } from '../archive/segment.ts'
import { archiveSteps } from '../archive/tables.ts'
import { openVolumes, type Volumes } from '../storage/volumes.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { notFound } from '../http/api-error.ts'
import type { IngestPool, WorkerFacts } from '../ingest/pool.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { createStreamLogs, type StreamLogs } from './logs.ts'
import { noLostTime, type LostTimes } from './lost-time.ts'
import { createStreamStore, type StreamRow, type StreamStore } from './stream-store.ts'
import { annotationsOf, isSub, pairLogs, recordingsOf, rowOfRecording, streamOf, subOf } from './substream.ts'
import { createSupervisor, type Status, type Supervisor } from './supervisor.ts'

export type Site = Omit<Archive, 'prepare' | 'repair' | 'indexed' | 'stopped' | 'dropLive'> & {
  volumes: Volumes
  store: StreamStore
  logs: StreamLogs
  annotations: AnnotationStore
  allowLoopback: boolean
  workers: () => WorkerFacts[]
  /** Of a stream, or of its substream by the name of that recording. */
  supervisor: (recording: string) => Supervisor | undefined
  /** Stream and substream run together. */
  extendLease: (uid: string) => void
  status: (row: Pick<StreamRow, 'uid' | 'isPaused'>) => { status: Status; failureReason: string }
  /** Nothing is added while `check` looks, or if it rejects. */
  add: (row: StreamRow, check?: () => Promise<void>) => Promise<void>
  /** Rejects with 404 if the stream is gone. */
  change: (uid: string, change: (row: StreamRow) => StreamRow) => Promise<StreamRow>
  /** `purge` deletes the recording; otherwise it stays until its depth ends. */
  remove: (uid: string, purge: boolean) => Promise<void>
  purgeLeft: (uid: string) => Promise<void>
  /** Starts every stream, and resolves when all are started; repair continues. */
  start: () => Promise<void>
  stop: () => Promise<void>
  segmentListeners: ((uid: string, segment: Segment, run: Run) => void)[]
  diskFailureListeners: (() => void)[]
  /** Detectors have added these. */
  eventListeners: ((drafts: readonly AnnotationDraft[]) => void)[]
  /** How many days of each stream there will be at its rate; null or absent if unknown. Looked at each minute. */
  daysAhead: ReadonlyMap<string, number | null>
  /** The system clock was set back; times before `until` may have recordings already. */
  clockListeners: ((until: number) => void)[]
}

/** Starting one reads its folder: more at once would wait for the disk. */
const startedAtOnce = 8

export const createSite = async (
  context: ServerContext,
  options: { allowLoopback: boolean; pool: IngestPool; lost: LostTimes },
): Promise<Site> => {
  const { backgroundWrites, now, settings } = context
  await context.store.migrate('archive', archiveSteps)
  const warn = (detail: object, message: string) => context.log.warn(detail, message)
  const volumes = await openVolumes({ ...context, warn })
  const store = await createStreamStore(context.store)
  const logs = createStreamLogs(context.store, backgroundWrites, now)
  const pairedLogs = pairLogs(logs)
  const annotations = createAnnotationStore(context.store)
  const rates = createRateCap(() => settings.streamMbitsMax, now)
  const supervisors = new Map<string, Supervisor>()
  const starting = new Map<string, Promise<void>>()
  const following = createKeyedQueue((error, uid) => context.log.error({ err: error, uid }, 'substream not changed'))
  const stopping = new AbortController()

  const reportDiskFailure = (): void => {
    for (const listener of site.diskFailureListeners) guarded('site: disk failure', listener)()
  }
  const { prepare, repair, indexed, stopped, dropLive, ...archive } = createArchive({
    store: context.store,
    volumes,
    now,
    log: context.log,
    writeLog: (recording, message) => pairedLogs.write(recording, 'warn', message),
    isArchived: (recording) => store.find(streamOf(recording))?.isArchived ?? true,
    onDiskFailure: reportDiskFailure,
  })
  const { index, purge } = archive

  const reportSegment = (uid: string, segment: Segment, run: Run): void => {
    const stream = streamOf(uid)
    const isArchived = store.find(stream)?.isArchived === true
    if (isArchived && rates.note(stream, segment.bytes)) {
      logs.write(stream, 'warn', rates.isOver(stream) ? overRate() : 'Recorded again: it sends less')
    }
    for (const listener of site.segmentListeners) guarded('site: segment', listener)(uid, segment, run)
  }

  const overRate = (): string => `Not recorded: it sends more than ${settings.streamMbitsMax} Mbit/s`

  const startStream = async (uid: string): Promise<void> => {
    const prepared = await prepare(uid)
    const current = rowOfRecording(store, uid)
    if (stopping.signal.aborted || current === undefined) return
    supervisors.set(
      uid,
      createSupervisor(current, {
        pool: options.pool,
        prepared,
        prepare: () => prepare(uid),
        logs: pairedLogs,
        annotations: annotationsOf(annotations, uid),
        backgroundWrites,
        lost: isSub(uid) ? noLostTime : options.lost.follow(),
        now,
        get allowLoopback() {
          return options.allowLoopback
        },
        isDrained: context.node.isDrained,
        mayRecord: () => !rates.isOver(streamOf(uid)),
        random: Math.random,
        onSegment: (segment, run) => reportSegment(uid, segment, run),
        onDiskFailure: reportDiskFailure,
        onClockSetBack: (until) => {
          for (const listener of site.clockListeners) listener(until)
        },
      }),
    )
  }

  /** Once: a second recorder of a stream would take the files of the first for what a crash left. */
  const supervise = async (uid: string): Promise<void> => {
    if (supervisors.has(uid)) return
    const begun = starting.get(uid) ?? startStream(uid).finally(() => starting.delete(uid))
    starting.set(uid, begun)
    await begun
  }

  /** Starts, changes or stops the supervisor of a substream. */
  const followSub = (uid: string): Promise<void> =>
    following.run(uid, async () => {
      const sub = subOf(uid)
      const known = supervisors.get(sub)
      // Without its stream it waits for the start, or is being removed.
      const row = supervisors.has(uid) ? rowOfRecording(store, sub) : undefined
      if (row !== undefined) return known === undefined ? supervise(sub) : known.change(row)
      return stopRecording(sub)
    })

  const statusOf: Site['status'] = (row) => {
    const resting = { status: row.isPaused ? 'paused' : 'pending', failureReason: '' } as const
    const status = supervisors.get(row.uid)?.status() ?? resting
    if (status.status !== 'running') return status
    if (rates.isOver(row.uid)) return { ...status, failureReason: overRate() }
    const failureReason = supervisors.get(subOf(row.uid))?.status().failureReason ?? ''
    return failureReason === '' ? status : { ...status, failureReason: `Substream: ${failureReason}` }
  }

  const stopRecording = async (recording: string): Promise<void> => {
    const supervisor = supervisors.get(recording)
    supervisors.delete(recording)
    await supervisor?.stop()
  }

  const site: Site = {
    ...archive,
    volumes,
    store,
    logs,
    annotations,
    get allowLoopback() {
      return options.allowLoopback
    },
    workers: options.pool.workers,
    segmentListeners: [],
    daysAhead: new Map(),
    diskFailureListeners: [],
    eventListeners: [],
    clockListeners: [],
    supervisor: (recording) => supervisors.get(recording),
    extendLease: (uid) => {
      for (const recording of [uid, subOf(uid)]) supervisors.get(recording)?.extendLease()
    },
    status: statusOf,
    add: async (row, check) => {
      await store.create(row, check)
      logs.write(row.uid, 'info', 'Created')
      await supervise(row.uid)
      await followSub(row.uid)
    },
    change: async (uid, change) => {
      const row = await store.change(uid, change)
      if (row === undefined) throw notFound()
      supervisors.get(uid)?.change(row)
      void followSub(uid)
      return row
    },
    remove: async (uid, isPurged) => {
      await starting.get(uid)
      await stopRecording(uid)
      await following.settled(uid)
      await stopRecording(subOf(uid))
      await indexed()
      const recordings = await recordingsOf(index, uid)
      await store.remove(uid, async (row) => {
        for (const recording of recordings) {
          if (isPurged) await index.markPurged(recording)
          else if (row !== undefined) await index.leave(recording, row)
        }
      })
      for (const recording of recordings) {
        if (isPurged) index.forget(recording)
        else await dropLive(recording)
      }
      rates.forget(uid)
      if (isPurged) void purge(stopping.signal)
    },
    purgeLeft: async (uid) => {
      for (const recording of await recordingsOf(index, uid)) await index.markPurged(recording)
      void purge(stopping.signal)
    },
    start: async () => {
      await store.load()
      const due = store.all()
      const startSome = async (): Promise<void> => {
        for (let row = due.shift(); row !== undefined && !stopping.signal.aborted; row = due.shift()) {
          const { uid } = row
          const logFailure = (error: unknown): void => context.log.error({ err: error, uid }, 'stream not started')
          await supervise(uid).catch(logFailure)
          await followSub(uid)
        }
      }
      await Promise.all(Array.from({ length: startedAtOnce }, startSome))
      guarded('archive: repair', () => repair(stopping.signal))()
    },
    stop: async () => {
      stopping.abort()
      await Promise.allSettled(starting.values())
      await following.allSettled()
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.stop()))
      await stopped()
      await volumes.stop()
    },
  }
  return site
}
