import type { Period } from './timeline-geometry.ts'

/** One answer kept: what the server said of `from`…`to` when it was `loadedAt` (epoch ms). */
export type Tile<C> = Period & { readonly content: C; readonly loadedAt: number; readonly isStale: boolean }

/** The server may still add to the end of what it has recorded for this long. */
const settling = 120_000
const mostTiles = 600

/** Stretches of `length` that together cover the period, on a grid that doesn't depend on it, so that tiles can be kept. */
export function cellsOver({ from, to }: Period, length: number): Period[] {
  const cells: Period[] = []
  for (let start = Math.floor(from / length) * length; start < to; start += length) cells.push({ from: start, to: start + length })
  return cells
}

function withMargins({ from, to }: Period): Period {
  const margin = (to - from) / 4
  return { from: from - margin, to: to + margin }
}

/**
 * What to ask for, the most urgent first: the cell that is sought, the visible ones from the middle outwards, then a
 * quarter of the period to each side. Nothing is asked of the future.
 */
export function wantedCells(period: Period, length: number, now: number, sought: number | null): Period[] {
  const middle = (period.from + period.to) / 2
  const distance = (cell: Period) => Math.abs((cell.from + cell.to) / 2 - middle)
  const nearestFirst = (cells: Period[]) => cells.toSorted((a, b) => distance(a) - distance(b))
  const visible = cellsOver(period, length)
  const around = cellsOver(withMargins(period), length).filter(
    ({ from }) => !visible.some((cell) => cell.from === from),
  )
  const first = sought === null ? [] : cellsOver({ from: sought, to: sought + 1 }, length)
  return [...first, ...nearestFirst(visible), ...nearestFirst(around)].filter(({ from }) => from >= 0 && from <= now)
}

/** The cells that no fresh tile covers. */
export const missingCells = <C>(cells: readonly Period[], tiles: readonly Tile<C>[]): Period[] =>
  cells.filter((cell) => !tiles.some((tile) => !tile.isStale && tile.from <= cell.from && tile.to >= cell.to))

/** Adds tiles; older ones inside them go, and beyond 600 those farthest from the period. */
export function withTiles<C>(tiles: readonly Tile<C>[], added: readonly Tile<C>[], period: Period): Tile<C>[] {
  const kept = tiles.filter((tile) => !added.some(({ from, to }) => from <= tile.from && tile.to <= to))
  const all = [...kept, ...added]
  if (all.length <= mostTiles) return all
  const middle = (period.from + period.to) / 2
  const distance = (tile: Period) => Math.abs((tile.from + tile.to) / 2 - middle)
  return all.toSorted((a, b) => distance(a) - distance(b)).slice(0, mostTiles)
}

/** Marks the tiles in and around the period that `isOutdated` as stale: they stay until a new answer takes their place. */
export function staled<C>(tiles: readonly Tile<C>[], period: Period, isOutdated: (tile: Tile<C>) => boolean): Tile<C>[] {
  const { from, to } = withMargins(period)
  return tiles.map((tile) => (tile.from < to && from < tile.to && isOutdated(tile) ? { ...tile, isStale: true } : tile))
}

/** Whether what the tile says of its end was said before the server could know it. */
export const canStillGrow = ({ to, loadedAt }: Tile<unknown>): boolean => loadedAt < to + settling

/** The stretches that periods cover together, in order. */
export function joined(periods: readonly Period[]): Period[] {
  const all: Period[] = []
  for (const { from, to } of periods.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) }
    else all.push({ from, to })
  }
  return all
}
