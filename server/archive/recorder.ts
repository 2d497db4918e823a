import { guarded } from '../guarded.ts'
import type { Counts } from './chunk-file.ts'
import { createChunkWriter } from './chunk-writer.ts'
import type { LiveWindow } from './live-window.ts'
import { createRunIds, newRunKey, runOf, type Run } from './run.ts'
import { floorSlackMs } from './run-clock.ts'
import type { Segment } from './segment.ts'
import type { Chunk, Spool } from './spool.ts'
import { createIngestSession, type Beginning, type Making, type Open, type IngestSession } from './ingest-session.ts'

/** What a recorder has to know before it records: it asks no database. `recordedUntil` in epoch milliseconds. */
export type RecorderStart = { recording: number; counts: Counts; recordedUntil: number }

export type RecorderOptions = {
  /** The folder of the stream. */
  folder: string
  start: RecorderStart
  live: LiveWindow
  isArchived: () => boolean
  /** Interval of cuts between keyframes, seconds. */
  partSeconds: number
  now: () => number
  /** Whether something is recorded between two moments: asked after a clock set back. */
  isCovered: (from: number, to: number) => Promise<boolean>
  onFailure: (error: unknown) => void
  /** A segment is on the disk; `isKept`: in a chunk, not for live alone. */
  onSegment?: (segment: Segment, run: Run, isKept: boolean) => void
  onSealed?: (chunk: Chunk, run: Run) => void
  /** Numbers that no chunk keeps. */
  onCounts?: (counts: Counts) => void
  /** No keyframe within this many bytes and seconds: nothing is recorded until the next one. */
  onCut?: (bytes: number, seconds: number) => void
  /** The system clock was set back by `byMs`; times before `until` may have recordings already. */
  onClockSetBack?: (byMs: number, until: number) => void
}

export type Recorder = { begin: (beginning: Beginning) => IngestSession }

export class SlowDisk extends Error {}

/** Limits of bytes that wait for a stuck disk: two of the largest segments per stream, and in total. */
const mostWaiting = 64 * 1024 * 1024
const mostWaitingOfAll = 256 * 1024 * 1024
const waitingOfAll = { bytes: 0 }

/** Tolerated overlap of segments, for jitter of arrivals. */
const overlapMs = 5
/** More segments than a chunk for live alone has: their numbers are gone after a crash. */
const countsAhead = 200

/** Where the parts of a segment go. `isBehind`: something may be recorded for its time, so they wait in memory. */
type Writing = { isBehind: boolean; spool?: Spool; failure?: unknown }

/**
 * Builds segments from fragments, in this order: place on the wall clock, append part by part, sync, list live. A
 * segment that can't be written is still listed live, from memory; so is one for a time with recordings, after a clock
 * set back.
 */
export const createRecorder = (options: RecorderOptions): Recorder => {
  const { live, start: known } = options
  const counts = { ...known.counts }
  let { recordedUntil } = known
  let claimedUntil = recordedUntil
  let placedUntil = recordedUntil
  let clockRead = recordedUntil
  let queue: Promise<void> = Promise.resolve()
  let waiting = 0
  const writings = new WeakMap<Open, Writing>()
  const nextRunId = createRunIds(known.recording, options.now)
  // Begins at the clock, so that no number repeats after a restart or a clock set back: players cache parts.
  let nextPart = Math.max(options.now(), recordedUntil)

  const tellFailure = guarded('recorder: failure', options.onFailure)
  const tellSegment = guarded('recorder: segment', (segment: Segment, run: Run, isKept: boolean) =>
    options.onSegment?.(segment, run, isKept),
  )
  const tellCounts = guarded('recorder: counts', (ahead: number) =>
    options.onCounts?.({ ...counts, nextSequence: counts.nextSequence + ahead }),
  )
  const writer = createChunkWriter({
    folder: options.folder,
    onSealed: guarded('recorder: sealed', (chunk: Chunk, run: Run) => options.onSealed?.(chunk, run)),
    onFailure: tellFailure,
  })

  /** `isCounted`: the segment has its number already. */
  const spoolFor = async ({ start, run, newRun }: Open, isCounted: boolean): Promise<Spool> => {
    const isKept = options.isArchived()
    const { nextSequence, nextDiscontinuity, targetDuration } = counts
    const own = isCounted
      ? { nextSequence: nextSequence - 1, nextDiscontinuity, targetDuration }
      : { nextSequence, nextDiscontinuity: nextDiscontinuity + (newRun ? 1 : 0), targetDuration }
    const spool = await writer.spoolFor({ start, run, isKept, counts: own })
    if (!isKept && spool.segments.length === 0) tellCounts(countsAhead)
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
          tellCounts(0)
          return undefined
        }
        writing.spool = await spoolFor(open, true)
        for (const bytes of open.data) await writing.spool.append(bytes)
      }
      if (writing.failure !== undefined) throw writing.failure
      if (writing.spool === undefined) return undefined
      const { isKept, file, run } = writing.spool
      const { offset, bytes } = await writing.spool.commit(times)
      const segment: Segment = { ...times, run: run.id, bytes, file, offset }
      if (isKept) recordedUntil = Math.max(recordedUntil, times.finish)
      return segment
    } catch (error) {
      writing.spool?.cut()
      tellFailure(error)
      return undefined
    }
  }

  const ticks = (seconds: number, { init: { video } }: Run): number =>
    Math.round(seconds * video.timescale) / video.timescale

  const store = async (open: Open): Promise<void> => {
    const { arrivedAt, parts, run, start } = open
    const duration = ticks(open.duration, run)
    const finish = Math.round(start + duration * 1000)
    const times = { start, finish, duration, mediaStart: ticks(open.mediaStart, run) }
    if (open.newRun) counts.nextDiscontinuity += 1
    const sequence = counts.nextSequence
    counts.nextSequence += 1
    counts.targetDuration = Math.max(counts.targetDuration, Math.round(duration))
    const kept = await keep(open, times)
    const listed = { sequence, discontinuity: counts.nextDiscontinuity, arrivedAt, parts }
    const held = () => ({
      ...times,
      run: run.id,
      bytes: open.bytes,
      file: '',
      offset: 0,
      held: Buffer.concat(open.data),
    })
    live.add({ ...(kept ?? held()), ...listed }, run, counts.targetDuration)
    if (kept !== undefined) tellSegment(kept, run, writings.get(open)?.spool?.isKept ?? false)
  }

  const enqueue = (job: () => Promise<void>): void => {
    queue = queue.then(job)
  }

  const storeInTurn = async (open: Open): Promise<void> => {
    try {
      await store(open)
    } catch (error) {
      live.drop(open)
      tellFailure(error)
    } finally {
      waiting -= open.bytes
      waitingOfAll.bytes -= open.bytes
    }
  }

  /** A free start: players identify segments by it. */
  const freeStart = (start: number): number => {
    const isTaken = live.find(start) !== undefined || live.opened().some((open) => open.start === start)
    return isTaken ? freeStart(start + 1) : start
  }

  const making: Making = {
    floor: () => placedUntil,
    isSetBack: (arrivedAt) => {
      const byMs = clockRead - arrivedAt
      clockRead = arrivedAt
      if (byMs <= floorSlackMs) return false
      options.onClockSetBack?.(byMs, Math.max(recordedUntil, placedUntil))
      return true
    },
    addRun: (init) => runOf(nextRunId(), newRunKey(), init),
    skipPart: () => {
      nextPart += 1
    },
    begin: (open) => {
      open.start = freeStart(open.start)
      writings.set(open, { isBehind: open.start < Math.max(claimedUntil, placedUntil) - overlapMs })
      placedUntil = open.start
      live.begin(open)
    },
    grow: (open, { bytes, duration, isIndependent }, arrivedAt) => {
      open.parts.push({ number: nextPart, duration, isIndependent, offset: open.bytes, bytes: bytes.length })
      nextPart += 1
      open.data.push(bytes)
      open.bytes += bytes.length
      open.duration += duration
      open.arrivedAt = arrivedAt
      placedUntil = Math.round(open.start + open.duration * 1000)
      const writing = writings.get(open)
      if (writing?.isBehind === false) enqueue(() => append(open, writing, bytes))
      live.grow(arrivedAt)
    },
    close: (open) => {
      open.isWhole = true
      claimedUntil = Math.max(claimedUntil, placedUntil)
      const isTooMuch = waiting + open.bytes > mostWaiting || waitingOfAll.bytes + open.bytes > mostWaitingOfAll
      if (waiting > 0 && isTooMuch) {
        const slow = new SlowDisk('The disk is too slow')
        const writing = writings.get(open)
        if (writing !== undefined) {
          writing.failure = slow
          enqueue(async () => writing.spool?.cut())
        }
        live.drop(open)
        tellFailure(slow)
        return
      }
      waiting += open.bytes
      waitingOfAll.bytes += open.bytes
      enqueue(() => storeInTurn(open))
    },
    written: async () => {
      enqueue(() => writer.end().catch(tellFailure))
      await queue
    },
    cut: ({ bytes, duration }) => options.onCut?.(bytes, duration),
  }

  return { begin: (beginning) => createIngestSession(making, options.partSeconds, beginning) }
}
