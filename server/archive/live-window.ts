import { EventEmitter, once } from 'node:events'
import { stillHeld } from './held-segments.ts'
import type { Run } from './run.ts'
import type { Listed, Segment } from './segment.ts'
import { isKeptFile } from '../storage/folders.ts'

/** A part of a segment, for low latency. Numbers continue across segments; `offset` is into the segment's bytes. */
export type LivePart = { number: number; duration: number; isIndependent: boolean; offset: number; bytes: number }

export type LiveSegment = Segment & {
  sequence: number
  discontinuity: number
  arrivedAt: number
  parts: readonly LivePart[]
  /** Reads the segment from memory if it has no file. */
  held?: () => Promise<Buffer | undefined>
}

/** A segment being built or written; it grows in place. */
export type OpenSegment = {
  start: number
  duration: number
  run: Run
  parts: LivePart[]
  isWhole: boolean
  /** The whole segment, or one of its parts by index; undefined once it is listed or gone. */
  read: (part?: number) => Promise<Buffer | undefined>
}

export type PartedSegment = Listed & { parts: readonly LivePart[] }

/** The contents of a low-latency playlist. Seconds. */
export type Parted = {
  sequence: number
  discontinuity: number
  whole: PartedSegment[]
  making: PartedSegment | undefined
  nextPart: number
  partTarget: number
}

const keptMs = 60_000
/** A live playlist lists this, or four target durations; the least is three (rfc8216bis §6.2.2). */
const minListedSeconds = 16
/** Segments with listed parts: no more than make three target durations (rfc8216bis §4.4.4.9). */
const segmentsInParts = 2
/** With rarer pictures, parts gain nothing. */
const maxPart = 0.5
const overlapMs = 1000
const graceMs = 1000

export type LiveWindow = {
  /** `targetDuration` in seconds. */
  add: (segment: LiveSegment, run: Run, targetDuration: number) => void
  /** Begins a segment; `grow` announces its parts, `end` the last of them, `add` lists it, `drop` discards it. */
  begin: (segment: Pick<OpenSegment, 'start' | 'run' | 'read'>) => void
  grow: (start: number, part: LivePart, arrivedAt: number) => void
  end: (start: number) => void
  drop: (start: number) => void
  /** The recorder died: segments without a file are lost. */
  lose: () => void
  /** Newest last; only segments whose tracks match the newest run. */
  listed: () => { segments: LiveSegment[]; runs: Map<number, Run> }
  /** Like `listed`, with the segments not yet on disk; undefined without parts, or if the parts are too long. */
  parted: () => Parted | undefined
  /** Includes segments that have left the playlist: a player may still request them. */
  find: (start: number) => LiveSegment | undefined
  opened: () => readonly OpenSegment[]
  findPart: (number: number) => { segment: LiveSegment; part: LivePart } | undefined
  findRun: (id: number) => Run | undefined
  newest: () => { segment: LiveSegment; run: Run } | undefined
  isFresh: (now: number, minMs?: number) => boolean
  bitrate: () => number
  /** Seconds. */
  targetDuration: () => number
  next: (signal: AbortSignal) => Promise<boolean>
  nextPart: (signal: AbortSignal) => Promise<boolean>
}

export const createLiveWindow = (): LiveWindow => {
  let segments: LiveSegment[] = []
  let opened: readonly OpenSegment[] = []
  const runs = new Map<number, Run>()
  let listedSeconds = minListedSeconds
  let targetSeconds = 2
  let arrivedLast = -Infinity
  let partTarget = 0
  const news = new EventEmitter()
  news.setMaxListeners(0)

  const waitFor = (event: 'segment' | 'part', signal: AbortSignal): Promise<boolean> =>
    once(news, event, { signal }).then(
      () => true,
      () => false,
    )

  const listedSegments = (): LiveSegment[] => {
    const newest = segments.at(-1)
    if (newest === undefined) return []
    const { hasSound } = runs.get(newest.run) ?? {}
    let first = segments.length - 1
    let seconds = 0
    while (first >= 0) {
      const [each, next] = [segments[first], segments[first + 1]]
      if (each === undefined || seconds >= listedSeconds || runs.get(each.run)?.hasSound !== hasSound) break
      if (next !== undefined && (next.sequence !== each.sequence + 1 || each.finish - overlapMs > next.start)) break
      if (newest.finish - each.start > 2000 * listedSeconds) break
      seconds += each.duration
      first -= 1
    }
    return segments.slice(first + 1)
  }

  const parted = (): Parted | undefined => {
    const kept = listedSegments()
    const [first, newest] = [kept[0], kept.at(-1)]
    if (first === undefined || newest === undefined) return undefined
    const { hasSound } = runs.get(newest.run) ?? {}
    const isStrange = ({ run, start }: OpenSegment) => run.hasSound !== hasSound || newest.finish - overlapMs > start
    const stranger = opened.findIndex(isStrange)
    const joined = opened
      .slice(0, stranger === -1 ? opened.length : stranger)
      .map(({ start, duration, run, parts, isWhole }) => ({
        isWhole,
        segment: { start, finish: Math.round(start + duration * 1000), duration, run: run.id, parts },
      }))
    const making = joined.find(({ isWhole, segment }) => !isWhole && segment.parts.length > 0)?.segment
    const whole: PartedSegment[] = [...kept, ...joined.flatMap(({ isWhole, segment }) => (isWhole ? [segment] : []))]
    const cut = [...whole.slice(-segmentsInParts), ...(making === undefined ? [] : [making])].flatMap(
      ({ parts }) => parts,
    )
    const longest = Math.max(...cut.map(({ duration }) => duration))
    const last = cut.at(-1)
    if (last === undefined || longest > maxPart) return undefined
    partTarget = Math.max(partTarget, Math.ceil(longest * 1000 - 0.001) / 1000)
    return {
      sequence: first.sequence,
      discontinuity: first.discontinuity,
      whole: whole.map((segment, index) =>
        index < whole.length - segmentsInParts ? { ...segment, parts: [] } : segment,
      ),
      making,
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

  const stillKept = (segment: LiveSegment): LiveSegment[] => {
    const keptFor = Math.max(keptMs, 3000 * listedSeconds)
    const isHeld = ({ held }: LiveSegment): boolean => held !== undefined
    const held = new Set(stillHeld(segments.filter(isHeld), { ...segment, isHeld: isHeld(segment) }))
    return segments.filter((each) =>
      isHeld(each) ? held.has(each) : Math.abs(segment.arrivedAt - each.arrivedAt) < keptFor,
    )
  }

  return {
    add: (segment, run, targetDuration) => {
      runs.set(run.id, run)
      listedSeconds = Math.max(minListedSeconds, 4 * targetDuration)
      targetSeconds = targetDuration
      // Segments that left the playlist stay available for about two windows.
      segments = [...stillKept(segment), segment]
      forget(segment.start)
      forgetRuns()
      news.emit('segment')
      news.emit('part')
    },
    begin: (segment) => {
      opened = [...opened, { ...segment, duration: 0, parts: [], isWhole: false }]
    },
    grow: (start, part, arrivedAt) => {
      const open = opened.find((each) => each.start === start)
      if (open === undefined) return
      open.parts.push(part)
      open.duration += part.duration
      arrivedLast = arrivedAt
      news.emit('part')
    },
    end: (start) => {
      const open = opened.find((each) => each.start === start)
      if (open !== undefined) open.isWhole = true
    },
    drop: forget,
    lose: () => {
      opened = []
      segments = segments.filter(({ file }) => isKeptFile(file))
      forgetRuns()
    },
    listed: () => ({ segments: listedSegments(), runs }),
    parted,
    find: (start) => segments.find((each) => each.start === start),
    opened: () => opened,
    findPart: (number) => {
      for (const segment of segments.toReversed()) {
        const part = segment.parts.find((each) => each.number === number)
        if (part !== undefined) return { segment, part }
      }
      return undefined
    },
    findRun: (id) => runs.get(id),
    newest: () => {
      const segment = segments.at(-1)
      const run = segment === undefined ? undefined : runs.get(segment.run)
      return segment === undefined || run === undefined ? undefined : { segment, run }
    },
    isFresh: (now, minMs = 0) =>
      segments.length > 0 && Math.abs(now - arrivedLast) <= Math.max(minMs, targetSeconds * 1500 + graceMs),
    bitrate: () => {
      const last = segments.slice(-8)
      const seconds = last.reduce((sum, each) => sum + each.duration, 0)
      return seconds === 0 ? 0 : Math.round((last.reduce((sum, each) => sum + each.bytes, 0) * 8) / seconds)
    },
    targetDuration: () => targetSeconds,
    next: (signal) => waitFor('segment', signal),
    nextPart: (signal) => waitFor('part', signal),
  }
}
