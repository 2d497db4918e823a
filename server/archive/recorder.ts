import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Fragment, Init } from '../media/fragments.ts'
import { hourFolder, streamFolder, writeWhole } from './files.ts'
import type { LiveWindow } from './live-window.ts'
import { createRunClock, type RunClock } from './run-clock.ts'
import type { Numbers, Run, Segment, SegmentIndex } from './segment-index.ts'

export type RecorderOptions = {
  uid: string
  dataDir: string
  index: SegmentIndex
  live: LiveWindow
  /** Whether what is recorded is kept; otherwise it is there for live only. */
  isArchived: () => boolean
  now: () => number
  /** A segment could not be written: the disk is full, or gone. */
  onFailure: (error: unknown) => void
  /** A segment is complete, on disk and in the index. */
  onSegment?: (segment: Segment, run: Run, previous: Segment | undefined) => void
}

/** Takes the fragments of one connection to a source. */
export type Taking = {
  take: (fragment: Fragment, arrivedAt: number) => void
  /** Nothing more comes: what is whole is written. Settles when it is. */
  finish: () => Promise<void>
  isAstray: () => boolean
}

export type Recorder = {
  /** `firstPictureAt` is the epoch millisecond of the first picture where the source knows it (demo). */
  begin: (init: Init, firstPictureAt?: number) => Taking
  /** The start of what is recorded next can't be before this. */
  recordedUntil: () => number
}

type Timed = { fragment: Fragment; arrivedAt: number }
type Open = { start: number; mediaStart: number; duration: number; parts: Buffer[]; run: Run; arrivedAt: number; newRun: boolean }

/** Keyframes closer together than this share a segment. */
const leastSeconds = 0.9
/** How long the first fragments are held, to see which of them came without delay. */
const settlingMs = 1500
/** Segments that may wait for the disk, so that a stuck one doesn't fill the memory. */
const mostWaiting = 20

/**
 * Makes segments of fragments: placed on the wall clock, written whole, indexed, listed live; in that order. What can't be
 * written or indexed isn't recorded, but it is listed live all the same, from memory.
 */
export const createRecorder = (options: RecorderOptions): Recorder => {
  const { uid, dataDir, index, live } = options
  const folder = streamFolder(dataDir, uid)
  const numbers: Numbers = index.open(uid)
  let until = index.newest(uid)?.finish ?? 0
  let previous: Segment | undefined
  let writing: Promise<void> = Promise.resolve()
  let waiting = 0

  const keep = async (segment: Segment, parts: readonly Buffer[]): Promise<boolean> => {
    const path = join(folder, segment.file)
    try {
      await writeWhole(path, parts)
      index.add(numbers, segment, !options.isArchived())
      return true
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined)
      options.onFailure(error)
      return false
    }
  }

  const store = async (open: Open): Promise<void> => {
    const bytes = open.parts.reduce((sum, part) => sum + part.length, 0)
    const segment: Segment = {
      start: open.start,
      finish: Math.round(open.start + open.duration * 1000),
      duration: open.duration,
      mediaStart: open.mediaStart,
      run: open.run.id,
      bytes,
      file: `${hourFolder(open.start)}/${open.start}.m4s`,
      place: 0,
    }
    if (open.newRun) numbers.nextDiscontinuity += 1
    const sequence = numbers.nextSequence
    numbers.nextSequence += 1
    numbers.targetDuration = Math.max(numbers.targetDuration, Math.round(open.duration))
    const isKept = await keep(segment, open.parts)
    const listed = { ...segment, sequence, discontinuity: numbers.nextDiscontinuity, arrivedAt: open.arrivedAt }
    live.add(isKept ? listed : { ...listed, held: Buffer.concat(open.parts) }, open.run, numbers.targetDuration)
    if (!isKept) return
    options.onSegment?.(segment, open.run, previous)
    previous = segment
  }

  const storeAfter = async (before: Promise<void>, open: Open): Promise<void> => {
    await before
    try {
      await store(open)
    } catch (error) {
      options.onFailure(error)
    }
    waiting -= 1
  }

  const begin = (init: Init, firstPictureAt?: number): Taking => {
    let clock: RunClock = createRunClock(() => until)
    let run: Run | undefined
    let held: Timed[] | undefined = firstPictureAt === undefined ? [] : undefined
    let settling: NodeJS.Timeout | undefined
    let open: Open | undefined
    let isFirst = true

    const close = () => {
      const done = open
      open = undefined
      if (done === undefined) return
      if (waiting >= mostWaiting) {
        options.onFailure(new Error('The disk is too slow'))
        return
      }
      waiting += 1
      writing = storeAfter(writing, done)
    }

    const put = ({ fragment, arrivedAt }: Timed) => {
      const { start, newRun } = clock.place({ ...fragment, arrivedAt })
      if (newRun) close()
      if (newRun || run === undefined) run = index.addRun(numbers.recording, init)
      if (open === undefined) {
        open = { start, mediaStart: fragment.start, duration: 0, parts: [], run, arrivedAt, newRun }
      }
      open.parts.push(fragment.bytes)
      open.duration += fragment.duration
      open.arrivedAt = arrivedAt
      until = Math.max(until, Math.round(open.start + open.duration * 1000))
      if (open.duration >= leastSeconds) close()
    }

    const settle = () => {
      clearTimeout(settling)
      const first = held
      held = undefined
      if (first === undefined) return
      clock.begin(first.map(({ fragment, arrivedAt }) => ({ ...fragment, arrivedAt })))
      for (const each of first) put(each)
    }

    return {
      take: (fragment, arrivedAt) => {
        // Sound that leads by more than this would move the start of the whole run (playback.md, Ingest).
        const isLeading = isFirst && fragment.soundLead > 0.05
        if (isFirst && firstPictureAt !== undefined) {
          clock = createRunClock(() => until, firstPictureAt - fragment.start * 1000)
        }
        isFirst = false
        if (isLeading || fragment.duration <= 0) return
        if (held === undefined) {
          put({ fragment, arrivedAt })
          return
        }
        const before = held.at(-1)
        held.push({ fragment, arrivedAt })
        settling ??= setTimeout(settle, settlingMs)
        if (before !== undefined && arrivedAt - before.arrivedAt > fragment.duration * 500) settle()
      },
      finish: async () => {
        settle()
        close()
        await writing
      },
      isAstray: () => clock.isAstray(),
    }
  }

  return { begin, recordedUntil: () => until }
}
