import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TimeRange } from '../../../src/api/contract/time-range.ts'
import type { createChunkRows } from './chunk-rows.ts'
import type { createUnindexedChunks } from './unindexed-chunks.ts'
import type { createOldRows } from './old-rows.ts'
import type { createRecordings } from './recordings.ts'
import { gapToleranceMs, type Segment } from '../format/segment.ts'

/**
 * The rows that one page is read from: a chunk has about 60 segments, a row of older versions has one. The first page
 * comes soon, the later ones take fewer queries.
 */
const firstPageOfChunks = 32
export const pageOfChunks = 128
const pageOfRanges = 2000
const pageOfOldRows = 2000

export const earliestFirst = (a: { start: number }, b: { start: number }): number => a.start - b.start

const isInOrder = (segments: readonly { start: number }[]): boolean => {
  let last = -Infinity
  for (const { start } of segments) {
    if (start <= last) return false
    last = start
  }
  return true
}

/** Segments by their starts; of those with the same start, the last one. */
export const inOrder = <Each extends { start: number }>(segments: Each[]): Each[] =>
  isInOrder(segments)
    ? segments
    : [...new Map(segments.map((each) => [each.start, each] as const)).values()].toSorted(earliestFirst)

/** Adds ranges, cut to `from` and `to`, to `merged`; closely following ones extend the last one. */
const merge = (merged: TimeRange[], ranges: readonly TimeRange[], from: number, to: number): void => {
  for (const range of ranges) {
    const last = merged.at(-1)
    const [begin, end] = [Math.max(range.from, from), Math.min(range.to, to)]
    if (last !== undefined && begin - last.to <= gapToleranceMs)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, end) }
    else merged.push({ from: begin, to: end })
  }
}

type Sources = {
  recordings: Pick<ReturnType<typeof createRecordings>, 'recording'>
  chunks: ReturnType<typeof createChunkRows>
  old: ReturnType<typeof createOldRows>
  unindexed: ReturnType<typeof createUnindexedChunks>
}

/** Reads segments from all three sources: indexed chunks, unindexed chunks, and segments of older versions. */
export const createMergedSegments = ({ recordings, chunks, old, unindexed }: Sources) => {
  type Page = { segments: Segment[]; next: number | undefined }

  /** Segments that overlap a range, oldest first, up to where a page ends. The next page begins after `next`. */
  const readPage = async (uid: string, from: number, to: number, limit: number): Promise<Page> => {
    // In this order, a segment that moves into a chunk meanwhile is found twice rather than missed.
    const oldLimit = Math.min(pageOfOldRows, limit * 60)
    const recording = old.isAny() ? await recordings.recording(uid) : undefined
    const older = recording === undefined ? [] : await old.within(recording, from, to, oldLimit)
    const current = unindexed.within(uid, from, to)
    const sealed = await chunks.within(uid, from, to, limit)
    const ends = [
      ...(older.length < oldLimit ? [] : [older.at(-1)?.start ?? to]),
      ...(sealed.chunks < limit ? [] : [sealed.segments.at(-1)?.start ?? to]),
    ]
    const end = Math.min(...ends, to)
    const isWithin = ({ start, finish }: Segment): boolean =>
      start < to && finish > from && (ends.length === 0 || start <= end)
    const next = ends.length === 0 ? undefined : end
    const others = [...older, ...current].filter(isWithin)
    const own = sealed.segments.filter(isWithin)
    return { segments: inOrder(others.length === 0 ? own : [...others, ...own]), next }
  }

  const pagesWithin = async function* (
    uid: string,
    from: number,
    to: number,
    limit = firstPageOfChunks,
  ): AsyncGenerator<Segment[]> {
    let [lastStart, pageFrom, size] = [-Infinity, from, limit]
    let reading = readPage(uid, pageFrom, to, size)
    for (let count = 0; ; count += 1) {
      const { segments, next } = await reading
      const isLast = next === undefined || next + 1 <= pageFrom
      const after = (next ?? to) + 1
      size = Math.min(size * 2, pageOfChunks)
      const readNext = () => readPage(uid, after, to, size)
      // A caller that reads a second page usually reads all: from then on, the next page is read ahead.
      const ahead = !isLast && count > 0 ? readNext() : undefined
      ahead?.catch(() => undefined)
      const [first] = segments
      const isAllNew = first !== undefined && first.start > lastStart
      const added = isAllNew ? segments : segments.filter(({ start }) => start > lastStart)
      lastStart = added.at(-1)?.start ?? lastStart
      if (added.length > 0) yield added
      if (isLast) return
      pageFrom = after
      await nextTurn()
      reading = ahead ?? readNext()
    }
  }

  const within = async (uid: string, from: number, to: number, limit: number): Promise<Segment[]> => {
    const found: Segment[] = []
    for await (const segments of pagesWithin(uid, from, to, Math.min(firstPageOfChunks, limit + 1))) {
      found.push(...segments)
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  /** The recorded ranges within a range, oldest first; those of unindexed chunks may be missing. */
  const indexedRanges = async function* (uid: string, from: number, to: number): AsyncGenerator<TimeRange[]> {
    const recording = await recordings.recording(uid)
    if (recording === undefined) return
    if (old.isAny()) {
      for await (const segments of pagesWithin(uid, from, to))
        yield segments.map(({ start, finish }) => ({ from: start, to: finish }))
      return
    }
    for (let at = from; ;) {
      const found = await chunks.rangesWithin(recording, at, to, pageOfRanges)
      yield found.map(({ start, finish }) => ({ from: start, to: finish }))
      const last = found.at(-1)
      if (last === undefined || found.length < pageOfRanges || last.finish <= at) return
      at = last.finish
      await nextTurn()
    }
  }

  /** The recorded ranges within a range; neighbours are merged. Ends early if `signal` aborts. */
  const recordedRanges = async (uid: string, from: number, to: number, signal?: AbortSignal): Promise<TimeRange[]> => {
    const current = unindexed.within(uid, from, to).map(({ start, finish }) => ({ from: start, to: finish }))
    const indexed: TimeRange[] = []
    for await (const ranges of indexedRanges(uid, from, to)) {
      if (signal?.aborted === true) return indexed
      merge(indexed, ranges, from, to)
    }
    const all: TimeRange[] = []
    merge(
      all,
      [...indexed, ...current].toSorted((a, b) => a.from - b.from),
      from,
      to,
    )
    return all
  }

  return { pagesWithin, within, recordedRanges }
}
