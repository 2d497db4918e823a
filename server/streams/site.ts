import type { AnnotationBody } from '../../src/api/contract/events.ts'
import type { PtzAbilities } from '../../src/api/contract/ptz.ts'
import { createAnnotationStore, type AnnotationStore } from '../archive/events/annotations.ts'
import { createArchive, type Archive, type PreparedRecording } from '../archive/archive.ts'
import { createRateCap } from '../archive/recorder/rate-cap.ts'
import type { Run } from '../archive/format/run.ts'
import type { Segment } from '../archive/format/segment.ts'
import { openVolumes, type Volumes } from '../storage/volumes.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { notFound } from '../http/api-error.ts'
import type { IngestPool, WorkerFacts } from '../ingest/pool.ts'
import { untilThere } from '../store/while-away.ts'
import { aheadOfOthers, leaseOf, logAssignment, statusElsewhere } from './elsewhere.ts'
import { createStreamLogs, type StreamLogs } from './logs.ts'
import { noLostTime, type LostTimes } from './lost-time.ts'
import { createStreamOutageLog, noOutageLog } from './outages.ts'
import { createStreamStore, type StreamRow, type StreamStore } from './stream-store.ts'
import { createTrackStore } from './track-store.ts'
import { annotationsOf, isSub, prefixedLogs, recordingsOf, rowOfRecording, streamOf, subOf } from './substream.ts'
import { createSupervision, type Membership } from './supervision.ts'
import { createSupervisor, type Status, type Supervisor } from './supervisor.ts'

export type Site = Omit<Archive, 'prepare' | 'repair' | 'untilIndexed' | 'untilStopped' | 'dropLive'> & {
  volumes: Volumes
  store: StreamStore
  logs: StreamLogs
  annotations: AnnotationStore
  allowLoopback: boolean
  workers: () => WorkerFacts[]
  /** `recording`: the id of a stream, or `subOf` of that id for its substream. */
  supervisor: (recording: string) => Supervisor | undefined
  /** Extends the lease of the stream and of its substream. */
  extendLease: (uid: string) => void
  status: (row: Pick<StreamRow, 'uid' | 'isPaused'>) => { status: Status; failureReason: string }
  /** Adds a stream, unless `check` rejects, which runs in the same transaction. */
  add: (row: StreamRow, check?: () => Promise<void>) => Promise<void>
  /** Changes a stream. Rejects with 404 if it is gone. */
  change: (uid: string, change: (row: StreamRow) => StreamRow) => Promise<StreamRow>
  /**
   * Removes a stream, unless `check` rejects, which runs in the same transaction. `purge` deletes its recordings;
   * otherwise they stay until their depth ends.
   */
  remove: (uid: string, purge: boolean, check?: () => Promise<void>) => Promise<void>
  /** Deletes the recordings that a removed stream has left. */
  purgeRemoved: (uid: string) => Promise<void>
  /** Reads what other nodes have changed. */
  reload: () => Promise<void>
  /** Starts this node's streams. Resolves when all are started; the archive's repair goes on in the background. */
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Called for each segment that was written; `recording` may be a substream's. */
  segmentListeners: ((recording: string, segment: Segment, run: Run) => void)[]
  diskFailureListeners: (() => void)[]
  /** Called with the events that detectors have added. */
  eventListeners: ((events: readonly AnnotationBody[]) => void)[]
  /** For how many days each stream will be kept at its rate; null or absent if unknown. Updated each minute. */
  daysAhead: ReadonlyMap<string, number | null>
  /** What the cameras of the streams that this node records can do. */
  ptz: ReadonlyMap<string, PtzAbilities>
  /** Called when the system clock was set back. Times before `until` (epoch milliseconds) may be recorded already. */
  clockListeners: ((until: number) => void)[]
}

export const createSite = async (
  context: ServerContext,
  options: { allowLoopback: boolean; pool: IngestPool; lostTimes: LostTimes },
): Promise<Site> => {
  const { backgroundWrites, cluster, now, settings } = context
  const warn = (detail: object, message: string) => context.log.warn(detail, message)
  const volumes = await openVolumes({ ...context, warn })
  const store = await createStreamStore(context.store)
  const logs = createStreamLogs(context.store, backgroundWrites, now)
  const recordingLogs = prefixedLogs(logs)
  const trackStore = createTrackStore(context.store, backgroundWrites, now)
  const annotations = createAnnotationStore(context.store)
  const rates = createRateCap(() => settings.streamMbitsMax)
  const stopping = new AbortController()

  const reportDiskFailure = (): void => {
    for (const listener of site.diskFailureListeners) guarded('site: disk failure', listener)()
  }
  const { prepare, repair, untilIndexed, untilStopped, dropLive, ...archive } = createArchive({
    store: context.store,
    volumes,
    now,
    log: context.log,
    writeLog: (recording, message) => recordingLogs.write(recording, 'warn', message),
    isArchived: (recording) => store.find(streamOf(recording))?.isArchived ?? true,
    onDiskFailure: reportDiskFailure,
    leaseOf: cluster.isShared ? (recording) => leaseOf(cluster, streamOf(recording)) : undefined,
  })
  const { index, purge } = archive

  const reportSegment = (recording: string, segment: Segment, run: Run): void => {
    const stream = streamOf(recording)
    const isArchived = store.find(stream)?.isArchived === true
    if (isArchived && rates.add(stream, segment.bytes)) {
      logs.write(
        stream,
        'warn',
        rates.isOver(stream) ? rates.failureReason() : 'Recording again: the bit rate is within the limit',
      )
    }
    for (const listener of site.segmentListeners) guarded('site: segment', listener)(recording, segment, run)
  }

  const prepareHere = async (recording: string): Promise<PreparedRecording> =>
    aheadOfOthers(cluster, await prepare(recording))

  const create = async (recording: string, membership: Membership): Promise<Supervisor | undefined> => {
    const prepared = await prepareHere(recording)
    const before = rowOfRecording(store, recording)?.source ?? ''
    const known = await trackStore.read(recording, before, prepared.start.recordedUntil)
    const current = rowOfRecording(store, recording)
    if (stopping.signal.aborted || current === undefined) return undefined
    return createSupervisor(current, {
      ...membership,
      pool: options.pool,
      prepared,
      prepare: () => prepareHere(recording),
      known: known === undefined || current.source !== before ? {} : { tracks: known },
      keepTracks: (source, tracks) => trackStore.write(recording, source, tracks),
      logs: recordingLogs,
      outageLog: isSub(recording)
        ? noOutageLog
        : createStreamOutageLog(recording, () => store.find(recording)?.name ?? '', warn),
      annotations: annotationsOf(annotations, recording),
      backgroundWrites,
      lostTime: isSub(recording)
        ? noLostTime
        : options.lostTimes.track({ ...current, recordedUntil: prepared.start.recordedUntil }),
      now,
      get allowLoopback() {
        return options.allowLoopback
      },
      isDrained: () => !cluster.isShared && cluster.isDrained(cluster.nodeId),
      mayRecord: () => !rates.isOver(streamOf(recording)),
      onSegment: (segment, run) => {
        if (membership.isHolding()) reportSegment(recording, segment, run)
      },
      onDiskFailure: reportDiskFailure,
      onClockSetBack: (until) => {
        for (const listener of site.clockListeners) listener(until)
      },
    })
  }

  const supervision = createSupervision({
    cluster,
    store,
    create,
    onFailure: (error, uid) => context.log.error({ err: error, uid }, 'stream not started'),
  })

  const statusOf: Site['status'] = (row) => {
    if (cluster.tenureOf(row.uid) === undefined) return statusElsewhere(cluster, row)
    const resting = { status: row.isPaused ? 'paused' : 'pending', failureReason: '' } as const
    const status = supervision.get(row.uid)?.status() ?? resting
    if (status.status !== 'running') return status
    if (rates.isOver(row.uid)) return { ...status, failureReason: rates.failureReason() }
    const failureReason = supervision.get(subOf(row.uid))?.status().failureReason ?? ''
    return failureReason === '' ? status : { ...status, failureReason: `Substream: ${failureReason}` }
  }

  const followAssignment = async (uid: string): Promise<void> => {
    if (store.find(uid) === undefined)
      for (const changed of await store.load()) if (changed !== uid) void supervision.follow(changed)
    if (store.find(uid) !== undefined) logAssignment(cluster, logs, uid)
    await supervision.follow(uid)
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
    ptz: new Map(),
    diskFailureListeners: [],
    eventListeners: [],
    clockListeners: [],
    supervisor: supervision.get,
    extendLease: (uid) => {
      for (const recording of [uid, subOf(uid)]) supervision.get(recording)?.extendLease()
    },
    status: statusOf,
    add: async (row, check) => {
      await store.create(row, check)
      logs.write(row.uid, 'info', 'Created')
      await cluster.refresh()
      await supervision.follow(row.uid)
    },
    change: async (uid, change) => {
      const row = await store.change(uid, change)
      if (row === undefined) throw notFound()
      supervision.change(row)
      return row
    },
    remove: async (uid, isPurged, check) => {
      await supervision.whileStopped(uid, async () => {
        await untilIndexed()
        const recordings = await recordingsOf(index, uid)
        await store.remove(uid, async (row) => {
          await check?.()
          for (const recording of recordings) {
            if (isPurged) await index.markPurged(recording)
            else if (row !== undefined) await index.markOrphaned(recording, row)
          }
        })
        for (const recording of recordings) {
          if (isPurged) index.forgetUnindexed(recording)
          else await dropLive(recording)
        }
      })
      rates.forget(uid)
      if (isPurged) void purge(stopping.signal)
    },
    purgeRemoved: async (uid) => {
      for (const recording of await recordingsOf(index, uid)) await index.markPurged(recording)
      void purge(stopping.signal)
    },
    reload: async () => {
      for (const uid of await store.load()) await supervision.follow(uid)
    },
    start: async () => {
      await untilThere(store.load, stopping.signal)
      cluster.setLiveness((uid) => supervision.get(uid)?.isLive() === true)
      cluster.onAssignment(guarded('site: assignment', followAssignment))
      await cluster.start()
      // Not after them: thousands take long to start, and each playlist is read faster without old rows.
      const known = untilThere(index.old.refresh, stopping.signal)
      await Promise.all([known, ...store.all().map(({ uid }) => supervision.follow(uid))])
      guarded('archive: repair', () => repair(stopping.signal))()
    },
    stop: async () => {
      stopping.abort()
      await supervision.stopAll()
      await untilStopped()
      await volumes.stop()
    },
  }
  return site
}
