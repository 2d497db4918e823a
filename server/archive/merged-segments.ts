import { setImmediate as turn } from 'node:timers/promises'
import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { createChunkRows } from './chunk-rows.ts'
import type { createHeldChunks } from './held-chunks.ts'
import type { createOldRows } from './old-rows.ts'
import type { createRecordings, Recording } from './recordings.ts'
import { gapToleranceMs, type Segment } from './segment.ts'

/** Chunks a page, of about 60 segments each; rows of older versions have one segment each. */
export const pageOfChunks = 32
const pageOfPeriods = 2000
const pageOfOldRows = 2000

export const earliestFirst = (a: { start: number }, b: { start: number }): number => a.start - b.start

const isInOrder = (segments: readonly Segment[]): boolean => {
  let last = -Infinity
  for (const { start } of segments) {
    if (start <= last) return false
    last = start
  }
  return true
}

type Joined = { from: number; to: number }

const join = (joined: Joined[], periods: readonly TimeRange[], from: number, to: number): void => {
  for (const period of periods) {
    const last = joined.at(-1)
    const [begin, end] = [Math.max(period.from, from), Math.min(period.to, to)]
    if (last !== undefined && begin - last.to <= gapToleranceMs) last.to = Math.max(last.to, end)
    else joined.push({ from: begin, to: end })
  }
}

type Sources = {
  recordings: Pick<ReturnType<typeof createRecordings>, 'recording'>
  chunks: ReturnType<typeof createChunkRows>
  old: ReturnType<typeof createOldRows>
  held: ReturnType<typeof createHeldChunks>
}

/** Reads segments from all three sources: indexed chunks, chunks not yet indexed, and segments of older versions. */
export const createMergedSegments = ({ recordings, chunks, old, held }: Sources) => {
  type Page = { segments: Segment[]; next: number | undefined }

  /** Segments that overlap a range, oldest first, up to where a page ends; `next` continues it. */
  const page = async (uid: string, recording: Recording, from: number, to: number, limit: number): Promise<Page> => {
    // In this order, a segment that moves into a chunk meanwhile is found twice rather than missed.
    const oldLimit = Math.min(pageOfOldRows, limit * 60)
    const before = old.isAny() ? await old.within(recording, from, to, oldLimit) : []
    const making = held.within(uid, from, to)
    const sealed = await chunks.within(recording, from, to, limit)
    const ends = [
      ...(before.length < oldLimit ? [] : [before.at(-1)?.start ?? to]),
      ...(sealed.length < limit ? [] : [sealed.at(-1)?.at(-1)?.start ?? to]),
    ]
    const end = Math.min(...ends, to)
    const isWithin = ({ start, finish }: Segment): boolean =>
      start < to && finish > from && (ends.length === 0 || start <= end)
    const found = [...before, ...making, ...sealed.flat()].filter(isWithin)
    const segments = isInOrder(found)
      ? found
      : [...new Map(found.map((each) => [each.start, each])).values()].toSorted(earliestFirst)
    return { segments, next: ends.length === 0 ? undefined : end }
  }

  const pagesWithin = async function* (
    uid: string,
    from: number,
    to: number,
    limit = pageOfChunks,
  ): AsyncGenerator<Segment[]> {
    const recording = await recordings.recording(uid)
    if (recording === undefined) return
    let [last, at, size] = [-Infinity, from, limit]
    let reading = page(uid, recording, at, to, size)
    for (let count = 0; ; count += 1) {
      const { segments, next } = await reading
      const isOver = next === undefined || next + 1 <= at
      const after = (next ?? to) + 1
      size = Math.min(size * 2, Math.max(limit, pageOfChunks))
      const readNext = () => page(uid, recording, after, to, size)
      // A caller of the second page usually wants all: reads the next page ahead.
      const ahead = !isOver && count > 0 ? readNext() : undefined
      ahead?.catch(() => undefined)
      const [first] = segments
      const news = first !== undefined && first.start > last ? segments : segments.filter(({ start }) => start > last)
      last = news.at(-1)?.start ?? last
      if (news.length > 0) yield news
      if (isOver) return
      at = after
      await turn()
      reading = ahead ?? readNext()
    }
  }

  const within = async (uid: string, from: number, to: number, limit: number): Promise<Segment[]> => {
    const found: Segment[] = []
    for await (const segments of pagesWithin(uid, from, to, Math.min(pageOfChunks, limit + 1))) {
      found.push(...segments)
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  /** The recorded ranges within a range, oldest first, without chunks that aren't indexed yet. */
  const periodsWithin = async function* (uid: string, from: number, to: number): AsyncGenerator<TimeRange[]> {
    const recording = await recordings.recording(uid)
    if (recording === undefined) return
    if (old.isAny()) {
      for await (const segments of pagesWithin(uid, from, to))
        yield segments.map(({ start, finish }) => ({ from: start, to: finish }))
      return
    }
    for (let at = from; ;) {
      const found = await chunks.periodsWithin(recording, at, to, pageOfPeriods)
      yield found.map(({ start, finish }) => ({ from: start, to: finish }))
      const last = found.at(-1)
      if (last === undefined || found.length < pageOfPeriods || last.finish <= at) return
      at = last.finish
      await turn()
    }
  }

  /** The recorded ranges within a range; neighbours are merged. Ends early if `signal` aborts. */
  const fragments = async (uid: string, from: number, to: number, signal?: AbortSignal): Promise<TimeRange[]> => {
    const making = held.within(uid, from, to).map(({ start, finish }) => ({ from: start, to: finish }))
    const joined: Joined[] = []
    for await (const periods of periodsWithin(uid, from, to)) {
      if (signal?.aborted === true) return joined
      join(joined, periods, from, to)
    }
    const all: Joined[] = []
    join(
      all,
      [...joined, ...making].toSorted((a, b) => a.from - b.from),
      from,
      to,
    )
    return all
  }

  return { pagesWithin, within, fragments }
}
