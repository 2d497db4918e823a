import { guarded } from '../guarded.ts'
import type { Fragment, Init } from '../media/fragments.ts'
import { withoutLead } from '../media/sound-lead.ts'
import { createRunClock, type Arrival, type RunClock } from './run-clock.ts'
import type { Run } from './run.ts'

export type IngestSession = {
  take: (fragment: Fragment, arrivedAt: number) => void
  /** Ends the session; resolves when every complete segment is written. */
  finish: () => Promise<void>
  ending: () => 'drifted' | 'noKeyframes' | undefined
}

export type Beginning = {
  init: Init
  /** Epoch milliseconds of the first picture, if the source knows it (demo). */
  firstPictureAt?: number | undefined
  fail: (error: unknown) => void
}

/** A segment that is still growing, one buffer per part. */
export type Open = {
  start: number
  mediaStart: number
  duration: number
  run: Run
  newRun: boolean
  arrivedAt: number
  data: Buffer[]
  bytes: number
}

export type Making = {
  floor: () => number
  /** Registers an arrival; true if the system clock was set back since the last one. */
  isSetBack: (arrivedAt: number) => boolean
  addRun: (init: Init) => Run
  /** Skips the announced part number at a new run: a player would assign the part to the old run. */
  skipPart: () => void
  begin: (open: Open) => void
  grow: (open: Open, fragment: Fragment, arrivedAt: number) => void
  close: (open: Open) => void
  written: () => Promise<void>
  cut: (open: Open) => void
}

type Timed = { fragment: Fragment; arrivedAt: number }

/** Keyframes closer than this share a segment. */
const minSeconds = 0.9
/** Bounds of a segment, for sources without keyframes: a minute plus the overrun of its last parts, … */
const maxSeconds = 66
/** … and bytes. */
const maxBytes = 32 * 1024 * 1024
/** The first fragments are held for this long, at most this many bytes, to find those that arrived without delay. */
const settlingMs = 1500
const settlingBytes = 16 * 1024 * 1024
/** Sound that begins earlier, in seconds, would shift the start of the whole run. */
const maxLead = 0.05
/** A fragment cut by duration exceeds one cut by a keyframe by at least this, seconds. */
const cutSlack = 0.001

/** Each segment begins with a keyframe, so that a seek finds a picture. `partSeconds`: cuts between keyframes. */
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
    const { start, newRun } = clock.toWallClock(timed)
    if (newRun || run === undefined) {
      run = making.addRun(init)
      making.skipPart()
    }
    const { arrivedAt } = timed
    const empty = { duration: 0, bytes: 0, data: [] }
    const begun = { ...empty, start, mediaStart: timed.start, run, arrivedAt, newRun }
    making.begin(begun)
    return begun
  }

  /** A keyframe follows: only then is a fragment short, so the segment can end without waiting for it. */
  const endsAtKeyframe = ({ span }: Fragment): boolean => span < partSeconds - cutSlack

  const put = ({ fragment, arrivedAt }: Timed) => {
    const timed = { start: fragment.start, duration: fragment.duration, arrivedAt }
    if (open !== undefined) {
      const isWhole = fragment.isIndependent && open.duration >= minSeconds
      const isFull = open.duration >= maxSeconds || open.bytes + fragment.bytes.length > maxBytes
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
    if (open.duration >= minSeconds && endsAtKeyframe(fragment)) close()
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
    const before = held.findLast((each) => fragment.start - each.fragment.start >= minSeconds)
    held.push(timed)
    heldBytes += fragment.bytes.length
    settling ??= setTimeout(guarded('recorder: settle', settle, fail), settlingMs)
    const isLive = before !== undefined && arrivedAt - before.arrivedAt > (fragment.start - before.fragment.start) * 500
    if (isLive || heldBytes > settlingBytes) settle()
  }

  return {
    take: (taken, arrivedAt) => {
      if (making.isSetBack(arrivedAt)) clock.setBack()
      const fragment = isFirst && taken.soundLead > maxLead ? withoutLead(taken, init) : taken
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
    ending: () => (clock.hasDrifted() ? 'drifted' : missedSeconds > maxSeconds ? 'noKeyframes' : undefined),
  }
}
