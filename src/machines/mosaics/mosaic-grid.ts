/** The grid of a mosaic: whole columns and rows, tiles that never overlap (docs/wire.md §5.5, mosaic). */

export interface Tile {
  streamUid: string
  x: number
  y: number
  w: number
  h: number
}

export interface Grid {
  columns: number
  rows: number
  cells: readonly Tile[]
}

export const maxTiles = 36
const maxLines = 12

export const presets: readonly { columns: number; rows: number }[] = [
  { columns: 1, rows: 1 },
  { columns: 2, rows: 1 },
  { columns: 2, rows: 2 },
  { columns: 3, rows: 2 },
  { columns: 3, rows: 3 },
  { columns: 4, rows: 3 },
  { columns: 4, rows: 4 },
  { columns: 5, rows: 5 },
  { columns: 6, rows: 6 },
]

export type TileKey = `${number}.${string}`

export const keyOf = ({ x, y, w, h, streamUid }: Tile): TileKey => `${x}.${y}.${w}.${h}.${streamUid}`

/** Tiles by names that outlive their moves: the stream of each, and which of that stream's tiles it is. */
export function namedTiles({ cells }: Grid): { name: string; tile: Tile }[] {
  const seen = new Map<string, number>()
  return cells.map((tile) => {
    const turn = seen.get(tile.streamUid) ?? 0
    seen.set(tile.streamUid, turn + 1)
    return { name: `${turn}.${tile.streamUid}`, tile }
  })
}

export const inOrder = <T extends Tile>(cells: readonly T[]): T[] =>
  cells.toSorted((one, other) => one.y - other.y || one.x - other.x)

const overlaps = (one: Tile, other: Tile): boolean =>
  one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h

const fits = ({ columns, rows }: Grid, { x, y, w, h }: Tile): boolean =>
  x >= 0 && y >= 0 && w >= 1 && h >= 1 && x + w <= columns && y + h <= rows

export const tileAt = ({ cells }: Grid, x: number, y: number): Tile | undefined =>
  cells.find((tile) => overlaps(tile, { streamUid: '', x, y, w: 1, h: 1 }))

/** The tiles on a grid of another size: tiles that don't fit go to the first free cells; drops the rest. */
export function refitted(grid: Grid, { columns, rows }: { columns: number; rows: number }): Grid {
  const lines = { columns: bounded(columns), rows: bounded(rows), cells: [] }
  if (lines.columns === grid.columns && lines.rows === grid.rows) return grid
  const kept = grid.cells.filter((tile) => fits(lines, tile))
  const others = grid.cells.filter((tile) => !fits(lines, tile))
  return others.reduce<Grid>((next, { streamUid }) => added(next, streamUid), { ...lines, cells: kept })
}

const bounded = (lines: number) => Math.min(maxLines, Math.max(1, Math.round(lines) || 1))

export function added(grid: Grid, streamUid: string): Grid {
  for (let y = 0; y < grid.rows; y += 1) {
    for (let x = 0; x < grid.columns; x += 1) {
      if (tileAt(grid, x, y) === undefined) return placed(grid, streamUid, x, y)
    }
  }
  return grid
}

/** Adds a stream in the first free cell, on the next larger preset if need be; unchanged at the largest. */
export function grown(grid: Grid, streamUid: string): Grid {
  const larger = presets.filter(({ columns, rows }) => columns >= grid.columns && rows >= grid.rows)
  const fitting = [grid, ...larger.map((lines) => refitted(grid, lines))].find((one) => added(one, streamUid) !== one)
  return fitting === undefined ? grid : added(fitting, streamUid)
}

export function placed(grid: Grid, streamUid: string, x: number, y: number): Grid {
  const there = tileAt(grid, x, y)
  if (there !== undefined) return replaced(grid, there, { ...there, streamUid })
  const tile = { streamUid, x, y, w: 1, h: 1 }
  if (!fits(grid, tile) || grid.cells.length >= maxTiles) return grid
  return { ...grid, cells: [...grid.cells, tile] }
}

export const removed = (grid: Grid, tile: Tile): Grid => ({
  ...grid,
  cells: grid.cells.filter((one) => keyOf(one) !== keyOf(tile)),
})

/** Swaps cells with a tile of the same size; where anything else is in the way, nothing changes. */
export function moved(grid: Grid, tile: Tile, x: number, y: number): Grid {
  const target = { ...tile, x, y }
  if (!fits(grid, target)) return grid
  const inTheWay = grid.cells.filter((one) => keyOf(one) !== keyOf(tile) && overlaps(one, target))
  const [other] = inTheWay
  if (other === undefined) return replaced(grid, tile, target)
  if (inTheWay.length > 1 || other.w !== tile.w || other.h !== tile.h || other.x !== x || other.y !== y) return grid
  return {
    ...grid,
    cells: grid.cells.map((one) =>
      one === other ? { ...other, x: tile.x, y: tile.y } : keyOf(one) === keyOf(tile) ? target : one,
    ),
  }
}

/** The grid with a tile of another size; the same grid where it would not fit or would cover another. */
export function resized(grid: Grid, tile: Tile, w: number, h: number): Grid {
  const target = { ...tile, w, h }
  const isFree = !grid.cells.some((one) => keyOf(one) !== keyOf(tile) && overlaps(one, target))
  return fits(grid, target) && isFree ? replaced(grid, tile, target) : grid
}

const replaced = (grid: Grid, tile: Tile, next: Tile): Grid =>
  keyOf(tile) === keyOf(next)
    ? grid
    : { ...grid, cells: grid.cells.map((one) => (keyOf(one) === keyOf(tile) ? next : one)) }
