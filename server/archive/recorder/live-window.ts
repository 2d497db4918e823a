import { EventEmitter, once } from 'node:events'
import { createFreshness } from './freshness.ts'
import { createPartTarget } from './part-target.ts'
import { stillInMemory } from './segment-memory.ts'
import type { Run } from '../format/run.ts'
import { targetDurationOf, type ListedSegment, type Segment } from '../format/segment.ts'
import { subsequenceOf } from '../format/subsegments.ts'
import { isKeptFile } from '../../storage/folders.ts'

/**
 * A part of a segment, for low latency. `number` goes on across segments, `duration` is in seconds, `offset` in bytes
 * from the start of the segment. `isIndependent`: it begins with a keyframe.
 */
export type LivePart = { number: number; duration: number; isIndependent: boolean; offset: number; bytes: number }

export type LiveSegment = Segment & {
  sequence: number
  /** The sequence of its first subsegment, where these are listed. */
  subsequence: number
  /** The number of discontinuities before it. */
  discontinuity: number
  /** When its last byte arrived, epoch milliseconds. */
  arrivedAt: number
  parts: readonly LivePart[]
  /** Present if the segment has no file. */
  readFromMemory?: () => Promise<Buffer | undefined>
}

type NewSegment = Omit<LiveSegment, 'subsequence'>

/** A segment that still grows or waits to be written. `start` in epoch milliseconds, `duration` in seconds. */
type OpenSegment = {
  start: number
  duration: number
  run: Run
  parts: LivePart[]
  /** Complete, and waits to be written. */
  isWhole: boolean
  /** Reads it, or one of its parts by index, from the recorder; undefined once that doesn't have it any more. */
  read: (part?: number) => Promise<Buffer | undefined>
}

export type SegmentWithParts = ListedSegment & { parts: readonly LivePart[] }

/**
 * The contents of a low-latency playlist. `sequence` and `discontinuity` are of its first segment; `whole`: complete
 * segments, oldest first, of which the newest two have their parts; `growing` has some of its parts; `nextPart` is the
 * number of the part after the last one; `partTarget` is in seconds.
 */
export type LowLatencyWindow = {
  sequence: number
  discontinuity: number
  whole: SegmentWithParts[]
  growing: SegmentWithParts | undefined
  nextPart: number
  partTarget: number
}

/** How long a segment in a file is kept after its arrival at least; for those in memory `stillInMemory` decides. */
const keptMs = 60_000
/** A live playlist lists this much, or four target durations if that is more; rfc8216bis §6.2.2 requires three. */
const minListedSeconds = 16
/** The newest segments whose parts are listed: none may be older than three target durations (rfc8216bis §4.4.4.9). */
const segmentsInParts = 2
/** A segment that overlaps the next one by more, as after a clock set back, isn't listed, nor are those before it. */
const overlapMs = 1000

export type LiveWindow = {
  /** `targetDuration` in seconds. */
  add: (segment: NewSegment, run: Run, targetDuration: number) => void
  /** Begins a segment: `grow` adds a part, `end` says that it has all, `add` replaces it by the written segment. */
  begin: (segment: Pick<OpenSegment, 'start' | 'run' | 'read'>) => void
  grow: (start: number, part: LivePart, arrivedAt: number) => void
  end: (start: number) => void
  drop: (start: number) => void
  /** Drops what was in the memory of a recorder that died: segments without a file that lasts. */
  dropUnwritten: () => void
  /** The segments of the live playlist, newest last; all have sound, or none. */
  listed: () => { segments: LiveSegment[]; runs: Map<number, Run> }
  /** The same with the segments that aren't on disk yet; undefined without parts, or if most are too long. */
  lowLatency: () => LowLatencyWindow | undefined
  /** All that a player may request: also segments that have left the playlist. */
  kept: () => readonly LiveSegment[]
  /** Segments that grow or wait to be written, oldest first: only the low-latency playlist lists them. */
  opened: () => readonly OpenSegment[]
  /** A part of a written segment. */
  findPart: (number: number) => { segment: LiveSegment; part: LivePart } | undefined
  /** Also the run of a segment that still grows: the low-latency playlist lists its init. */
  findRun: (id: number) => Run | undefined
  newest: () => { segment: LiveSegment; run: Run } | undefined
  /** Whether a part arrived within `minMs`, or 1.5 of the longest listed segment and a second if that is more. */
  isFresh: (now: number, minMs?: number) => boolean
  /** Of the last eight segments, bits per second. */
  bitrate: () => number
  /** Seconds; of the segments in `kept`, and of those that grow. */
  longestSegment: () => number
  targetDuration: () => number
  /** Resolves to true when a segment or part is listed, to false if `signal` aborts. */
  waitForSegment: (signal: AbortSignal) => Promise<boolean>
  waitForPart: (signal: AbortSignal) => Promise<boolean>
}

export const createLiveWindow = (): LiveWindow => {
  let segments: LiveSegment[] = []
  let opened: readonly OpenSegment[] = []
  const runs = new Map<number, Run>()
  let targetSeconds = 2
  const freshness = createFreshness()
  const partTargetOf = createPartTarget()
  const additions = new EventEmitter()
  additions.setMaxListeners(0)

  const waitFor = (event: 'segment' | 'part', signal: AbortSignal): Promise<boolean> =>
    once(additions, event, { signal }).then(
      () => true,
      () => false,
    )

  const listedSeconds = (): number => Math.max(minListedSeconds, 4 * targetSeconds)
  const listedSegments = (): LiveSegment[] => {
    const newest = segments.at(-1)
    if (newest === undefined) return []
    const { hasSound } = runs.get(newest.run) ?? {}
    let first = segments.length - 1
    let seconds = 0
    while (first >= 0) {
      const [each, next] = [segments[first], segments[first + 1]]
      if (each === undefined || seconds >= listedSeconds() || runs.get(each.run)?.hasSound !== hasSound) break
      if (next !== undefined && (next.sequence !== each.sequence + 1 || each.finish - overlapMs > next.start)) break
      if (newest.finish - each.start > 2000 * listedSeconds()) break
      seconds += each.duration
      first -= 1
    }
    return segments.slice(first + 1)
  }

  const lowLatency = (): LowLatencyWindow | undefined => {
    const listed = listedSegments()
    const [first, newest] = [listed[0], listed.at(-1)]
    if (first === undefined || newest === undefined) return undefined
    const { hasSound } = runs.get(newest.run) ?? {}
    const isUnlisted = ({ run, start }: OpenSegment) => run.hasSound !== hasSound || newest.finish - overlapMs > start
    const firstUnlisted = opened.findIndex(isUnlisted)
    const continuing = opened
      .slice(0, firstUnlisted === -1 ? opened.length : firstUnlisted)
      .map(({ start, duration, run, parts, isWhole }) => ({
        isWhole,
        segment: { start, finish: Math.round(start + duration * 1000), duration, run: run.id, parts },
      }))
    const growing = continuing.find(({ isWhole, segment }) => !isWhole && segment.parts.length > 0)?.segment
    const whole: SegmentWithParts[] = [
      ...listed,
      ...continuing.flatMap(({ isWhole, segment }) => (isWhole ? [segment] : [])),
    ]
    const listedParts = [...whole.slice(-segmentsInParts), ...(growing === undefined ? [] : [growing])].flatMap(
      ({ parts }) => parts,
    )
    const last = listedParts.at(-1)
    const partTarget = partTargetOf(listedParts, Math.max(...listed.map(({ duration }) => duration)))
    if (last === undefined || partTarget === undefined) return undefined
    return {
      sequence: first.sequence,
      discontinuity: first.discontinuity,
      whole: whole.map((segment, index) =>
        index < whole.length - segmentsInParts ? { ...segment, parts: [] } : segment,
      ),
      growing,
      nextPart: last.number + 1,
      partTarget,
    }
  }

  const forgetRuns = (): void => {
    for (const id of runs.keys()) if (!segments.some((each) => each.run === id)) runs.delete(id)
  }

  const forget = (start: number): void => {
    opened = opened.filter((each) => each.start !== start)
  }

  const stillKept = (segment: NewSegment): LiveSegment[] => {
    const keptForMs = Math.max(keptMs, 3000 * listedSeconds())
    const isInMemory = ({ readFromMemory }: NewSegment): boolean => readFromMemory !== undefined
    const newest = { ...segment, isInMemory: isInMemory(segment) }
    const inMemory = new Set(stillInMemory(segments.filter(isInMemory), newest))
    return segments.filter((each) =>
      isInMemory(each) ? inMemory.has(each) : Math.abs(segment.arrivedAt - each.arrivedAt) < keptForMs,
    )
  }

  return {
    add: (segment, run, targetDuration) => {
      runs.set(run.id, run)
      targetSeconds = targetDuration
      segments = [...stillKept(segment), { ...segment, subsequence: subsequenceOf(segment, segments.at(-1)) }]
      forget(segment.start)
      forgetRuns()
      additions.emit('segment')
      additions.emit('part')
    },
    begin: (segment) => {
      opened = [...opened, { ...segment, duration: 0, parts: [], isWhole: false }]
    },
    grow: (start, part, arrivedAt) => {
      const open = opened.find((each) => each.start === start)
      if (open === undefined) return
      open.parts.push(part)
      open.duration += part.duration
      freshness.noteArrival(open.run.id, part.duration, arrivedAt)
      additions.emit('part')
    },
    end: (start) => {
      for (const each of opened) if (each.start === start) each.isWhole = true
    },
    drop: forget,
    dropUnwritten: () => {
      opened = []
      segments = segments.filter(({ file }) => isKeptFile(file))
      forgetRuns()
    },
    listed: () => ({ segments: listedSegments(), runs }),
    lowLatency,
    kept: () => segments,
    opened: () => opened,
    findPart: (number) => {
      for (const segment of segments.toReversed()) {
        const part = segment.parts.find((each) => each.number === number)
        if (part !== undefined) return { segment, part }
      }
      return undefined
    },
    findRun: (id) => runs.get(id) ?? opened.find(({ run }) => run.id === id)?.run,
    newest: () => {
      const segment = segments.at(-1)
      const run = segment === undefined ? undefined : runs.get(segment.run)
      return segment === undefined || run === undefined ? undefined : { segment, run }
    },
    isFresh: (now, minMs = 0) =>
      segments.length > 0 && freshness.isFresh(now, targetDurationOf(listedSegments()), minMs),
    bitrate: () => {
      const last = segments.slice(-8)
      const seconds = last.reduce((sum, each) => sum + each.duration, 0)
      return seconds === 0 ? 0 : Math.round((last.reduce((sum, each) => sum + each.bytes, 0) * 8) / seconds)
    },
    targetDuration: () => targetSeconds,
    longestSegment: () => Math.max(0, ...[...segments, ...opened].map(({ duration }) => duration)),
    waitForSegment: (signal) => waitFor('segment', signal),
    waitForPart: (signal) => waitFor('part', signal),
  }
}
