import type { FastifyBaseLogger } from 'fastify'
import { StoreAway } from '../store/connection.ts'
import { isWriteError } from '../store/disk-error.ts'
import type { Store } from '../store/store.ts'
import { untilThere } from '../store/while-away.ts'
import { guarded } from '../guarded.ts'
import { foldersOf, recoverStream } from './repair/repair-files.ts'
import type { Counts } from './format/chunk-file.ts'
import { streamTotals } from './retention/fair-share.ts'
import { createLocks, type Locks } from './retention/locks.ts'
import { deletedFirst } from './retention/oldest-unlocked.ts'
import { isNotable, summaryOf, type RepairResult, type StreamArchive } from './repair/repair-result.ts'
import { createBackgroundRepair } from './repair/background-repair.ts'
import { deletePurged } from './index/purging.ts'
import { dropLiveFiles } from './format/recover.ts'
import { createReading, type ReadSegment } from './playback/reading.ts'
import type { Init } from '../media/init.ts'
import type { FeedOptions } from './recorder/live-feed.ts'
import type { RecorderOptions } from './recorder/recorder.ts'
import { createChunkIndexer } from './index/chunk-indexer.ts'
import { createLateChunks } from './repair/late-chunks.ts'
import { createHandIn, type HandIn } from './index/hand-in.ts'
import { createOwnSpools, type RecorderSpools } from './recorder/own-spools.ts'
import { createRunIds } from './format/run.ts'
import { createSegmentIndex, type SegmentIndex } from './index/segment-index.ts'
import { createRepacking } from './repair/repacking.ts'
import { createReturnedVolumes } from './repair/returned-volumes.ts'
import { ownVolume } from '../storage/volume-list.ts'
import type { Volumes } from '../storage/volumes.ts'

/** What a recorder needs of a prepared recording: where to start, and callbacks. `lastInit`: that of the newest run. */
export type PreparedRecording = Required<Pick<FeedOptions, 'onSegment' | 'onSealed' | 'onCounts' | 'onVolumeFailed'>> &
  Pick<RecorderOptions, 'target' | 'start' | 'isRecorded'> & { lastInit: Init | undefined; spools: RecorderSpools }

export type Archive = {
  index: SegmentIndex
  locks: Locks
  handIn: HandIn
  read: ReadSegment
  /** A new id, for a run that isn't recorded live. */
  runId: () => number
  /** Seals the spools that a crash left of a stream, and prepares its recording. The stream must not be recording. */
  prepare: (uid: string) => Promise<PreparedRecording>
  /**
   * Repairs what the last process left, then converts recordings of older versions. Hands chunks in to the bucket until
   * `signal` aborts. Called once, after the streams have started.
   */
  repair: (signal: AbortSignal) => Promise<void>
  /** Whether the hours that may lack rows after a crash are repaired. */
  isRepaired: () => boolean
  /** Resolves when the repair has ended. */
  untilRepaired: () => Promise<void>
  /** Resolves when recordings of older versions are converted and volumes that came back are repaired. */
  untilRepacked: () => Promise<void>
  repackedPercent: () => number | undefined
  /** Indexes chunks that waited for the database, and stores the moment up to which files and rows agree. */
  settle: () => Promise<void>
  /** Resolves when all sealed chunks are indexed or wait for a retry. */
  untilIndexed: () => Promise<void>
  /** Deletes the live-only spools of a removed stream. */
  dropLive: (uid: string) => Promise<void>
  /** Deletes recordings that are marked as purged. */
  purge: (signal: AbortSignal) => Promise<void>
  /** Resolves when all work has ended, after the signal of `repair` has aborted. */
  untilStopped: () => Promise<void>
}

export type ArchiveOptions = {
  store: Store
  volumes: Volumes
  now: () => number
  log: FastifyBaseLogger
  writeLog: (uid: string, message: string) => void
  isArchived: (uid: string) => boolean
  onDiskFailure: () => void
  /** In a cluster: the epoch of this node's lease of a stream, 0 if none; `takenAt`: since when others may have it. */
  leaseOf?: ((uid: string) => { epoch: number; takenAt: number | undefined }) | undefined
}

/** The index and the files of all recordings, and the tasks that keep them consistent. */
export const createArchive = (options: ArchiveOptions): Archive => {
  const { store, volumes, now, log, writeLog } = options
  const index = createSegmentIndex(store, volumes, options.leaseOf !== undefined)
  const locks = createLocks(store, now)
  volumes.setNextDeleted(
    async (id) => (await deletedFirst({ index, locks }, [{ id }], streamTotals(await index.totalsOn(id))))?.start,
  )
  const runId = createRunIds(0, now)
  const repairEnded = Promise.withResolvers<void>()
  const repackingEnded = Promise.withResolvers<void>()
  const ownSpools = createOwnSpools()
  let purging: Promise<void> = Promise.resolve()
  let handingIn: Promise<void> = Promise.resolve()
  let stopSignal: AbortSignal | undefined
  const handIn = createHandIn({ index, volumes, now, warn: (detail, message) => log.warn(detail, message) })
  const report = (uid: string, result: RepairResult): void => {
    if (!isNotable(result)) return
    writeLog(uid, `Repair: ${summaryOf(result)}`)
    log.warn({ uid }, summaryOf(result))
  }
  const archiveOf = (uid: string): StreamArchive => ({
    index,
    // Only the command `repair` lists what is in a bucket.
    volumes: { ...volumes, available: volumes.folders },
    uid,
    isArchived: options.isArchived(uid),
    runId,
    isWaitingForIndex: (start) => chunkIndexer.isWaiting(uid, start) || lateChunks.isWaiting(uid, start),
    isHandedIn: (start) => handIn.keepsCopy(uid, start),
    late: lateChunks.lateTimes(uid, options.leaseOf?.(uid).takenAt, now()),
  })
  const recovering = new Map<string, Promise<void>>()
  /** The streams that may record. */
  const prepared = new Set<string>()
  /**
   * Seals spools that a crash left, one call for a stream after another. Not to be called while the stream records: the
   * spool of its recorder looks like one that a crash left. Rejects if the database is away.
   */
  const recover = (uid: string): Promise<void> => {
    const recovered = (recovering.get(uid) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => recoverStream(archiveOf(uid)))
      .then(
        (result) => report(uid, result),
        (error: unknown) => {
          if (error instanceof StoreAway) {
            if (!prepared.has(uid)) recovering.delete(uid)
            throw error
          }
          log.error({ err: error, uid }, 'newest files not read')
        },
      )
    recovering.set(uid, recovered)
    return recovered
  }
  /** Streams that record are left out: `prepare` has recovered them. */
  const recoverUnprepared = async (uid: string): Promise<void> => {
    if (!recovering.has(uid)) await recover(uid)
  }
  const repair = createBackgroundRepair({
    index,
    volumes: { ...volumes, available: volumes.folders },
    now,
    report,
    archiveOf,
    recover: recoverUnprepared,
  })
  const returnedVolumes = createReturnedVolumes({
    index,
    untilRepaired: () => repairEnded.promise.then(() => stopSignal),
    recover: async (uid) => {
      const isOfRecorder = (start: number): boolean => ownSpools.has(uid, start) || index.isUnindexed(uid, start)
      report(uid, await recoverStream(archiveOf(uid), isOfRecorder))
    },
    repair: repair.run,
    onFailure: (error) => log.error({ err: error }, 'a volume that is back was not looked through'),
  })
  volumes.returnListeners.push(returnedVolumes.look)
  const onFailure = (uid: string, error: unknown): void => {
    log.error({ err: error, uid }, 'a chunk could not be indexed')
    // Freeing disk space, as listeners do, doesn't help while the database is away.
    if (!(error instanceof StoreAway)) options.onDiskFailure()
  }
  const onIndexed = (): void => handIn.wake()
  const lateChunks = createLateChunks({ index, volumes, onIndexed, onFailure })
  const chunkIndexer = createChunkIndexer({ index, volumes, onIndexed, onRefused: lateChunks.refuse, onFailure })
  const onNotConverted = (uid: string, file: string | undefined, error: unknown): void => {
    writeLog(
      uid,
      file === undefined
        ? 'Recordings of an older version are not converted; the next start tries again'
        : `A recording of an older version can't be read: ${file}`,
    )
    log.error({ err: error, uid, file }, 'a recording of an older version was not taken over')
  }
  const repacking = createRepacking({ index, volumes, log, onFailure: onNotConverted })

  return {
    index,
    locks,
    handIn,
    read: createReading(index, volumes),
    runId,
    prepare: async (uid) => {
      prepared.add(uid)
      await recover(uid)
      const { recording, ...counts } = await index.open(uid)
      const recordedUntil = (await index.newest(uid))?.finish ?? 0
      /** A recorder holds one lease from its first segment to its last. */
      let epoch: number | undefined
      return {
        target: () => volumes.targetFor(uid),
        onVolumeFailed: volumes.markFailed,
        start: { recording, counts, recordedUntil },
        lastInit: (await index.newestRun(uid))?.init,
        spools: ownSpools.ofNext(uid),
        isRecorded: (from, to) => index.isRecorded(uid, from, to),
        onSegment: (segment, run, isKept) => {
          if (!isKept) return
          index.addUnindexed(uid, segment, run)
          epoch ||= options.leaseOf?.(uid).epoch
        },
        onSealed: (chunk, run) => chunkIndexer.add({ uid, recording, chunk, run, epoch }),
        onCounts: guarded('archive: counts', (reported: Counts) =>
          index.raiseCounters(recording, reported).catch((error: unknown) => {
            if (!isWriteError(error)) throw error
          }),
        ),
      }
    },
    repair: async (signal) => {
      stopSignal = signal
      handingIn = handIn.run(signal)
      try {
        await repair.run(signal).finally(repairEnded.resolve)
        if (volumes.folders().some(({ id }) => id === ownVolume)) await untilThere(() => repacking.run(signal), signal)
      } finally {
        repackingEnded.resolve()
      }
    },
    isRepaired: repair.isDone,
    untilRepaired: () => repairEnded.promise,
    untilRepacked: () => repackingEnded.promise.then(returnedVolumes.settled),
    repackedPercent: repacking.donePercent,
    settle: async () => {
      await chunkIndexer.retry()
      await lateChunks.retry()
      await repair.markConsistent()
    },
    untilIndexed: chunkIndexer.settled,
    dropLive: async (uid) => {
      for (const folder of foldersOf({ volumes, uid })) await dropLiveFiles(folder)
    },
    purge: (signal) => {
      purging = purging
        .then(() => deletePurged(index, volumes, signal))
        .catch((error: unknown) => log.error({ err: error }, 'recordings could not be purged'))
      return purging
    },
    untilStopped: async () => {
      await chunkIndexer.settled()
      // What ends them never begins if the site could not be started.
      if (stopSignal !== undefined) await repackingEnded.promise.then(returnedVolumes.settled)
      await purging
      await handingIn
    },
  }
}
