import { archiveSteps } from '../archive/tables.ts'
import { createAnnotationStore, type AnnotationStore } from '../archive/annotations.ts'
import { reconcile, removeRecording } from '../archive/files.ts'
import { createSegmentIndex, type Run, type Segment, type SegmentIndex } from '../archive/segment-index.ts'
import type { ServerContext } from '../context.ts'
import { migrate } from '../store/database.ts'
import { createStreamLogs, type StreamLogs } from './logs.ts'
import { createStreamStore, type StreamRow, type StreamStore } from './stream-store.ts'
import { createSupervisor, type Status, type Supervisor } from './supervisor.ts'
import { streamsSteps } from './tables.ts'

/** Every stream of this server, what keeps it going and what is recorded of it. */
export type Site = {
  store: StreamStore
  index: SegmentIndex
  logs: StreamLogs
  annotations: AnnotationStore
  allowLoopback: boolean
  supervisor: (uid: string) => Supervisor | undefined
  status: (row: Pick<StreamRow, 'uid' | 'isPaused'>) => { status: Status; failureReason: string }
  /** Keeps a new stream and starts it. */
  add: (row: StreamRow) => Promise<void>
  change: (row: StreamRow) => void
  /** `purge` removes what is recorded as well. */
  remove: (uid: string, purge: boolean) => Promise<void>
  /** Brings files and rows together and starts every stream; settles when all are started. */
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Is told of every segment that was recorded. */
  segmentListeners: ((uid: string, segment: Segment, run: Run, previous: Segment | undefined) => void)[]
  /** Is told when a segment could not be written. */
  diskFailureListeners: (() => void)[]
  /** Is told when our clock was set back: until that moment something may have been recorded for a time already. */
  clockListeners: ((until: number) => void)[]
}

export const createSite = (context: ServerContext, options: { allowLoopback: boolean }): Site => {
  const { db, dataDir, now } = context
  migrate(db, 'streams', streamsSteps)
  migrate(db, 'archive', archiveSteps)
  const store = createStreamStore(db)
  const index = createSegmentIndex(db)
  const logs = createStreamLogs(db, now)
  const annotations = createAnnotationStore(db)
  const supervisors = new Map<string, Supervisor>()
  let isStopped = false

  const supervise = async (row: StreamRow): Promise<void> => {
    // What records right now is never reconciled: its newest file may be there before its row.
    if (supervisors.has(row.uid)) return
    const removed = await reconcile(index, dataDir, row.uid)
    if (removed.files + removed.rows > 0) {
      logs.write(row.uid, 'warn', `Removed after a crash: ${removed.files} files, ${removed.rows} index rows`)
    }
    const current = store.find(row.uid)
    if (isStopped || current === undefined || supervisors.has(row.uid)) return
    supervisors.set(
      row.uid,
      createSupervisor(current, {
        dataDir,
        index,
        logs,
        annotations,
        now,
        get allowLoopback() {
          return options.allowLoopback
        },
        isDrained: context.node.isDrained,
        random: Math.random,
        onSegment: (...told) => {
          for (const listener of site.segmentListeners) listener(...told)
        },
        onDiskFailure: () => {
          for (const listener of site.diskFailureListeners) listener()
        },
        onClockSetBack: (until) => {
          for (const listener of site.clockListeners) listener(until)
        },
      }),
    )
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
    supervisor: (uid) => supervisors.get(uid),
    status: (row) =>
      supervisors.get(row.uid)?.status() ?? { status: row.isPaused ? 'paused' : 'pending', failureReason: '' },
    add: async (row) => {
      store.create(row)
      logs.write(row.uid, 'info', 'Created')
      await supervise(row)
    },
    change: (row) => {
      store.save(row)
      supervisors.get(row.uid)?.change(row)
    },
    remove: async (uid, purge) => {
      const supervisor = supervisors.get(uid)
      store.remove(uid)
      supervisors.delete(uid)
      await supervisor?.stop()
      if (purge) await removeRecording(index, dataDir, uid)
    },
    start: async () => {
      for (const row of store.all()) {
        if (isStopped) return
        await supervise(row).catch((error: unknown) => context.log.error({ err: error, uid: row.uid }, 'stream not started'))
      }
    },
    stop: async () => {
      isStopped = true
      await Promise.all([...supervisors.values()].map((supervisor) => supervisor.stop()))
    },
  }
  return site
}
