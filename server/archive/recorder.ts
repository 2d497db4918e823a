import { guarded } from '../guarded.ts'
import { ignoreDiskError } from '../store/database.ts'
import { hourFolder, keepSegment } from './files.ts'
import type { LiveWindow } from './live-window.ts'
import { floorSlackMs } from './run-clock.ts'
import type { Numbers, Run, Segment, SegmentIndex } from './segment-index.ts'
import { createIngestSession, type Beginning, type Making, type Open, type IngestSession } from './ingest-session.ts'

export type RecorderOptions = {
  uid: string
  dataDir: string
  index: SegmentIndex
  live: LiveWindow
  isArchived: () => boolean
  /** Interval of cuts between keyframes, seconds. */
  partSeconds: number
  now: () => number
  onFailure: (error: unknown) => void
  onSegment?: (segment: Segment, run: Run, previous: Segment | undefined) => void
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

/**
 * Builds segments from fragments, in this order: place on the wall clock, write, index, list live. A segment that can't
 * be written or indexed is still listed live, from memory; so is one for a time with recordings, after a clock set
 * back.
 */
export const createRecorder = (options: RecorderOptions): Recorder => {
  const { uid, dataDir, index, live } = options
  const numbers: Numbers = index.open(uid)
  let recordedUntil = index.newest(uid)?.finish ?? 0
  let placedUntil = recordedUntil
  let clockRead = recordedUntil
  let previous: Segment | undefined
  let writing: Promise<void> = Promise.resolve()
  let waiting = 0
  // Begins at the clock, so that no number repeats after a restart or a clock set back: players cache parts.
  let nextPart = Math.max(options.now(), recordedUntil)

  const tellFailure = guarded('recorder: failure', options.onFailure)
  const tellSegment = guarded('recorder: segment', (segment: Segment, run: Run, before: Segment | undefined) =>
    options.onSegment?.(segment, run, before),
  )

  const isCovered = ({ start, finish }: Segment): boolean =>
    start < recordedUntil - overlapMs &&
    (index.startingAt(uid, start) !== undefined ||
      index.within(uid, start + overlapMs, finish - overlapMs, 1).length > 0)

  const keep = async (segment: Segment, { run, data }: Open): Promise<Segment | undefined> => {
    if (isCovered(segment)) {
      ignoreDiskError(() => index.raise(numbers))
      return undefined
    }
    try {
      const expires = !options.isArchived()
      const kept = await keepSegment({ index, dataDir, uid }, { segment, run, numbers, expires }, data)
      recordedUntil = Math.max(recordedUntil, segment.finish)
      return kept
    } catch (error) {
      tellFailure(error)
      return undefined
    }
  }

  const store = async (open: Open): Promise<void> => {
    const segment: Segment = {
      start: open.start,
      finish: Math.round(open.start + open.duration * 1000),
      duration: open.duration,
      mediaStart: open.mediaStart,
      run: open.run.id,
      bytes: open.bytes,
      file: `${hourFolder(open.start)}/${open.start}.m4s`,
      offset: 0,
    }
    if (open.newRun) numbers.nextDiscontinuity += 1
    const sequence = numbers.nextSequence
    numbers.nextSequence += 1
    numbers.targetDuration = Math.max(numbers.targetDuration, Math.round(open.duration))
    const kept = await keep(segment, open)
    const { arrivedAt, parts, run } = open
    const listed = { ...(kept ?? segment), sequence, discontinuity: numbers.nextDiscontinuity, arrivedAt, parts }
    live.add(kept === undefined ? { ...listed, held: Buffer.concat(open.data) } : listed, run, numbers.targetDuration)
    if (kept === undefined) return
    tellSegment(kept, run, previous)
    previous = kept
  }

  const storeAfter = async (before: Promise<void>, open: Open): Promise<void> => {
    await before
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
    addRun: (init) => index.addRun(numbers.recording, init),
    skipPart: () => {
      nextPart += 1
    },
    begin: (open) => {
      open.start = freeStart(open.start)
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
      live.grow(arrivedAt)
    },
    close: (open) => {
      open.isWhole = true
      const isTooMuch = waiting + open.bytes > mostWaiting || waitingOfAll.bytes + open.bytes > mostWaitingOfAll
      if (waiting > 0 && isTooMuch) {
        live.drop(open)
        tellFailure(new SlowDisk('The disk is too slow'))
        return
      }
      waiting += open.bytes
      waitingOfAll.bytes += open.bytes
      writing = storeAfter(writing, open)
    },
    written: () => writing,
    cut: ({ bytes, duration }) => options.onCut?.(bytes, duration),
  }

  return { begin: (beginning) => createIngestSession(making, options.partSeconds, beginning) }
}
