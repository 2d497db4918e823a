import { guarded } from '../guarded.ts'
import type { Fragment, Init } from '../media/fragments.ts'
import { withoutLead } from '../media/sound-lead.ts'
import type { OpenSegment } from './live-window.ts'
import { createRunClock, type Arrival, type RunClock } from './run-clock.ts'
import type { Run } from './segment-index.ts'

/** Takes the fragments of one connection to a source. */
export type IngestSession = {
  take: (fragment: Fragment, arrivedAt: number) => void
  /** Nothing more comes: what is whole is written. Settles when it is. */
  finish: () => Promise<void>
  /** Why the connection must end; undefined while it goes on. */
  ending: () => 'drifted' | 'noKeyframes' | undefined
}

export type Beginning = {
  init: Init
  /** The epoch millisecond of the first picture where the source knows it (demo). */
  firstPictureAt?: number | undefined
  /** What goes wrong when nobody called: it must end the connection. */
  fail: (error: unknown) => void
}

/** A segment in the making, with its place in the run and in memory. */
export type Open = OpenSegment & { mediaStart: number; arrivedAt: number; newRun: boolean; bytes: number }

/** What takings of one stream share: it outlives connections. */
export type Making = {
  /** The end of what was placed last. */
  floor: () => number
  /** A fragment arrived; true where our clock was set back since the one before. */
  isSetBack: (arrivedAt: number) => boolean
  addRun: (init: Init) => Run
  /** The part that was announced for the run before never comes: a player would put it to that one's. */
  skipPart: () => void
  begin: (open: Open) => void
  grow: (open: Open, fragment: Fragment, arrivedAt: number) => void
  close: (open: Open) => void
  written: () => Promise<void>
  /** A segment ends without a keyframe. */
  cut: (open: Open) => void
}

type Timed = { fragment: Fragment; arrivedAt: number }

/** Keyframes closer together than this share a segment. */
const leastSeconds = 0.9
/**
 * A source without keyframes must fill no memory: a segment holds a minute between two, and what its last parts
 * overrun, …
 */
const mostSeconds = 66
/** … of at most so many bytes. */
const mostBytes = 32 * 1024 * 1024
/** How long the first fragments are held, to see which of them came without delay; and how much of them. */
const settlingMs = 1500
const settlingBytes = 16 * 1024 * 1024
/** Sound that leads by more would move the start of the whole run. */
const mostLead = 0.05
/** What is cut for its length is at least this much longer than what a keyframe cut, seconds. */
const cutSlack = 0.001

/**
 * Makes segments of fragments: each begins with a keyframe and lasts until one, so that whoever seeks finds a picture.
 * Where none comes in time the segment is cut, and what comes until the next one is left out. `partSeconds` is how
 * often the source is cut besides keyframes.
 */
export const createIngestSession = (making: Making, partSeconds: number, beginning: Beginning): IngestSession => {
  const { init, firstPictureAt, fail } = beginning
  let clock: RunClock = createRunClock(making.floor)
  let run: Run | undefined
  let held: Timed[] | undefined = firstPictureAt === undefined ? [] : undefined
  let heldBytes = 0
  let settling: NodeJS.Timeout | undefined
  let open: Open | undefined
  let isFirst = true
  let missedSeconds = 0

  const close = () => {
    const done = open
    open = undefined
    if (done !== undefined) making.close(done)
  }

  const openAt = (timed: Arrival): Open => {
    const { start, newRun } = clock.place(timed)
    if (newRun || run === undefined) {
      run = making.addRun(init)
      making.skipPart()
    }
    const { arrivedAt } = timed
    const empty = { duration: 0, bytes: 0, parts: [], data: [], isWhole: false }
    const begun = { ...empty, start, mediaStart: timed.start, run, arrivedAt, newRun }
    making.begin(begun)
    return begun
  }

  /**
   * Where a keyframe comes next, the segment needn't wait for it; told by the fragment's length, as no other cut makes
   * it short.
   */
  const endsAtKeyframe = ({ span }: Fragment): boolean => span < partSeconds - cutSlack

  const put = ({ fragment, arrivedAt }: Timed) => {
    const timed = { start: fragment.start, duration: fragment.duration, arrivedAt }
    if (open !== undefined) {
      const isWhole = fragment.isIndependent && open.duration >= leastSeconds
      const isFull = open.duration >= mostSeconds || open.bytes + fragment.bytes.length > mostBytes
      if (isFull && !isWhole) making.cut(open)
      if (isFull || isWhole || !clock.follow(timed)) close()
    }
    if (open === undefined && !fragment.isIndependent) {
      missedSeconds += fragment.duration
      return
    }
    missedSeconds = 0
    open ??= openAt(timed)
    making.grow(open, fragment, arrivedAt)
    if (open.duration >= leastSeconds && endsAtKeyframe(fragment)) close()
  }

  const settle = () => {
    clearTimeout(settling)
    const first = held
    held = undefined
    if (first === undefined) return
    clock.begin(first.map(({ fragment: { start, duration }, arrivedAt }) => ({ start, duration, arrivedAt })))
    for (const each of first) put(each)
  }

  const hold = (timed: Timed) => {
    if (held === undefined) {
      put(timed)
      return
    }
    const { fragment, arrivedAt } = timed
    const before = held.findLast((each) => fragment.start - each.fragment.start >= leastSeconds)
    held.push(timed)
    heldBytes += fragment.bytes.length
    settling ??= setTimeout(guarded('recorder: settle', settle, fail), settlingMs)
    const isLive = before !== undefined && arrivedAt - before.arrivedAt > (fragment.start - before.fragment.start) * 500
    if (isLive || heldBytes > settlingBytes) settle()
  }

  return {
    take: (taken, arrivedAt) => {
      if (making.isSetBack(arrivedAt)) clock.setBack()
      const fragment = isFirst && taken.soundLead > mostLead ? withoutLead(taken, init) : taken
      if (isFirst && firstPictureAt !== undefined) {
        clock = createRunClock(making.floor, firstPictureAt - fragment.start * 1000)
      }
      isFirst = false
      if (fragment.duration > 0) hold({ fragment, arrivedAt })
    },
    finish: async () => {
      try {
        settle()
        close()
      } finally {
        clearTimeout(settling)
        await making.written()
      }
    },
    ending: () => (clock.hasDrifted() ? 'drifted' : missedSeconds > mostSeconds ? 'noKeyframes' : undefined),
  }
}
