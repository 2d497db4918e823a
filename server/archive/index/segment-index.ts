import type { Store } from '../../store/store.ts'
import { createChunkRows } from './chunk-rows.ts'
import { wholeRecording, type Garbage } from './garbage-rows.ts'
import { createFence } from './fence.ts'
import { createUnindexedChunks } from './unindexed-chunks.ts'
import { createOldRows, type Stored } from './old-rows.ts'
import { createMergedSegments, earliestFirst } from './merged-segments.ts'
import { createHours } from './packed-hours.ts'
import { createRecordings, maxMoment, minMoment, type Purged } from './recordings.ts'
import type { Run } from '../format/run.ts'
import { createRuns } from './runs.ts'
import { gapToleranceMs, type Segment } from '../format/segment.ts'
import type { Chunk } from '../format/spool.ts'
import { ownVolume } from '../../storage/volume-list.ts'
import type { Volumes } from '../../storage/volumes.ts'

export type SegmentIndex = ReturnType<typeof createSegmentIndex>

const kindOf = ({ codecs, width, height, hasSound }: Run): string => `${codecs} ${width} ${height} ${hasSound}`

class SegmentGone extends Error {}
const chooseAll = async <Each>(stored: readonly Each[]): Promise<readonly Each[]> => stored

type SomeVolumes = Pick<Volumes, 'isMissing' | 'leavesGarbage'>
const oneFolder: SomeVolumes = { isMissing: () => false, leavesGarbage: () => false }

/** Everything that is recorded: indexed chunks, unindexed chunks, and segments of older versions. */
export const createSegmentIndex = (
  store: Store,
  { isMissing, leavesGarbage }: SomeVolumes = oneFolder,
  isShared = false,
) => {
  const recordings = createRecordings(store)
  const runs = createRuns(store)
  const chunks = createChunkRows(store, leavesGarbage)
  const old = createOldRows(store)
  const unindexed = createUnindexedChunks(isMissing)
  const fence = isShared ? createFence(store, { recordings, chunks }) : undefined

  const { pagesWithin, within, recordedRanges } = createMergedSegments({ recordings, chunks, old, unindexed })

  const newestOf = async (uid: string, recording: number): Promise<Segment | undefined> => {
    const older = old.isAny() ? await old.newest(recording) : []
    const current = unindexed.all(uid)
    const found = [...older, ...current, ...(await chunks.newest(recording))]
    return found.toSorted(earliestFirst).at(-1)
  }

  const index = {
    ...recordings,
    countSome: old.countSome,
    /** Adds a segment to the chunk that is being written. */
    addUnindexed: (uid: string, segment: Segment, run: Run): void =>
      unindexed.add(uid, Number.parseInt(segment.file, 10), segment, run),
    isUnindexed: unindexed.has,
    unindexedBytes: unindexed.bytes,
    /** For a chunk that its recorder couldn't seal, before it is indexed from its file. */
    dropUnindexed: unindexed.drop,
    /** Files (`uid/file`) that are being written: they have no rows yet, but no crash left them. */
    inFlight: new Set<string>(),
    old,

    within,
    pagesWithin,
    hoursWithin: createHours({ store, recordings, old, unindexed, pagesWithin }),
    /** The segment that contains a moment, or the newest before it if that ended less than a second ago. */
    at: async (uid: string, moment: number): Promise<Segment | undefined> => {
      const found = await within(uid, moment - gapToleranceMs, moment + 1, 1000)
      return found.findLast(({ start, finish }) => start <= moment && finish + gapToleranceMs > moment)
    },
    startingAt: async (uid: string, start: number): Promise<Segment | undefined> =>
      (await within(uid, start, start + 1, 10)).find((segment) => segment.start === start),
    newest: async (uid: string): Promise<Segment | undefined> => {
      const recording = await recordings.recording(uid)
      return recording === undefined ? undefined : newestOf(uid, recording.recording)
    },
    /** The first recorded moment from a moment on. */
    nextRecorded: async (uid: string, from: number): Promise<number | undefined> => {
      const recording = await recordings.recording(uid)
      if (recording === undefined) return undefined
      const older = old.isAny() ? await old.within(recording, from, maxMoment, 1) : []
      const current = unindexed.within(uid, from, maxMoment)
      const starts = [...older, ...current].map(({ start }) => start)
      const first = Math.min(...starts, (await chunks.nextStart(recording, from)) ?? Infinity)
      return first === Infinity ? undefined : Math.max(first, from)
    },
    period: async (uid: string): Promise<{ startTime: number; endTime: number } | undefined> => {
      const recording = await recordings.recording(uid)
      if (recording === undefined) return undefined
      const current = unindexed.all(uid).map(({ start }) => start)
      const [older, first, last] = await Promise.all([
        old.isAny() ? old.oldestStart(recording.recording) : undefined,
        chunks.oldestStart(recording.recording),
        newestOf(uid, recording.recording),
      ])
      if (last === undefined) return undefined
      return { startTime: Math.min(...current, older ?? Infinity, first ?? Infinity), endTime: last.finish }
    },
    /** The recorded ranges within a range; neighbours are merged. */
    recordedRanges,

    run: async (uid: string, id: number): Promise<Run | undefined> => {
      const current = unindexed.run(uid, id)
      if (current !== undefined) return current
      const recording = await recordings.recording(uid)
      return recording === undefined ? undefined : runs.byId(recording.recording, id)
    },
    runOfKey: async (uid: string, key: string): Promise<Run | undefined> => {
      const recording = await recordings.recording(uid)
      return recording === undefined ? undefined : runs.byKey(recording.recording, key)
    },
    newestRun: async (uid: string): Promise<Run | undefined> => {
      const recording = await recordings.recording(uid)
      return recording === undefined ? undefined : runs.newest(recording.recording)
    },
    runsNear: runs.near,
    /** The runs of a range. */
    runsWithin: async (uid: string, from: number, to: number): Promise<Run[]> => {
      const recording = await recordings.recording(uid)
      if (recording === undefined) return []
      const older = old.isAny() ? await old.within(recording, from, to, 64) : []
      const current = unindexed.runs(uid, from, to)
      const first = await chunks.runsWithin(recording, from, to)
      const begun = await runs.begunWithin(recording.recording, from, to)
      const ids = new Set([...older.map(({ run }) => run), ...first, ...begun])
      const found = [...current]
      for (const id of ids) {
        const run = current.some((each) => each.id === id) ? undefined : await runs.byId(recording.recording, id)
        if (run !== undefined) found.push(run)
      }
      return found
    },
    /** One run of each kind in a range; kinds differ in codecs, size or sound. */
    runOfEachKind: async (uid: string, from: number, to: number): Promise<Run[]> => {
      const found = await index.runsWithin(uid, from, to)
      const kinds = new Map<string, Run>()
      for (const run of found.toSorted((a, b) => a.id - b.id)) if (!kinds.has(kindOf(run))) kinds.set(kindOf(run), run)
      return [...kinds.values()]
    },
    runsOf: async (uid: string, segments: readonly Pick<Segment, 'run'>[]): Promise<Run[]> => {
      const found: Run[] = []
      for (const id of new Set(segments.map(({ run }) => run))) {
        const run = await index.run(uid, id)
        if (run !== undefined) found.push(run)
      }
      return found
    },

    /** The id of a run, added if it doesn't exist. */
    putRun: (recording: number, run: Run): Promise<number> => store.transaction(() => runs.put(recording, run)),
    /** Whether other nodes add chunks too. */
    isFenced: isShared,
    /**
     * Indexes a sealed chunk. False if a segment of an older version that it replaces no longer exists. Rejects with
     * `ChunkRefused` if another node has the stream or has recorded that time. `epoch`: of the lease it was recorded
     * under.
     */
    addChunk: async (
      uid: string,
      recording: number,
      chunk: Chunk,
      run: Run,
      replaced: readonly number[] = [],
      epoch?: number,
    ) => {
      unindexed.seal(uid, chunk.start)
      try {
        await store.transaction(async () => {
          await fence?.({ uid, recording, chunk, epoch })
          for (const start of replaced) if (!(await old.remove(recording, start))) throw new SegmentGone()
          const id = await runs.put(recording, run)
          await chunks.add(recording, chunk, id)
          await runs.lowerFirst(id, chunk.start)
          if (chunk.counts !== undefined) await recordings.raiseCounters(recording, chunk.counts)
        })
      } catch (error) {
        if (error instanceof SegmentGone) return false
        throw error
      }
      unindexed.drop(uid, chunk.start)
      return true
    },
    /** The ranges of chunks within a range, also on missing volumes. */
    takenWithin: async (uid: string, from: number, to: number): Promise<{ start: number; finish: number }[]> => {
      const recording = await recordings.recording(uid)
      return recording === undefined ? [] : chunks.takenWithin(recording, from, to)
    },
    chunksIn: chunks.startingWithin,
    chunksOn: chunks.oldestOn,
    bytesWithin: chunks.bytesWithin,
    /** Whether anything is recorded in a range, also on missing volumes. */
    isRecorded: async (uid: string, from: number, to: number): Promise<boolean> => {
      const recording = await recordings.recording(uid)
      const isIndexed = recording !== undefined && (await chunks.isAnyWithin(recording, from, to))
      return isIndexed || (await within(uid, from, to, 1)).length > 0
    },
    hourStarts: chunks.hourStarts,
    /** The oldest chunks and segments of older versions that begin at `from` or later and end before a moment. */
    oldest: async (recording: number, before: number, limit: number, from = minMoment): Promise<Stored[]> => {
      const rows = old.isAny() ? await old.oldest(recording, from, before, limit) : []
      const all = [...rows, ...(await chunks.oldest(recording, from, before, limit))]
      return all.toSorted(earliestFirst).slice(0, limit)
    },
    /** The same on one volume, whenever they end. */
    oldestOn: async (volume: number, recording: number, limit: number, from = minMoment): Promise<Stored[]> => {
      const rows = volume === ownVolume && old.isAny() ? await old.oldest(recording, from, maxMoment, limit) : []
      const all = [...rows, ...(await chunks.oldestOn(volume, recording, from, limit))]
      return all.toSorted(earliestFirst).slice(0, limit)
    },
    /** Removes those rows that `choose` picks in the transaction, and returns them. */
    remove: <Each extends Stored>(recording: number, stored: readonly Each[], choose = chooseAll<Each>) =>
      store.transaction(async () => {
        const removed = await choose(stored)
        for (const each of removed) {
          if ('file' in each) await old.remove(recording, each.start)
          else await chunks.remove(recording, each.start)
        }
        for (const run of new Set(removed.map((each) => each.run))) await runs.drop(run)
        return removed
      }),
    /** False if the chunk was removed meanwhile. */
    moveChunk: (recording: number, chunk: Garbage, volume: number): Promise<boolean> =>
      store.transaction(() => chunks.move(recording, chunk, volume)),
    garbage: chunks.garbage,
    /** Lists all files of a purged recording as garbage of these volumes. */
    listPurged: (purged: Purged, volumes: readonly number[]): Promise<void> =>
      store.transaction(async () => {
        for (const volume of volumes) await chunks.garbage.add(volume, [{ uid: purged.uid, start: wholeRecording }])
        await recordings.markListed(purged.recording)
      }),
    purgeSome: (purged: Purged, limit: number, areFilesDeleted: boolean): Promise<boolean> =>
      store.transaction(async () => {
        await chunks.discardFirst(purged.recording, limit + 1)
        return recordings.purgeSome(purged, limit, areFilesDeleted)
      }),
    removeChunk: (recording: number, start: number): Promise<void> =>
      store.transaction(() => chunks.remove(recording, start)),
    addOld: (recording: number, segments: readonly Segment[], isLiveOnly = false): Promise<void> =>
      store.transaction(async () => {
        await old.add(recording, segments, isLiveOnly)
        if (isLiveOnly) return
        for (const { run, start } of segments) await runs.lowerFirst(run, start)
      }),
    forgetUnindexed: unindexed.dropAll,
  }
  return index
}
