import type { Cluster } from '../cluster/cluster.ts'
import { guarded } from '../guarded.ts'
import { createSlots } from '../media/slots.ts'
import { createHandOver } from './hand-over.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import type { StreamRow, StreamStore } from './stream-store.ts'
import { rowOfRecording, streamOf, subOf } from './substream.ts'
import type { Supervisor } from './supervisor.ts'

/** What a supervisor asks of the cluster (supervisor-options.ts). */
export type Membership = { isHolding: () => boolean; isKeeping: () => boolean; onKeyframe: () => void }

type Options = {
  cluster: Pick<Cluster, 'assignmentOf' | 'holderOf' | 'tenureOf' | 'takeOver'>
  store: StreamStore
  /** Prepares and starts a supervisor; undefined if its stream is gone by then. */
  create: (recording: string, membership: Membership) => Promise<Supervisor | undefined>
  /** Called when a stream can't be started; it is tried again until it is. */
  onFailure: (error: unknown, uid: string) => void
}

export type Supervision = {
  get: (recording: string) => Supervisor | undefined
  /** Starts, changes or stops what records a stream, as its row and the cluster say. */
  follow: (uid: string) => Promise<void>
  /** A stream was changed: what records it follows at once. */
  change: (row: StreamRow) => void
  /** Runs `work` while nothing records the stream, then goes on if the stream is still there. */
  whileStopped: (uid: string, work: () => Promise<void>) => Promise<void>
  /** Stops all; nothing is started any more. */
  stopAll: () => Promise<void>
}

/** Starting one reads its folder: more at once would wait for the disk. */
const startedAtOnce = 8
/** The holder before goes on for this: the next one keeps only segments that begin after it got the lease. */
const relievedMs = 5000
/** What could not be started, as while the database is away, is tried again after this. */
const retryMs = 5000

type Known = { supervisor: Supervisor; row: StreamRow }

/** The supervisors of this node: those of the streams that it holds or joins, and of their substreams. */
export const createSupervision = ({ cluster, store, create, onFailure }: Options): Supervision => {
  const supervisors = new Map<string, Known>()
  /** The epoch of the lease by which this node records a stream: kept until it stops, also after it lost the lease. */
  const epochs = new Map<string, number>()
  /** Streams that another node has taken over, which this one stops soon. */
  const relieved = new Map<string, NodeJS.Timeout>()
  const slots = createSlots({ size: startedAtOnce })
  /** Streams that could not be started yet. */
  const retries = new Map<string, NodeJS.Timeout>()
  const following = createKeyedQueue((error, uid) => {
    if (!retries.has(uid)) onFailure(error, uid)
    retrySoon(uid)
  })
  const handOver = createHandOver(cluster, (recording) => supervisors.get(recording)?.supervisor)
  let isStopping = false

  const start = async (recording: string, row: StreamRow): Promise<void> => {
    const uid = streamOf(recording)
    const supervisor = await slots({ callers: () => [''] }, () =>
      create(recording, {
        isHolding: () => cluster.assignmentOf(uid) === 'holding',
        isKeeping: () => epochs.has(uid) || cluster.assignmentOf(uid) === 'holding',
        onKeyframe: () => handOver.noteKeyframe(recording),
      }),
    )
    if (supervisor !== undefined) supervisors.set(recording, { supervisor, row })
  }

  const stopRecording = async (recording: string): Promise<void> => {
    const known = supervisors.get(recording)
    supervisors.delete(recording)
    await known?.supervisor.stop()
  }

  const stopBoth = async (uid: string): Promise<void> => {
    epochs.delete(uid)
    clearTimeout(relieved.get(uid))
    relieved.delete(uid)
    await Promise.all([stopRecording(uid), stopRecording(subOf(uid))])
  }

  /** Stops what records by an earlier lease, as the index keeps runs of two leases apart. Whether the lease is new. */
  const followEpoch = async (uid: string): Promise<boolean> => {
    const epoch = cluster.tenureOf(uid)?.epoch
    const before = epochs.get(uid)
    if (before !== undefined && before !== epoch) await stopBoth(uid)
    if (epoch !== undefined) epochs.set(uid, epoch)
    return before !== epoch
  }

  /** Whether another node records a stream now that this one is still recording. */
  const isRelieved = (uid: string): boolean =>
    epochs.has(uid) &&
    cluster.assignmentOf(uid) === undefined &&
    cluster.holderOf(uid) !== undefined &&
    store.find(uid)?.isArchived === true &&
    supervisors.get(uid)?.supervisor.isLive() === true

  const stopSoon = (uid: string): void => {
    if (relieved.has(uid)) return
    const stop = () => {
      relieved.delete(uid)
      return following.run(uid, () => (isRelieved(uid) ? stopBoth(uid) : follow(uid)))
    }
    relieved.set(uid, setTimeout(guarded('supervision: relieved', stop), relievedMs))
  }

  const follow = async (uid: string): Promise<void> => {
    if (isStopping) return
    if (cluster.assignmentOf(uid) !== 'joining') handOver.forget(uid)
    if (isRelieved(uid)) return stopSoon(uid)
    const isNew = await followEpoch(uid)
    for (const recording of [uid, subOf(uid)]) {
      const row = cluster.assignmentOf(uid) === undefined ? undefined : rowOfRecording(store, recording)
      const known = supervisors.get(recording)
      if (row === undefined) await stopRecording(recording)
      else if (known === undefined) await start(recording, row)
      else if (isNew || known.row !== row) {
        known.row = row
        known.supervisor.change(row)
      }
    }
  }

  const followInTurn = (uid: string): Promise<void> =>
    following.run(uid, async () => {
      await follow(uid)
      clearTimeout(retries.get(uid))
      retries.delete(uid)
    })

  const retrySoon = (uid: string): void => {
    clearTimeout(retries.get(uid))
    if (isStopping) return
    const retry = () => followInTurn(uid)
    retries.set(uid, setTimeout(guarded('supervision: retry', retry), retryMs))
  }

  return {
    get: (recording) => supervisors.get(recording)?.supervisor,
    follow: followInTurn,
    change: (row) => {
      const known = supervisors.get(row.uid)
      if (known !== undefined) {
        known.row = row
        known.supervisor.change(row)
      }
      void followInTurn(row.uid)
    },
    whileStopped: async (uid, work) => {
      const done = Promise.withResolvers<void>()
      void following.run(uid, async () => {
        await stopBoth(uid).then(work).then(done.resolve, done.reject)
        await follow(uid)
      })
      await done.promise
    },
    stopAll: async () => {
      isStopping = true
      for (const timer of [...relieved.values(), ...retries.values()]) clearTimeout(timer)
      await following.allSettled()
      await Promise.all([...supervisors.values()].map(({ supervisor }) => supervisor.stop()))
    },
  }
}
