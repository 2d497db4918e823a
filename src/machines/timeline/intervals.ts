import type { PeriodRanges } from '../../api/contract/archive.ts'

/** A range of the timeline with its type (docs/wire.md §5.3). */
export type Interval = { readonly type: 'live' | 'gap' | 'fragment'; readonly from: number; readonly to: number }

/** `intervals` cover `from`…`to` completely; neighbours differ in type. */
export type IntervalChunk = { readonly from: number; readonly to: number; readonly intervals: readonly Interval[] }

/** `windowStart` is the oldest moment of the live window; `available`: the stream can be watched live. */
export type LiveWindow = { readonly available: boolean; readonly windowStart: number; readonly now: number }

/** Adds an interval, or extends the last one if that has the same type. */
function append(list: Interval[], interval: Interval): void {
  const { type, from, to } = interval
  if (to <= from) return
  const last = list.at(-1)
  if (last !== undefined && last.type === type && last.to === from)
    list[list.length - 1] = { type, from: last.from, to }
  else list.push(interval)
}

/**
 * Reads a response of archive/ranges (docs/wire.md §5.3): each `date` starts a range that lasts until the next one or,
 * for the last, until `period.endTime`. A `status` other than 0 means that it is recorded. The time before the first
 * `date` is a gap. Dates may be outside the period, out of order or repeated; of equal dates the last counts.
 */
export function intervalChunkOf(answer: PeriodRanges): IntervalChunk {
  const { startTime: from, endTime: to } = answer.period
  const ranges = answer.ranges
  const isSorted = ranges.every((range, index) => index === 0 || range.date >= (ranges[index - 1]?.date ?? 0))
  const sorted = isSorted ? ranges : ranges.toSorted((a, b) => a.date - b.date)
  const intervals: Interval[] = []
  append(intervals, { type: 'gap', from, to: Math.min(to, sorted[0]?.date ?? to) })
  sorted.forEach((range, index) => {
    const end = Math.min(to, sorted[index + 1]?.date ?? to)
    append(intervals, { type: range.status === 0 ? 'gap' : 'fragment', from: Math.max(from, range.date), to: end })
  })
  return { from, to, intervals }
}

/** The intervals within `from`…`to`, cut at both ends. */
export function intervalsWithin(list: readonly Interval[], from: number, to: number): Interval[] {
  const start = firstEndingAfter(list, from)
  let end = firstEndingAfter(list, to)
  if ((list[end]?.from ?? to) < to) end += 1
  const part = list.slice(start, Math.max(start, end))
  const first = part[0]
  if (first !== undefined && first.from < from) part[0] = { ...first, from }
  const last = part.at(-1)
  if (last !== undefined && last.to > to) part[part.length - 1] = { ...last, to }
  return part
}

/**
 * Joins chunks into one list, and intervals across their borders. Where chunks overlap, the last one counts; time that
 * is in no chunk is unknown and has no interval.
 */
export function mergeChunks(chunks: readonly IntervalChunk[]): Interval[] {
  const parts: IntervalChunk[] = []
  for (const chunk of chunks) {
    for (let index = parts.length - 1; index >= 0; index -= 1) {
      const part = parts[index]
      if (part === undefined || part.to <= chunk.from || part.from >= chunk.to) continue
      const before = {
        from: part.from,
        to: chunk.from,
        intervals: intervalsWithin(part.intervals, part.from, chunk.from),
      }
      const after = { from: chunk.to, to: part.to, intervals: intervalsWithin(part.intervals, chunk.to, part.to) }
      parts.splice(index, 1, ...[before, after].filter((rest) => rest.to > rest.from))
    }
    parts.push(chunk)
  }
  parts.sort((a, b) => a.from - b.from)
  const merged: Interval[] = []
  for (const part of parts) for (const interval of part.intervals) append(merged, interval)
  return merged
}

export const isSameInterval = (one: Interval, other: Interval | undefined): boolean =>
  one === other || (one.type === other?.type && one.from === other.from && one.to === other.to)

/** Adds the live interval, if the stream is available, and the gap from now to `end`. */
export function addLive(recorded: readonly Interval[], live: LiveWindow, end: number): Interval[] {
  const start = live.available ? Math.min(live.windowStart, live.now) : live.now
  const placed = intervalsWithin(recorded, Number.NEGATIVE_INFINITY, start)
  append(placed, { type: 'live', from: start, to: live.now })
  append(placed, { type: 'gap', from: live.now, to: end })
  return placed
}

/** The index of the first interval from `start` on that ends after `at`; `end` if there is none before it. */
export function firstEndingAfter(list: readonly Interval[], at: number, start = 0, end = list.length): number {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.to ?? Number.POSITIVE_INFINITY) > at) high = middle
    else low = middle + 1
  }
  return low
}

export function intervalAt(list: readonly Interval[], at: number): Interval | undefined {
  const interval = list[firstEndingAfter(list, at)]
  return interval !== undefined && interval.from <= at ? interval : undefined
}

/** The first known fragment that starts at `at` or later. */
export function nextFragmentAfter(list: readonly Interval[], at: number): Interval | undefined {
  return find(list, at, 1, (interval) => interval.type === 'fragment' && interval.from >= at)
}

/** The last known fragment that ends at `at` or earlier. */
export function previousFragmentBefore(list: readonly Interval[], at: number): Interval | undefined {
  return find(list, at, -1, (interval) => interval.type === 'fragment' && interval.to <= at)
}

function find(
  list: readonly Interval[],
  at: number,
  step: 1 | -1,
  matches: (interval: Interval) => boolean,
): Interval | undefined {
  for (let index = firstEndingAfter(list, at); index >= 0 && index <= list.length; index += step) {
    const interval = list[index]
    if (interval !== undefined && matches(interval)) return interval
  }
  return undefined
}
