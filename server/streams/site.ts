import { archiveSteps } from '../archive/tables.ts'
import { createAnnotationStore, type AnnotationStore } from '../archive/annotations.ts'
import { isNotable, restoreNumbers, type Mended } from '../archive/adopt.ts'
import { createMending } from '../archive/mending.ts'
import { deletePurged } from '../archive/purging.ts'
import { createRateCap } from '../archive/rate-cap.ts'
import { createSegmentIndex, type Run, type Segment, type SegmentIndex } from '../archive/segment-index.ts'
import type { ServerContext } from '../context.ts'
import { guarded } from '../guarded.ts'
import { inTransaction, migrate } from '../store/database.ts'
import { createStreamLogs, type StreamLogs } from './logs.ts'
import { createStreamStore, type StreamRow, type StreamStore } from './stream-store.ts'
import { isSub, pairLogs, recordingsOf, rowOfRecording, streamOf, subOf } from './substream.ts'
import { createSupervisor, type Status, type Supervisor } from './supervisor.ts'
import { streamsSteps } from './tables.ts'

export type Site = {
  store: StreamStore
  index: SegmentIndex
  logs: StreamLogs
  annotations: AnnotationStore
  allowLoopback: boolean
  /** Of a stream, or of its substream by the name of that recording. */
  supervisor: (recording: string) => Supervisor | undefined
  /** Stream and substream run together. */
  extendLease: (uid: string) => void
  status: (row: Pick<StreamRow, 'uid' | 'isPaused'>) => { status: Status; failureReason: string }
  add: (row: StreamRow) => Promise<void>
  change: (row: StreamRow) => void
  /** `purge` deletes the recording; otherwise it stays until its depth ends. */
  remove: (uid: string, purge: boolean) => Promise<void>
  purgeLeft: (uid: string) => void
  /** Starts every stream, and resolves when all are started; mending continues. */
  start: () => Promise<void>
  isMended: () => boolean
  mended: () => Promise<void>
  settle: () => void
  purge: (signal: AbortSignal) => Promise<void>
  stop: () => Promise<void>
  segmentListeners: ((uid: string, segment: Segment, run: Run, previous: Segment | undefined) => void)[]
  diskFailureListeners: (() => void)[]
  /** The system clock was set back; times before `until` may have recordings already. */
  clockListeners: ((until: number) => void)[]
}

const startedAtOnce = 4
const mostNamed = 5

const wordsOf = ({ brought, rows, aside, failed }: Mended): string => {
  const few = (names: string[]): string =>
    `${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ', …' : ''}`
  return [
    ...(brought > 0 ? [`${brought} segments without an index row were brought back`] : []),
    ...(rows > 0 ? [`${rows} index rows without a file were removed`] : []),
    ...(aside.length > 0
      ? [`${aside.length} files that belong to nothing known were moved to lost+found: ${few(aside)}`]
      : []),
    ...(failed.length > 0 ? [`${failed.length} files could not be read: ${few(failed)}`] : []),
  ].join('; ')
}

export const createSite = (context: ServerContext, options: { allowLoopback: boolean }): Site => {
  const { db, dataDir, now, settings } = context
  migrate(db, 'streams', streamsSteps)
  migrate(db, 'archive', archiveSteps)
  const store = createStreamStore(db)
  const index = createSegmentIndex(db)
  const logs = createStreamLogs(db, now)
  const pairedLogs = pairLogs(logs)
  const annotations = createAnnotationStore(db)
  const rates = createRateCap(() => settings.streamMbitsMax, now)
  const supervisors = new Map<string, Supervisor>()
  const stopping = new AbortController()
  const rowless = new Map<string, number>()
  const following = new Map<string, Promise<void>>()
  const mended = Promise.withResolvers<void>()
  let purging: Promise<void> = Promise.resolve()

  const report = (uid: string, done: Mended): void => {
    if (!isNotable(done)) return
    pairedLogs.write(uid, 'warn', `After a crash: ${wordsOf(done)}`)
    context.log.warn({ uid }, wordsOf(done))
  }
  const wasArchived = (uid: string): boolean => store.find(streamOf(uid))?.isArchived ?? true
  const mending = createMending({ index, dataDir, now, report, isArchived: wasArchived })

  const purge = (signal: AbortSignal): Promise<void> => {
    purging = purging
      .then(() => deletePurged(index, dataDir, signal))
      .catch((error: unknown) => context.log.error({ err: error }, 'recordings could not be purged'))
    return purging
  }

  const tellSegment = (uid: string, segment: Segment, run: Run, previous: Segment | undefined): void => {
    const stream = streamOf(uid)
    const isArchived = store.find(stream)?.isArchived === true
    if (isArchived && rates.note(stream, segment.bytes)) {
      logs.write(stream, 'warn', rates.isOver(stream) ? overRate() : 'Recorded again: it sends less')
    }
    const since = rowless.get(uid)
    rowless.delete(uid)
    if (since !== undefined) guarded('site: rows that found no room', () => mending.again(uid, since))()
    for (const listener of site.segmentListeners) guarded('site: segment', listener)(uid, segment, run, previous)
  }

  const overRate = (): string => `Not recorded: it sends more than ${settings.streamMbitsMax} Mbit/s`

  const supervise = async (row: StreamRow): Promise<void> => {
    const { uid, isArchived } = row
    if (supervisors.has(uid)) return
    await restoreNumbers({ index, dataDir, uid, isArchived }).then(
      (done) => report(uid, done),
      (error: unknown) => context.log.error({ err: error, uid }, 'newest files not read'),
    )
    const current = rowOfRecording(store, uid)
    if (stopping.signal.aborted || current === undefined || supervisors.has(uid)) return
    supervisors.set(
      uid,
      createSupervisor(current, {
        dataDir,
        index,
        logs: pairedLogs,
        // What a person sees on the timeline is of the stream itself.
        annotations: isSub(uid) ? { ...annotations, openStatus: () => {}, closeStatus: () => {} } : annotations,
        now,
        get allowLoopback() {
          return options.allowLoopback
        },
        isDrained: context.node.isDrained,
        mayRecord: () => !rates.isOver(streamOf(uid)),
        random: Math.random,
        onSegment: tellSegment,
        onDiskFailure: () => {
          if (!rowless.has(uid)) rowless.set(uid, now())
          for (const listener of site.diskFailureListeners) guarded('site: disk failure', listener)()
        },
        onClockSetBack: (until) => {
          for (const listener of site.clockListeners) listener(until)
        },
      }),
    )
  }

  /** Starts, changes or stops the supervisor of a substream; one after the other, as they share a folder. */
  const followSub = (uid: string): Promise<void> => {
    const sub = subOf(uid)
    const follow = async (): Promise<void> => {
      // Without its stream it waits for the start, or is being removed.
      const row = supervisors.has(uid) ? rowOfRecording(store, sub) : undefined
      const known = supervisors.get(sub)
      if (row !== undefined) return known === undefined ? supervise(row) : known.change(row)
      supervisors.delete(sub)
      await known?.stop()
    }
    const done = (following.get(uid) ?? Promise.resolve())
      .then(follow)
      .catch((error: unknown) => context.log.error({ err: error, uid: sub }, 'substream not changed'))
    following.set(uid, done)
    return done.finally(() => {
      if (following.get(uid) === done) following.delete(uid)
    })
  }

  const statusOf: Site['status'] = (row) => {
    const resting = { status: row.isPaused ? 'paused' : 'pending', failureReason: '' } as const
    const status = supervisors.get(row.uid)?.status() ?? resting
    if (status.status !== 'running') return status
    if (rates.isOver(row.uid)) return { ...status, failureReason: overRate() }
    const failureReason = supervisors.get(subOf(row.uid))?.status().failureReason ?? ''
    return failureReason === '' ? status : { ...status, failureReason: `Substream: ${failureReason}` }
  }

  const site: Site = {
    store,
    index,
    logs,
    annotations,
    get allowLoopback() {
      return options.allowLoopback
    },
    segmentListeners: [],
    diskFailureListeners: [],
    clockListeners: [],
    supervisor: (recording) => supervisors.get(recording),
    extendLease: (uid) => {
      for (const recording of [uid, subOf(uid)]) supervisors.get(recording)?.extendLease()
    },
    status: statusOf,
    add: async (row) => {
      store.create(row)
      logs.write(row.uid, 'info', 'Created')
      await supervise(row)
      await followSub(row.uid)
    },
    change: (row) => {
      store.save(row)
      supervisors.get(row.uid)?.change(row)
      void followSub(row.uid)
    },
    remove: async (uid, isPurged) => {
      const supervisor = supervisors.get(uid)
      supervisors.delete(uid)
      await supervisor?.stop()
      await following.get(uid)
      const sub = supervisors.get(subOf(uid))
      supervisors.delete(subOf(uid))
      await sub?.stop()
      inTransaction(db, () => {
        const row = store.find(uid)
        for (const recording of recordingsOf(index, uid)) {
          if (isPurged) index.markPurged(recording)
          else if (row !== undefined) index.leave(recording, row)
        }
        store.remove(uid)
      })
      rates.forget(uid)
      if (isPurged) void purge(stopping.signal)
    },
    purgeLeft: (uid) => {
      for (const recording of recordingsOf(index, uid)) index.markPurged(recording)
      void purge(stopping.signal)
    },
    start: async () => {
      const rows = store.all()
      const startSome = async (): Promise<void> => {
        for (let row = rows.shift(); row !== undefined && !stopping.signal.aborted; row = rows.shift()) {
          const { uid } = row
          const say = (error: unknown): void => context.log.error({ err: error, uid }, 'stream not started')
          await supervise(row).catch(say)
          await followSub(uid)
        }
      }
      await Promise.all(Array.from({ length: startedAtOnce }, startSome))
      guarded('archive: mending', () => mending.run(stopping.signal).finally(mended.resolve))()
    },
    isMended: mending.isDone,
    mended: () => mended.promise,
    settle: mending.settle,
    purge,
    stop: async () => {
      stopping.abort()
      await Promise.all(following.values())
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.stop()))
      await mended.promise
      await purging
    },
  }
  return site
}
