import type { Fragment, Init } from '../media/fragments.ts'
import { hourFolder, keepSegment } from './files.ts'
import type { LiveWindow, OpenSegment } from './live-window.ts'
import { createRunClock, type Arrival, type RunClock } from './run-clock.ts'
import type { Numbers, Run, Segment, SegmentIndex } from './segment-index.ts'

export type RecorderOptions = {
  uid: string
  dataDir: string
  index: SegmentIndex
  live: LiveWindow
  /** Whether what is recorded is kept; otherwise it is there for live only. */
  isArchived: () => boolean
  /** How often the source is cut besides keyframes, in seconds; undefined where it isn't. */
  partSeconds?: number
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
type Open = OpenSegment & { mediaStart: number; arrivedAt: number; newRun: boolean }

/** Keyframes closer together than this share a segment. */
const leastSeconds = 0.9
/** A source without keyframes must not fill the memory. */
const mostSeconds = 60
/** How long the first fragments are held, to see which of them came without delay. */
const settlingMs = 1500
/** Segments that may wait for the disk, so that a stuck one doesn't fill the memory. */
const mostWaiting = 20

/** What is cut for its length is at least this much longer than what a keyframe cut, seconds. */
const cutSlack = 0.001

/**
 * Makes segments of fragments: placed on the wall clock, written whole, indexed, listed live; in that order. What can't be
 * written or indexed isn't recorded, but it is listed live all the same, from memory.
 */
export const createRecorder = (options: RecorderOptions): Recorder => {
  const { uid, dataDir, index, live } = options
  const numbers: Numbers = index.open(uid)
  let until = index.newest(uid)?.finish ?? 0
  let previous: Segment | undefined
  let writing: Promise<void> = Promise.resolve()
  let waiting = 0
  // From the clock on, so that none comes twice, not after a restart either: players keep parts.
  let nextPart = options.now()

  /** The segment as it is kept; undefined where it isn't. */
  const keep = async (segment: Segment, { run, data }: Open): Promise<Segment | undefined> => {
    try {
      const isPassing = !options.isArchived()
      return await keepSegment({ index, dataDir, uid }, { segment, run, numbers, isPassing }, data)
    } catch (error) {
      options.onFailure(error)
      return undefined
    }
  }

  const store = async (open: Open): Promise<void> => {
    const bytes = open.data.reduce((sum, part) => sum + part.length, 0)
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
    const kept = await keep(segment, open)
    const { arrivedAt, parts, run } = open
    const listed = { ...(kept ?? segment), sequence, discontinuity: numbers.nextDiscontinuity, arrivedAt, parts }
    live.add(kept !== undefined ? listed : { ...listed, held: Buffer.concat(open.data) }, run, numbers.targetDuration)
    if (kept === undefined) return
    options.onSegment?.(kept, run, previous)
    previous = kept
  }

  const storeAfter = async (before: Promise<void>, open: Open): Promise<void> => {
    await before
    try {
      await store(open)
    } catch (error) {
      live.drop(open)
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
      done.isWhole = true
      if (waiting >= mostWaiting) {
        live.drop(done)
        options.onFailure(new Error('The disk is too slow'))
        return
      }
      waiting += 1
      writing = storeAfter(writing, done)
    }

    const openAt = (timed: Arrival): Open => {
      const { start, newRun } = clock.place(timed)
      if (newRun || run === undefined) {
        run = index.addRun(numbers.recording, init)
        // The part that was announced for the run before never comes: a player would put it to that one's.
        nextPart += 1
      }
      const begun = { start, mediaStart: timed.start, duration: 0, parts: [], data: [], run, isWhole: false, arrivedAt: timed.arrivedAt, newRun }
      live.begin(begun)
      return begun
    }

    const grow = (segment: Open, { bytes, duration, isIndependent }: Fragment, arrivedAt: number) => {
      const last = segment.parts.at(-1)
      segment.parts.push({ number: nextPart, duration, isIndependent, place: last === undefined ? 0 : last.place + last.bytes, bytes: bytes.length })
      nextPart += 1
      segment.data.push(bytes)
      segment.duration += duration
      segment.arrivedAt = arrivedAt
      until = Math.max(until, Math.round(segment.start + segment.duration * 1000))
    }

    /** Where a keyframe comes next, the segment needn't wait for it; told by the fragment's length, as no other cut makes it short. */
    const endsAtKeyframe = ({ span }: Fragment): boolean => options.partSeconds === undefined || span < options.partSeconds - cutSlack

    const put = ({ fragment, arrivedAt }: Timed) => {
      const timed = { ...fragment, arrivedAt }
      if (open !== undefined) {
        const isFull = (fragment.isIndependent && open.duration >= leastSeconds) || open.duration >= mostSeconds
        if (isFull || !clock.follow(timed)) close()
      }
      if (open === undefined && !fragment.isIndependent) return
      open ??= openAt(timed)
      grow(open, fragment, arrivedAt)
      if (open.duration >= leastSeconds && endsAtKeyframe(fragment)) close()
      live.grow()
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
        const before = held.findLast((each) => fragment.start - each.fragment.start >= leastSeconds)
        held.push({ fragment, arrivedAt })
        settling ??= setTimeout(settle, settlingMs)
        if (before !== undefined && arrivedAt - before.arrivedAt > (fragment.start - before.fragment.start) * 500) settle()
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
