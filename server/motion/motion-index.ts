import { setTimeout as pause } from 'node:timers/promises'
import { StorageAway } from '../storage/chunk-storage.ts'
import { chunkFile } from '../storage/folders.ts'
import { StoreAway } from '../store/connection.ts'
import type { ServerContext } from '../context.ts'
import { dayMs, hourMs, minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import { decodeKeyframes, readKeyframe } from '../media/keyframes.ts'
import { undefinedIfGone } from '../archive/playback/reading.ts'
import type { Recording } from '../archive/index/recordings.ts'
import type { Run } from '../archive/format/run.ts'
import { indexedWithinMs } from '../archive/format/segment.ts'
import type { Site } from '../streams/site.ts'
import { subOf } from '../streams/substream.ts'
import { cellCount, createGridComparison, pointColumns, pointRows, type GridComparison } from './grid.ts'
import { packSamples, type GridSample } from './grid-record.ts'
import { createMotionRows, type UnindexedChunk } from './motion-rows.ts'

const intervalMs = 15_000
/** How far back chunks are indexed that were sealed while the server was stopped or the index was off. */
const lookBackMs = dayMs
/** Pictures further apart aren't compared. */
const maxStepMs = 70_000
/** So many chunks of one recording are indexed before those of the next. */
const chunksAtOnce = 3
/** Older chunks are indexed slowly, with pauses. */
const oldMs = 15 * minuteMs
/** The pause after indexing an old chunk, as a multiple of the time that it took. */
const defaultPauseFactor = 3
const maxSegments = 4096
const noMotion = new Uint8Array(cellCount)

/**
 * Moments in epoch milliseconds: chunks that begin at `at` or earlier are indexed, `since` is when the search for
 * chunks began, and `lastKeyframe` is the time of the last compared picture.
 */
type Progress = { at: number; since: number; comparison: GridComparison; lastKeyframe: number }

/** `new`: sealed lately. These come first, so that a backlog doesn't delay them. */
type Kind = 'new' | 'old'
type Ids = { recording: number; substream: Recording | undefined }
type Keyframe = { at: number; picture: Buffer }

const middleOf = ({ start, finish }: UnindexedChunk): number => Math.floor((start + finish) / 2)

/** While the database or the bucket is away, chunks wait. */
const isAway = (error: unknown): boolean => error instanceof StoreAway || error instanceof StorageAway

export type MotionIndexer = {
  /** Begins to index new chunks, and those of the last day. */
  start: () => void
  /** Indexes the chunks of the last day that have no motion index yet. */
  indexAll: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Adds a motion index to the chunks of this node's streams, in the background: to those of the substream if there is
 * one, and of the main stream where the substream isn't recorded.
 */
export const createMotionIndexer = (
  { store, cluster, now, log }: Pick<ServerContext, 'store' | 'cluster' | 'now' | 'log'>,
  site: Site,
  pauseFactor = defaultPauseFactor,
): MotionIndexer => {
  const { index, volumes } = site
  const motion = createMotionRows(store)
  const progresses = { new: new Map<string, Progress>(), old: new Map<string, Progress>() }
  const stopping = new AbortController()
  const { signal } = stopping
  const isRunning = (): boolean => !signal.aborted
  let indexing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const keyframesOf = async (recording: string, chunk: UnindexedChunk, run: Run): Promise<Keyframe[]> => {
    const keyframes: Keyframe[] = []
    const file = chunkFile(chunk.start)
    for (const segment of await index.within(recording, chunk.start, chunk.finish, maxSegments)) {
      if (segment.file !== file) continue
      const picture = await readKeyframe(segment.bytes, run.init, (offset, bytes) =>
        site.read(recording, segment, { signal, within: { offset, bytes } }),
      ).catch(undefinedIfGone)
      if (picture !== undefined) keyframes.push({ at: segment.start, picture })
    }
    return keyframes
  }

  const samplesOf = (progress: Progress, keyframes: readonly Keyframe[], lumas: readonly Buffer[]): GridSample[] => {
    const samples: GridSample[] = []
    for (const [position, { at }] of keyframes.entries()) {
      const step = at - progress.lastKeyframe
      if (step <= 0 || step > maxStepMs) progress.comparison.restart()
      const luma = lumas[position]
      const levels = luma === undefined ? undefined : progress.comparison.next(luma)
      // The samples of a chunk follow one another without a gap.
      if (levels !== undefined || samples.length > 0)
        samples.push({ from: samples.at(-1)?.to ?? progress.lastKeyframe, to: at, levels: levels ?? noMotion })
      progress.lastKeyframe = at
    }
    return samples
  }

  const packedSamplesOf = async (recording: string, chunk: UnindexedChunk, progress: Progress): Promise<Uint8Array> => {
    const run = await index.run(recording, chunk.run)
    const keyframes = run === undefined ? [] : await keyframesOf(recording, chunk, run)
    if (run === undefined || keyframes.length === 0) return new Uint8Array()
    const lumas = await decodeKeyframes(
      keyframes.map(({ picture }) => picture),
      run.init,
      { width: pointColumns, height: pointRows },
      signal,
    )
    if (lumas === undefined) {
      progress.comparison.restart()
      return new Uint8Array()
    }
    return packSamples(samplesOf(progress, keyframes, lumas), chunk.start)
  }

  const pauseAfter = async (chunk: UnindexedChunk, began: number): Promise<void> => {
    const isOld = chunk.finish < now() - oldMs
    await pause(isOld ? (performance.now() - began) * pauseFactor : 0, undefined, { signal }).catch(() => undefined)
  }

  /** A segment of the substream that still grows isn't known. */
  const isTooNew = ({ substream }: Ids, chunk: UnindexedChunk): boolean =>
    substream !== undefined && now() < middleOf(chunk) + indexedWithinMs

  /** The substream counts as recorded, too, while its chunk isn't sealed yet. */
  const isPassedOver = async (recording: string, { substream }: Ids, chunk: UnindexedChunk): Promise<boolean> => {
    const { volume } = chunk
    if (volumes.elsewhere().includes(volume) || volumes.isMissing(volume)) return true
    if (substream === undefined) return false
    const middle = middleOf(chunk)
    return index.isRecorded(subOf(recording), middle, middle + 1)
  }

  /** False if nothing is left to index now. */
  const indexNext = async (kind: Kind, recording: string, ids: Ids, progress: Progress): Promise<boolean> => {
    const began = performance.now()
    const newFrom = now() - oldMs
    if (kind === 'new') progress.at = Math.max(progress.at, newFrom)
    const chunk = await motion.nextUnindexed(ids.recording, progress.at, ids.substream)
    if (chunk === undefined || isTooNew(ids, chunk) || (kind === 'old' && chunk.start > newFrom)) {
      // Chunks come late if the database was away: those of an hour more are looked for each time.
      if (kind === 'old') progress.at = Math.max(progress.at, newFrom - hourMs)
      return false
    }
    if (!(await isPassedOver(recording, ids, chunk))) {
      try {
        const packed = await packedSamplesOf(recording, chunk, progress)
        if (!isRunning()) return false
        await motion.add(ids.recording, chunk.start, packed)
      } catch (error) {
        // A broken chunk must not hold up those after it.
        if (!isAway(error)) progress.at = chunk.start
        throw error
      }
    }
    progress.at = chunk.start
    await pauseAfter(chunk, began)
    return true
  }

  const progressOf = (kind: Kind, recording: string): Progress => {
    const before = progresses[kind].get(recording)
    // Chunks may be added later than newer ones: an hourly search finds them.
    if (before !== undefined && now() - before.since < hourMs) return before
    const comparison = before?.comparison ?? createGridComparison()
    const at = now() - (kind === 'new' ? oldMs : lookBackMs)
    const next = { at, since: now(), comparison, lastKeyframe: before?.lastKeyframe ?? 0 }
    progresses[kind].set(recording, next)
    return next
  }

  /** False if nothing is left to index now. */
  const indexSome = async (kind: Kind, recording: string): Promise<boolean> => {
    const found = await index.recording(recording)
    if (found === undefined) return false
    const { substreamSource = '' } = site.store.find(recording) ?? {}
    const substream = substreamSource === '' ? undefined : await index.recording(subOf(recording))
    const ids = { recording: found.recording, substream }
    const progress = progressOf(kind, recording)
    for (let count = 0; count < chunksAtOnce; count += 1) {
      if (!isRunning() || !(await indexNext(kind, recording, ids, progress))) return false
    }
    return true
  }

  const tryToIndex = async (kind: Kind, recording: string): Promise<boolean> => {
    try {
      return await indexSome(kind, recording)
    } catch (error) {
      if (isRunning() && !isAway(error)) log.warn({ err: error, uid: recording }, 'the motion index is behind')
      return false
    }
  }

  const recordings = (): string[] =>
    site.store.all().flatMap(({ uid, substreamSource = '' }) => {
      if (cluster.tenureOf(uid) === undefined) return []
      return substreamSource === '' ? [uid] : [subOf(uid), uid]
    })

  /** `between` runs before each recording. */
  const indexKind = async (kind: Kind, current: readonly string[], between?: () => Promise<void>): Promise<void> => {
    let left = current
    while (left.length > 0 && isRunning()) {
      const more: string[] = []
      for (const recording of left) {
        await between?.()
        if (await tryToIndex(kind, recording)) more.push(recording)
      }
      left = more
    }
  }

  const indexRound = async (): Promise<void> => {
    const current = recordings()
    for (const known of Object.values(progresses))
      for (const recording of known.keys()) if (!current.includes(recording)) known.delete(recording)
    let newAt = -Infinity
    const indexNew = async (): Promise<void> => {
      if (performance.now() - newAt < intervalMs) return
      await indexKind('new', recordings())
      newAt = performance.now()
    }
    await indexNew()
    await indexKind('old', current, indexNew)
  }

  const indexAll = (): Promise<void> => {
    indexing ??= indexRound().finally(() => {
      indexing = undefined
    })
    return indexing
  }

  return {
    start: () => {
      timer ??= isRunning() ? setInterval(guarded('motion: index', indexAll), intervalMs) : undefined
    },
    indexAll,
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      await indexing
    },
  }
}
