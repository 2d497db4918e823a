import { guarded } from '../../guarded.ts'
import type { Fragment, Init } from '../../media/fragments.ts'
import { withoutSoundLead } from '../../media/sound-lead.ts'
import { createRunClock, type Arrival, type RunClock } from './run-clock.ts'
import type { Run } from '../format/run.ts'
import { maxSegmentBytes, maxSegmentSeconds, minSegmentSeconds } from '../format/segment.ts'
import type { ReadPart } from './segment-memory.ts'

/** What one connection to a camera delivers, cut into segments. */
export type IngestSession = {
  take: (fragment: Fragment, arrivedAt: number) => void
  /** Ends the session; resolves when every complete segment is written. */
  finish: () => Promise<void>
  /** Why the connection should be ended; undefined if all is well. */
  ending: () => 'drifted' | 'noKeyframes' | undefined
}

export type SessionOptions = {
  init: Init
  /** Epoch milliseconds of media time 0, if the source knows it (demo). */
  mediaZeroAt?: number | undefined
  /** How far this machine's clock is ahead, which the times of arrival are corrected by. */
  clockAheadMs?: () => number
  /** Called with an error of the session's own timer. */
  fail: (error: unknown) => void
}

/**
 * A segment that is still growing. `start` and `arrivedAt` in epoch milliseconds, `mediaStart` and `duration` in
 * seconds.
 */
export type GrowingSegment = {
  start: number
  mediaStart: number
  duration: number
  run: Run
  /** When its last byte arrived. */
  arrivedAt: number
  parts: ReadPart[]
  bytes: number
  /** How many of its bytes are in memory. */
  bytesInMemory: number
}

/** What a session calls to build segments: `begin`, then `grow` for each part, then `close`. */
export type SegmentBuilder = {
  /** The end of the last segment, epoch milliseconds. */
  floor: () => number
  /** Registers an arrival; true if the system clock was set back since the last one. */
  isSetBack: (arrivedAt: number) => boolean
  addRun: (init: Init) => Run
  /** Skips the announced part number at a new run: a player would assign the part to the old run. */
  skipPart: () => void
  begin: (segment: GrowingSegment) => void
  grow: (segment: GrowingSegment, fragment: Fragment, arrivedAt: number) => void
  close: (segment: GrowingSegment) => void
  /** Ends the chunk; resolves when everything is written. */
  flush: () => Promise<void>
  /** Reports that a segment is closed without a keyframe to begin the next one. */
  reportCut: (segment: GrowingSegment) => void
}

type ArrivedFragment = { fragment: Fragment; arrivedAt: number }

/** A segment ends even without a keyframe once so much of it is in memory, as the disk doesn't take it. */
const maxBytesInMemory = 32 * 1024 * 1024
/** The first fragments wait this long, within this many bytes, until the clock knows which arrived without delay. */
const startMs = 1500
const startBytes = 16 * 1024 * 1024
/** What a camera had buffered arrives at more than twice real time: a second of video in less than this. */
const liveMsPerSecond = 500
/** Sound that begins earlier than the pictures, in seconds, would shift the start of the whole run. */
const maxSoundLead = 0.05
/** A fragment that ffmpeg ends at a keyframe is shorter than a part by more than this, in seconds. */
const partSlack = 0.001

/**
 * Each segment begins with a keyframe, so that a seek finds a picture. `partSeconds`: the minimum duration of a part; a
 * keyframe may end it earlier.
 */
export const createIngestSession = (
  builder: SegmentBuilder,
  partSeconds: number,
  { init, mediaZeroAt, clockAheadMs = () => 0, fail }: SessionOptions,
): IngestSession => {
  const clock: RunClock = createRunClock(builder.floor, mediaZeroAt)
  let run: Run | undefined
  let waiting: ArrivedFragment[] | undefined = mediaZeroAt === undefined ? [] : undefined
  let waitingBytes = 0
  let startTimer: NodeJS.Timeout | undefined
  let open: GrowingSegment | undefined
  let isFirst = true
  let knownAheadMs = clockAheadMs()
  let skippedSeconds = 0

  const close = () => {
    const complete = open
    open = undefined
    if (complete !== undefined) builder.close(complete)
  }

  const openAt = (timed: Arrival): GrowingSegment => {
    const { start, isNewRun } = clock.toWallClock(timed)
    if (isNewRun || run === undefined) {
      run = builder.addRun(init)
      builder.skipPart()
    }
    const { arrivedAt } = timed
    const empty = { duration: 0, bytes: 0, bytesInMemory: 0, parts: [] }
    const begun = { ...empty, start, mediaStart: timed.start, run, arrivedAt }
    builder.begin(begun)
    return begun
  }

  /** Only before a keyframe is a fragment short: its segment can end without waiting for the keyframe. */
  const endsAtKeyframe = ({ span }: Fragment): boolean => span < partSeconds - partSlack

  const append = ({ fragment, arrivedAt }: ArrivedFragment) => {
    const timed = { start: fragment.start, duration: fragment.duration, arrivedAt }
    if (open !== undefined) {
      const beginsNext = fragment.isIndependent && open.duration >= minSegmentSeconds
      const isFull =
        open.duration >= maxSegmentSeconds ||
        open.bytes + fragment.bytes.length > maxSegmentBytes ||
        open.bytesInMemory + fragment.bytes.length > maxBytesInMemory
      if (isFull && !beginsNext) builder.reportCut(open)
      if (isFull || beginsNext || !clock.follow(timed)) close()
    }
    if (open === undefined && !fragment.isIndependent) {
      skippedSeconds += fragment.duration
      return
    }
    skippedSeconds = 0
    open ??= openAt(timed)
    builder.grow(open, fragment, arrivedAt)
    if (open.duration >= minSegmentSeconds && endsAtKeyframe(fragment)) close()
  }

  const start = () => {
    clearTimeout(startTimer)
    const first = waiting
    waiting = undefined
    if (first === undefined) return
    clock.begin(first.map(({ fragment: { start, duration }, arrivedAt }) => ({ start, duration, arrivedAt })))
    for (const each of first) append(each)
  }

  const appendOrWait = (arrived: ArrivedFragment) => {
    if (waiting === undefined) {
      append(arrived)
      return
    }
    const { fragment, arrivedAt } = arrived
    const before = waiting.findLast((each) => fragment.start - each.fragment.start >= minSegmentSeconds)
    waiting.push(arrived)
    waitingBytes += fragment.bytes.length
    startTimer ??= setTimeout(guarded('recorder: start', start, fail), startMs)
    const isLive =
      before !== undefined && arrivedAt - before.arrivedAt > (fragment.start - before.fragment.start) * liveMsPerSecond
    if (isLive || waitingBytes > startBytes) start()
  }

  return {
    take: (taken, arrivedAt) => {
      if (builder.isSetBack(arrivedAt) || clockAheadMs() !== knownAheadMs) {
        clock.rebase()
        // What waits has a time of arrival by the old clock; it has arrived by now.
        waiting = waiting?.map((each) => ({ ...each, arrivedAt }))
      }
      knownAheadMs = clockAheadMs()
      const fragment = isFirst && taken.soundLead > maxSoundLead ? withoutSoundLead(taken, init) : taken
      isFirst = false
      if (fragment.duration > 0) appendOrWait({ fragment, arrivedAt })
    },
    finish: async () => {
      try {
        start()
        close()
      } finally {
        clearTimeout(startTimer)
        await builder.flush()
      }
    },
    ending: () => (clock.hasDrifted() ? 'drifted' : skippedSeconds > maxSegmentSeconds ? 'noKeyframes' : undefined),
  }
}
