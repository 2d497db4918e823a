import type { TimeRange } from '../../api/contract/time-range.ts'

/** A cached answer of the server for `from`…`to`; a stale one is shown until it is loaded again. */
export type RangeChunk<C> = TimeRange & { readonly content: C; readonly loadedAt: number; readonly isStale: boolean }

/** A recording may appear in the answers up to this long after its time. */
const settlingMs = 120_000
const maxChunks = 600

/** The cells that cover the period: ranges of `lengthMs` on a fixed grid, so that other periods can reuse them. */
export function cellsOver({ from, to }: TimeRange, lengthMs: number): TimeRange[] {
  const cells: TimeRange[] = []
  for (let start = Math.floor(from / lengthMs) * lengthMs; start < to; start += lengthMs)
    cells.push({ from: start, to: start + lengthMs })
  return cells
}

const distanceFromMiddle = (period: TimeRange) => {
  const middle = (period.from + period.to) / 2
  return ({ from, to }: TimeRange) => Math.abs((from + to) / 2 - middle)
}

function withMargins({ from, to }: TimeRange): TimeRange {
  const margin = (to - from) / 4
  return { from: from - margin, to: to + margin }
}

const overlaps = (one: TimeRange, other: TimeRange): boolean => one.from < other.to && other.from < one.to

/**
 * The cells to load, in order: the one of the moment `priorityAt`, those of the period from the middle outwards, and
 * those of a quarter of the period on each side. None begins in the future.
 */
export function neededCells(period: TimeRange, lengthMs: number, now: number, priorityAt: number | null): TimeRange[] {
  const distance = distanceFromMiddle(period)
  const nearestFirst = (cells: TimeRange[]) => cells.toSorted((a, b) => distance(a) - distance(b))
  const visible = cellsOver(period, lengthMs)
  const around = cellsOver(withMargins(period), lengthMs).filter(
    ({ from }) => !visible.some((cell) => cell.from === from),
  )
  const first = priorityAt === null ? [] : cellsOver({ from: priorityAt, to: priorityAt + 1 }, lengthMs)
  const others = [...nearestFirst(visible), ...nearestFirst(around)].filter(({ from }) => from !== first[0]?.from)
  return [...first, ...others].filter(({ from }) => from >= 0 && from <= now)
}

export const missingCells = <C>(cells: readonly TimeRange[], chunks: readonly RangeChunk<C>[]): TimeRange[] =>
  cells.filter((cell) => !chunks.some((chunk) => !chunk.isStale && chunk.from <= cell.from && chunk.to >= cell.to))

/**
 * Adds chunks, which replace those they contain. Of too many, those farthest from the period and the added ones are
 * dropped, as a search may load chunks far from the period, but none that the period needs: it would be loaded again.
 */
export function withChunks<C>(
  chunks: readonly RangeChunk<C>[],
  added: readonly RangeChunk<C>[],
  period: TimeRange,
): RangeChunk<C>[] {
  const kept = chunks.filter((chunk) => !added.some(({ from, to }) => from <= chunk.from && chunk.to <= to))
  const all = [...kept, ...added]
  if (all.length <= maxChunks) return all
  const around = withMargins(period)
  const needed = all.filter((chunk) => overlaps(chunk, around))
  const distances = [period, ...added].map(distanceFromMiddle)
  const distance = (chunk: TimeRange) => Math.min(...distances.map((from) => from(chunk)))
  const others = all.filter((chunk) => !overlaps(chunk, around)).toSorted((a, b) => distance(a) - distance(b))
  return [...needed, ...others.slice(0, Math.max(added.length, maxChunks - needed.length))]
}

/** Marks the outdated chunks in and around the period as stale, so that they are loaded again. */
export function withStale<C>(
  chunks: readonly RangeChunk<C>[],
  period: TimeRange,
  isOutdated: (chunk: RangeChunk<C>) => boolean,
): RangeChunk<C>[] {
  const around = withMargins(period)
  return chunks.map((chunk) => (overlaps(chunk, around) && isOutdated(chunk) ? { ...chunk, isStale: true } : chunk))
}

/** Whether the chunk was loaded before its end was final. */
const canStillGrow = ({ to, loadedAt }: RangeChunk<unknown>): boolean => loadedAt < to + settlingMs

/** The time of a chunk that was in the future when it was loaded. */
export const futureOf = ({ from, to, loadedAt }: RangeChunk<unknown>): TimeRange[] =>
  loadedAt < to ? [{ from: Math.max(from, loadedAt), to }] : []

/** Marks the chunks that a refresh loads again: those that can still grow or, of the whole period, all. */
export const withDue = <C>(chunks: readonly RangeChunk<C>[], period: TimeRange, isWhole: boolean): RangeChunk<C>[] =>
  withStale(chunks, period, (chunk) => canStillGrow(chunk) || (isWhole && overlaps(chunk, period)))

/** Marks the chunks as stale in which the moment was in the future when they were loaded. */
export const withFutureStale = <C>(chunks: readonly RangeChunk<C>[], at: number): RangeChunk<C>[] =>
  chunks.map((chunk) =>
    futureOf(chunk).some(({ from, to }) => from <= at && at < to) ? { ...chunk, isStale: true } : chunk,
  )

/** Joins ranges that touch or overlap. */
export function joinedRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const all: TimeRange[] = []
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) }
    else all.push({ from, to })
  }
  return all
}

/** The former list if the new one equals it, as after most refreshes: what was drawn of it needn't be drawn again. */
export const keptIfSame = <T>(
  before: readonly T[],
  after: readonly T[],
  isSame: (one: T, other: T | undefined) => boolean,
): readonly T[] =>
  before.length === after.length && after.every((item, index) => isSame(item, before[index])) ? before : after
