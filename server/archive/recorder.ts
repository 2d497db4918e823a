import { guarded } from '../guarded.ts'
import { createBacklog } from './backlog.ts'
import type { Counts } from './chunk-file.ts'
import { createChunkWriter } from './chunk-writer.ts'
import { createSegmentMemory } from './held-segments.ts'
import type { WriteTarget } from '../storage/write-target.ts'
import type { RecorderEvent } from './recorder-events.ts'
import { createRunIds, newRunKey, runOf, type Run } from './run.ts'
import { floorSlackMs } from './run-clock.ts'
import type { Segment } from './segment.ts'
import { isDiskError } from '../store/disk-error.ts'
import type { Spool } from './spool.ts'
import { createIngestSession, type Beginning, type Making, type Open, type IngestSession } from './ingest-session.ts'

/** The state a recorder starts from; it never queries the database. `recordedUntil` in epoch milliseconds. */
export type RecorderStart = { recording: number; counts: Counts; recordedUntil: number }

export type RecorderOptions = {
  /** Where the stream's next chunk goes. */
  target: () => WriteTarget
  start: RecorderStart
  isArchived: () => boolean
  /** Interval of cuts between keyframes, seconds. */
  partSeconds: number
  now: () => number
  /** Whether something is recorded between two moments: asked after a clock set back. */
  isCovered: (from: number, to: number) => Promise<boolean>
  emit: (event: RecorderEvent) => void
}

export type Recorder = {
  begin: (beginning: Beginning) => IngestSession
  /** Reads a segment, or a part by index, from memory: while it grows, or if no file took it. */
  read: (start: number, part?: number) => Buffer | undefined
}

class SlowDisk extends Error {}

/** Tolerated overlap of segments, for jitter of arrivals. */
const overlapMs = 5
/** Reserved ahead, as a live-only chunk's counters are lost in a crash; more than the segments that it can have. */
const countsAhead = 200
const reasonOf = (error: unknown): string => {
  if (error instanceof SlowDisk) return 'slow'
  if (isDiskError(error)) return 'full'
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** Where a segment's parts go. `isBehind`: its time may be recorded already, so its parts stay in memory. */
type Writing = { isBehind: boolean; spool?: Spool; failure?: unknown }

/**
 * Builds segments from fragments, in this order: time by the wall clock, append part by part, sync, list live. A
 * segment that can't be written is still listed live, from memory; so is one for a time with recordings, after a clock
 * set back.
 */
export const createRecorder = (options: RecorderOptions): Recorder => {
  const { start: known, emit } = options
  const counts = { ...known.counts }
  let { recordedUntil } = known
  let claimedUntil = recordedUntil
  let placedUntil = recordedUntil
  let clockRead = recordedUntil
  let queue: Promise<void> = Promise.resolve()
  const backlog = createBacklog()
  const writings = new WeakMap<Open, Writing>()
  const memory = createSegmentMemory()
  const nextRunId = createRunIds(known.recording, options.now)
  // Starts at the clock, so that no part number repeats after a restart: players cache parts.
  let nextPart = Math.max(options.now(), recordedUntil)

  const reportFailure = guarded('recorder: failure', (error: unknown) =>
    emit({ kind: 'failure', reason: reasonOf(error) }),
  )
  const reportCounts = guarded('recorder: counts', (ahead: number) =>
    emit({ kind: 'counts', counts: { ...counts, nextSequence: counts.nextSequence + ahead } }),
  )
  const writer = createChunkWriter({
    target: options.target,
    onVolumeFailed: guarded('recorder: volume', (volume: number) => emit({ kind: 'volumeFailed', volume })),
    onSealed: guarded('recorder: sealed', (chunk, run) => emit({ kind: 'sealed', chunk, run })),
    onFailure: reportFailure,
  })

  const drop = (open: Open): void => {
    memory.forget(open)
    emit({ kind: 'dropped', start: open.start })
  }

  /** `isCounted`: the segment already has its number. */
  const spoolFor = async ({ start, run, newRun }: Open, isCounted: boolean): Promise<Spool> => {
    const isKept = options.isArchived()
    const { nextSequence, nextDiscontinuity, targetDuration } = counts
    const own = isCounted
      ? { nextSequence: nextSequence - 1, nextDiscontinuity, targetDuration }
      : { nextSequence, nextDiscontinuity: nextDiscontinuity + (newRun ? 1 : 0), targetDuration }
    const spool = await writer.spoolFor({ start, run, isKept, counts: own })
    if (!isKept && spool.segments.length === 0) reportCounts(countsAhead)
    return spool
  }

  const append = async (open: Open, writing: Writing, bytes: Uint8Array): Promise<void> => {
    if (writing.failure !== undefined) return
    try {
      writing.spool ??= await spoolFor(open, false)
      await writing.spool.append(bytes)
    } catch (error) {
      writing.failure = error
    }
  }

  type Times = Pick<Segment, 'start' | 'finish' | 'duration' | 'mediaStart'>

  /** Undefined if it wasn't written. */
  const keep = async (open: Open, times: Times): Promise<Segment | undefined> => {
    const writing: Writing = writings.get(open) ?? { isBehind: true }
    try {
      if (writing.isBehind) {
        if (options.isArchived() && (await options.isCovered(times.start + overlapMs, times.finish - overlapMs))) {
          reportCounts(0)
          return undefined
        }
        writing.spool = await spoolFor(open, true)
        for (const bytes of open.data) await writing.spool.append(bytes)
      }
      if (writing.failure !== undefined) throw writing.failure
      if (writing.spool === undefined) return undefined
      const { isKept, volume, file, run } = writing.spool
      const { offset, bytes } = await writing.spool.commit(times)
      const segment: Segment = { ...times, run: run.id, bytes, volume, file, offset }
      if (isKept) recordedUntil = Math.max(recordedUntil, times.finish)
      return segment
    } catch (error) {
      writing.spool?.cut()
      reportFailure(error)
      return undefined
    }
  }

  const ticks = (seconds: number, { init: { video } }: Run): number =>
    Math.round(seconds * video.timescale) / video.timescale

  const store = async (open: Open): Promise<void> => {
    const { arrivedAt, run, start, bytes } = open
    const duration = ticks(open.duration, run)
    const finish = Math.round(start + duration * 1000)
    const times = { start, finish, duration, mediaStart: ticks(open.mediaStart, run) }
    if (open.newRun) counts.nextDiscontinuity += 1
    const sequence = counts.nextSequence
    counts.nextSequence += 1
    counts.targetDuration = Math.max(counts.targetDuration, Math.round(duration))
    const kept = await keep(open, times)
    memory.end(open, kept === undefined)
    emit({
      kind: 'segment',
      segment: kept ?? { ...times, run: run.id, bytes, volume: 0, file: '', offset: 0 },
      sequence,
      discontinuity: counts.nextDiscontinuity,
      targetDuration: counts.targetDuration,
      arrivedAt,
      isKept: kept !== undefined && writings.get(open)?.spool?.isKept === true,
    })
  }

  const enqueue = (job: () => Promise<void>): void => {
    queue = queue.then(job)
  }

  const storeInTurn = async (open: Open): Promise<void> => {
    try {
      await store(open)
    } catch (error) {
      guarded('recorder: dropped', drop)(open)
      reportFailure(error)
    } finally {
      backlog.add(-open.bytes)
    }
  }

  const making: Making = {
    floor: () => placedUntil,
    isSetBack: (arrivedAt) => {
      const byMs = clockRead - arrivedAt
      clockRead = arrivedAt
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
      writings.set(open, { isBehind: open.start < Math.max(claimedUntil, placedUntil) - overlapMs })
      placedUntil = open.start
      memory.begin(open)
      emit({ kind: 'begun', start: open.start, run: open.run.id })
    },
    grow: (open, { bytes, duration, isIndependent }, arrivedAt) => {
      const part = { number: nextPart, duration, isIndependent, offset: open.bytes, bytes: bytes.length }
      nextPart += 1
      open.data.push(bytes)
      open.bytes += bytes.length
      open.duration += duration
      open.arrivedAt = arrivedAt
      placedUntil = Math.round(open.start + open.duration * 1000)
      const writing = writings.get(open)
      if (writing?.isBehind === false) enqueue(() => append(open, writing, bytes))
      emit({ kind: 'part', start: open.start, part, arrivedAt })
    },
    close: (open) => {
      emit({ kind: 'whole', start: open.start })
      claimedUntil = Math.max(claimedUntil, placedUntil)
      if (!backlog.hasSpace(open.bytes)) {
        const slow = new SlowDisk('The disk is too slow')
        const writing = writings.get(open)
        if (writing !== undefined) {
          writing.failure = slow
          enqueue(async () => writing.spool?.cut())
        }
        drop(open)
        reportFailure(slow)
        return
      }
      backlog.add(open.bytes)
      enqueue(() => storeInTurn(open))
    },
    written: async () => {
      enqueue(() => writer.end().catch(reportFailure))
      await queue
    },
    cut: ({ bytes, duration }) => emit({ kind: 'cut', bytes, seconds: duration }),
  }

  return {
    begin: (beginning) => createIngestSession(making, options.partSeconds, beginning),
    read: memory.read,
  }
}
