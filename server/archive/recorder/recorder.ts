import { guarded } from '../../guarded.ts'
import { createBacklog } from './backlog.ts'
import type { Counts } from '../format/chunk-file.ts'
import { createChunkWriter } from '../format/chunk-writer.ts'
import { createSegmentMemory, freeSpooled, fromMemory, type SpooledPart } from './segment-memory.ts'
import type { WriteTarget } from '../../storage/write-target.ts'
import type { RecorderEvent } from './recorder-events.ts'
import { createRunIds, newRunKey, runOf, toTicks } from '../format/run.ts'
import { floorSlackMs } from './run-clock.ts'
import { isJoined, overlapMs, type Segment } from '../format/segment.ts'
import type { Spool } from '../format/spool.ts'
import { reasonOf, SlowDisk } from './write-failure.ts'
import {
  createIngestSession,
  type GrowingSegment,
  type IngestSession,
  type SegmentBuilder,
  type SessionOptions,
} from './ingest-session.ts'

/** What a recorder starts from, as it never queries the database. `recordedUntil` in epoch milliseconds. */
type RecorderStart = { recording: number; counts: Counts; recordedUntil: number }

export type RecorderOptions = {
  /** Where the stream's next chunk goes. */
  target: () => WriteTarget
  start: RecorderStart
  isArchived: () => boolean
  /** The minimum duration of a part; a keyframe may end it earlier. */
  partSeconds: number
  now: () => number
  /** Whether anything is recorded in a range: asked after the clock was set back. */
  isRecorded: (from: number, to: number) => Promise<boolean>
  emit: (event: RecorderEvent) => void
}

export type Recorder = {
  /** Begins to record what a new connection delivers. */
  begin: (options: SessionOptions) => IngestSession
  /** Reads a segment, or a part by index, until the segment is written, or if it couldn't be. */
  read: (start: number, part?: number) => Promise<Buffer | undefined>
}

/** Sequence numbers of a live-only chunk, whose counters a crash loses: more than it can have segments. */
const sequencesReserved = 200

/** `isBehind`: its time may be recorded already, so nothing is written before the segment is complete. */
type Writing = { isBehind: boolean; spool?: Spool; failure?: unknown; spooled: SpooledPart[] }

/**
 * Builds segments from fragments: gives each a start on the wall clock, appends it part by part to the spool, syncs it,
 * and reports it to be listed live. Two kinds of segments are listed live from memory alone: those that can't be
 * written, and those whose time is recorded already because the clock was set back.
 */
export const createRecorder = (options: RecorderOptions): Recorder => {
  const { start: known, emit } = options
  const counts = { ...known.counts }
  let lastArrivedAt = known.recordedUntil
  /** The ends of what is written, of the closed segments, and of the growing one, epoch milliseconds. */
  let { recordedUntil } = known
  let closedUntil = recordedUntil
  let placedUntil = recordedUntil
  /** The last segment that was listed live. */
  let listed: Pick<Segment, 'run' | 'finish'> | undefined
  let queue: Promise<void> = Promise.resolve()
  const backlog = createBacklog()
  const writings = new WeakMap<GrowingSegment, Writing>()
  const memory = createSegmentMemory()
  const nextRunId = createRunIds(known.recording, options.now)
  // Starts at the clock, so that no part number repeats after a restart: players cache parts.
  let nextPart = Math.max(options.now(), recordedUntil)

  const reportFailure = guarded('recorder: failure', (error: unknown) =>
    emit({ kind: 'failure', reason: reasonOf(error) }),
  )
  /** The counters at the next segment to be listed: a discontinuity is counted where playlists have its tag. */
  const countsAt = ({ run, start }: GrowingSegment, sequencesAhead: number): Counts => {
    const nextDiscontinuity = counts.nextDiscontinuity + (isJoined(listed, { run: run.id, start }) ? 0 : 1)
    return { ...counts, nextSequence: counts.nextSequence + sequencesAhead, nextDiscontinuity }
  }
  const reportCounts = guarded('recorder: counts', (open: GrowingSegment, reserved: number) =>
    emit({ kind: 'counts', counts: countsAt(open, reserved) }),
  )
  const writer = createChunkWriter({
    target: options.target,
    onVolumeFailed: guarded('recorder: volume', (volume: number) => emit({ kind: 'volumeFailed', volume })),
    onSealed: guarded('recorder: sealed', (chunk, run) => emit({ kind: 'sealed', chunk, run })),
    onFailure: reportFailure,
  })

  const drop = (open: GrowingSegment): void => {
    memory.forget(open)
    emit({ kind: 'dropped', start: open.start })
  }

  /** `isCounted`: `nextSequence` includes the segment. */
  const spoolFor = async (open: GrowingSegment, isCounted: boolean): Promise<Spool> => {
    const [isKept, { start, run }] = [options.isArchived(), open]
    const spool = await writer.spoolFor({ start, run, isKept, counts: countsAt(open, isCounted ? -1 : 0) })
    if (!isKept && spool.segments.length === 0) reportCounts(open, sequencesReserved)
    return spool
  }

  /** Takes an index, not bytes, so that appends waiting for a hung disk don't keep a dropped segment in memory. */
  const append = async (open: GrowingSegment, writing: Writing, index: number): Promise<void> => {
    const bytes = await open.parts[index]?.()
    if (writing.failure !== undefined || bytes === undefined) return
    try {
      writing.spool ??= await spoolFor(open, false)
      writing.spooled.push({ index, bytes: bytes.length, read: await writing.spool.append(bytes) })
      freeSpooled(open, writing.spooled)
    } catch (error) {
      writing.failure = error
    }
  }

  type Times = Pick<Segment, 'start' | 'finish' | 'duration' | 'mediaStart'>

  /** Writes the rest of a segment; undefined if it couldn't be written, or mustn't be. */
  const write = async (open: GrowingSegment, times: Times): Promise<Segment | undefined> => {
    const writing: Writing = writings.get(open) ?? { isBehind: true, spooled: [] }
    try {
      if (writing.isBehind) {
        if (options.isArchived() && (await options.isRecorded(times.start + overlapMs, times.finish - overlapMs))) {
          reportCounts(open, 0)
          return undefined
        }
        writing.spool = await spoolFor(open, true)
        for (const read of open.parts) await writing.spool.append(await read())
      }
      if (writing.failure !== undefined) throw writing.failure
      if (writing.spool === undefined) return undefined
      const { isKept, volume, file, run } = writing.spool
      const { offset, bytes } = await writing.spool.commit(times)
      const segment: Segment = { ...times, run: run.id, bytes, volume, file, offset }
      if (isKept) recordedUntil = Math.max(recordedUntil, times.finish)
      return segment
    } catch (error) {
      writing.spool?.rollBack()
      // Some of its bytes were only in the spool: it can't be listed from memory, and is dropped.
      if (open.bytesInMemory < open.bytes) throw error
      reportFailure(error)
      return undefined
    }
  }

  const store = async (open: GrowingSegment): Promise<void> => {
    const { arrivedAt, run, start, bytes } = open
    const duration = toTicks(open.duration, run)
    const finish = Math.round(start + duration * 1000)
    const times = { start, finish, duration, mediaStart: toTicks(open.mediaStart, run) }
    const sequence = counts.nextSequence
    counts.nextSequence += 1
    counts.targetDuration = Math.max(counts.targetDuration, Math.round(duration))
    const written = await write(open, times)
    memory.end(open, written !== undefined)
    counts.nextDiscontinuity = countsAt(open, 0).nextDiscontinuity
    listed = { run: run.id, finish }
    emit({
      kind: 'segment',
      segment: written ?? { ...times, run: run.id, bytes, volume: 0, file: '', offset: 0 },
      sequence,
      discontinuity: counts.nextDiscontinuity,
      targetDuration: counts.targetDuration,
      arrivedAt,
      isKept: written !== undefined && writings.get(open)?.spool?.isKept === true,
    })
  }

  const enqueue = (task: () => Promise<void> | void): void => {
    queue = queue.then(task)
  }

  const storeInTurn = async (open: GrowingSegment, waitingBytes: number): Promise<void> => {
    try {
      await store(open)
    } catch (error) {
      guarded('recorder: dropped', drop)(open)
      reportFailure(error)
    } finally {
      backlog.add(-waitingBytes)
    }
  }

  const builder: SegmentBuilder = {
    floor: () => placedUntil,
    isSetBack: (arrivedAt) => {
      const byMs = lastArrivedAt - arrivedAt
      lastArrivedAt = arrivedAt
      if (byMs <= floorSlackMs) return false
      emit({ kind: 'setBack', byMs, until: Math.max(recordedUntil, placedUntil) })
      return true
    },
    addRun: (init) => {
      const run = runOf(nextRunId(), newRunKey(), init)
      emit({ kind: 'run', run })
      return run
    },
    skipPart: () => {
      nextPart += 1
    },
    begin: (open) => {
      open.start = memory.freeStart(open.start)
      writings.set(open, { isBehind: open.start < Math.max(closedUntil, placedUntil) - overlapMs, spooled: [] })
      placedUntil = open.start
      memory.begin(open)
      emit({ kind: 'begun', start: open.start, run: open.run.id })
    },
    grow: (open, { bytes, duration, isIndependent }, arrivedAt) => {
      const part = { number: nextPart, duration, isIndependent, offset: open.bytes, bytes: bytes.length }
      nextPart += 1
      open.parts.push(fromMemory(bytes))
      open.bytes += bytes.length
      open.bytesInMemory += bytes.length
      open.duration += duration
      open.arrivedAt = arrivedAt
      placedUntil = Math.round(open.start + open.duration * 1000)
      const [writing, index] = [writings.get(open), open.parts.length - 1]
      if (writing?.isBehind === false) enqueue(() => append(open, writing, index))
      emit({ kind: 'part', start: open.start, part, arrivedAt })
    },
    close: (open) => {
      emit({ kind: 'whole', start: open.start })
      closedUntil = Math.max(closedUntil, placedUntil)
      const { bytesInMemory } = open
      if (!backlog.hasSpace(bytesInMemory)) {
        const slow = new SlowDisk('The disk is too slow')
        const writing = writings.get(open)
        if (writing !== undefined) writing.failure = slow
        enqueue(() => writing?.spool?.rollBack())
        drop(open)
        open.parts = []
        reportFailure(slow)
        return
      }
      backlog.add(bytesInMemory)
      enqueue(() => storeInTurn(open, bytesInMemory))
    },
    flush: async () => {
      enqueue(() => writer.end().catch(reportFailure))
      await queue
    },
    reportCut: ({ bytes, duration }) => emit({ kind: 'cut', bytes, seconds: duration }),
  }

  return {
    begin: (session) => createIngestSession(builder, options.partSeconds, session),
    read: (start, part) => memory.read(start, part).catch(() => undefined),
  }
}
