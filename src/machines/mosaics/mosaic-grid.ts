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
const maxColumnsOrRows = 12

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

/** The tiles, named by stream uid and by number among that stream's tiles: moving a tile doesn't change its name. */
export function namedTiles({ cells }: Grid): { name: string; tile: Tile }[] {
  const counts = new Map<string, number>()
  return cells.map((tile) => {
    const number = counts.get(tile.streamUid) ?? 0
    counts.set(tile.streamUid, number + 1)
    return { name: `${number}.${tile.streamUid}`, tile }
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

/** The tiles on a grid of another size. A tile that doesn't fit moves to the first free cell, or is dropped. */
export function refitted(grid: Grid, { columns, rows }: { columns: number; rows: number }): Grid {
  const empty = { columns: bounded(columns), rows: bounded(rows), cells: [] }
  if (empty.columns === grid.columns && empty.rows === grid.rows) return grid
  const kept = grid.cells.filter((tile) => fits(empty, tile))
  const others = grid.cells.filter((tile) => !fits(empty, tile))
  return others.reduce<Grid>((next, { streamUid }) => added(next, streamUid), { ...empty, cells: kept })
}

const bounded = (count: number) => Math.min(maxColumnsOrRows, Math.max(1, Math.round(count) || 1))

export function added(grid: Grid, streamUid: string): Grid {
  for (let y = 0; y < grid.rows; y += 1) {
    for (let x = 0; x < grid.columns; x += 1) {
      if (tileAt(grid, x, y) === undefined) return placed(grid, streamUid, x, y)
    }
  }
  return grid
}

/** Adds a stream to the first free cell, if need be on the next larger preset; unchanged if the largest is full. */
export function grown(grid: Grid, streamUid: string): Grid {
  const larger = presets.filter(({ columns, rows }) => columns >= grid.columns && rows >= grid.rows)
  const sufficient = [grid, ...larger.map((size) => refitted(grid, size))].find((one) => added(one, streamUid) !== one)
  return sufficient === undefined ? grid : added(sufficient, streamUid)
}

/** Puts a stream into a cell, in place of the tile there. */
export function placed(grid: Grid, streamUid: string, x: number, y: number): Grid {
  const occupant = tileAt(grid, x, y)
  if (occupant !== undefined) return replaced(grid, occupant, { ...occupant, streamUid })
  const tile = { streamUid, x, y, w: 1, h: 1 }
  if (!fits(grid, tile) || grid.cells.length >= maxTiles) return grid
  return { ...grid, cells: [...grid.cells, tile] }
}

export const removed = (grid: Grid, tile: Tile): Grid => ({
  ...grid,
  cells: grid.cells.filter((one) => keyOf(one) !== keyOf(tile)),
})

/** Moves a tile, swapping it with a tile of the same size; unchanged if any other tile is in the way. */
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

/** Resizes a tile; unchanged if it wouldn't fit or would cover another. */
export function resized(grid: Grid, tile: Tile, w: number, h: number): Grid {
  const target = { ...tile, w, h }
  const isFree = !grid.cells.some((one) => keyOf(one) !== keyOf(tile) && overlaps(one, target))
  return fits(grid, target) && isFree ? replaced(grid, tile, target) : grid
}

const replaced = (grid: Grid, tile: Tile, next: Tile): Grid =>
  keyOf(tile) === keyOf(next)
    ? grid
    : { ...grid, cells: grid.cells.map((one) => (keyOf(one) === keyOf(tile) ? next : one)) }
