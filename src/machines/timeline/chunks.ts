import type { TimeRange } from '../../api/contract/time-range.ts'

/** A cached answer of the server for `from`…`to`, loaded at `loadedAt` (epoch ms). */
export type RangeChunk<C> = TimeRange & { readonly content: C; readonly loadedAt: number; readonly isStale: boolean }

/** The end of the recorded time may still change for this long. */
const settlingMs = 120_000
const maxChunks = 600

/** Cells of `length` that cover the period, on a fixed grid so that other periods can reuse them. */
export function cellsOver({ from, to }: TimeRange, length: number): TimeRange[] {
  const cells: TimeRange[] = []
  for (let start = Math.floor(from / length) * length; start < to; start += length)
    cells.push({ from: start, to: start + length })
  return cells
}

function withMargins({ from, to }: TimeRange): TimeRange {
  const margin = (to - from) / 4
  return { from: from - margin, to: to + margin }
}

/**
 * The sought cell, then the visible ones from the middle out, then a quarter of the period on each side; none of the
 * future.
 */
export function neededCells(period: TimeRange, length: number, now: number, sought: number | null): TimeRange[] {
  const middle = (period.from + period.to) / 2
  const distance = (cell: TimeRange) => Math.abs((cell.from + cell.to) / 2 - middle)
  const nearestFirst = (cells: TimeRange[]) => cells.toSorted((a, b) => distance(a) - distance(b))
  const visible = cellsOver(period, length)
  const around = cellsOver(withMargins(period), length).filter(
    ({ from }) => !visible.some((cell) => cell.from === from),
  )
  const first = sought === null ? [] : cellsOver({ from: sought, to: sought + 1 }, length)
  return [...first, ...nearestFirst(visible), ...nearestFirst(around)].filter(({ from }) => from >= 0 && from <= now)
}

export const missingCells = <C>(cells: readonly TimeRange[], chunks: readonly RangeChunk<C>[]): TimeRange[] =>
  cells.filter((cell) => !chunks.some((chunk) => !chunk.isStale && chunk.from <= cell.from && chunk.to >= cell.to))

export function withChunks<C>(
  chunks: readonly RangeChunk<C>[],
  added: readonly RangeChunk<C>[],
  period: TimeRange,
): RangeChunk<C>[] {
  const kept = chunks.filter((chunk) => !added.some(({ from, to }) => from <= chunk.from && chunk.to <= to))
  const all = [...kept, ...added]
  if (all.length <= maxChunks) return all
  const middle = (period.from + period.to) / 2
  const distance = (chunk: TimeRange) => Math.abs((chunk.from + chunk.to) / 2 - middle)
  return all.toSorted((a, b) => distance(a) - distance(b)).slice(0, maxChunks)
}

export function withStale<C>(
  chunks: readonly RangeChunk<C>[],
  period: TimeRange,
  isOutdated: (chunk: RangeChunk<C>) => boolean,
): RangeChunk<C>[] {
  const { from, to } = withMargins(period)
  return chunks.map((chunk) =>
    chunk.from < to && from < chunk.to && isOutdated(chunk) ? { ...chunk, isStale: true } : chunk,
  )
}

/** Whether the chunk was loaded before its end was final. */
export const canStillGrow = ({ to, loadedAt }: RangeChunk<unknown>): boolean => loadedAt < to + settlingMs

/** Joins ranges that touch or overlap. */
export function joined(periods: readonly TimeRange[]): TimeRange[] {
  const all: TimeRange[] = []
  for (const { from, to } of periods.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) }
    else all.push({ from, to })
  }
  return all
}
