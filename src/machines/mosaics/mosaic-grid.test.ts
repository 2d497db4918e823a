import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Grid,
  added,
  grown,
  inOrder,
  keyOf,
  moved,
  maxTiles,
  namedTiles,
  placed,
  refitted,
  removed,
  resized,
  tileAt,
} from './mosaic-grid.ts'

const empty = (columns: number, rows: number): Grid => ({ columns, rows, cells: [] })
const two = added(added(empty(2, 2), 'a'), 'b')

test('streams fill the free cells row by row, and no more than there are', () => {
  const full = ['a', 'b', 'c'].reduce(added, empty(2, 1))
  expect(full.cells).toEqual([
    { streamUid: 'a', x: 0, y: 0, w: 1, h: 1 },
    { streamUid: 'b', x: 1, y: 0, w: 1, h: 1 },
  ])
})

test('a full grid grows to the next preset for another stream, up to the largest', () => {
  const full = ['a', 'b', 'c', 'd'].reduce(added, empty(2, 2))
  expect(grown(two, 'c')).toEqual(added(two, 'c'))
  expect(grown(full, 'e')).toEqual({
    columns: 3,
    rows: 2,
    cells: [...full.cells, { streamUid: 'e', x: 2, y: 0, w: 1, h: 1 }],
  })
  const largest = Array.from({ length: maxTiles }, (_, index) => `${index}`).reduce(grown, empty(1, 1))
  expect([largest.columns, largest.rows, largest.cells.length]).toEqual([6, 6, maxTiles])
  expect(grown(largest, 'one more')).toBe(largest)
})

test('a tile keeps its name when it is moved, and when others are removed', () => {
  const twice = ['a', 'b', 'a'].reduce(added, empty(2, 2))
  const [first, , last] = twice.cells
  if (first === undefined || last === undefined) throw new Error('no tiles')
  expect(namedTiles(twice).map(({ name }) => name)).toEqual(['0.a', '0.b', '1.a'])
  expect(namedTiles(moved(twice, first, 1, 0))[0]).toEqual({ name: '0.a', tile: { ...first, x: 1 } })
  expect(namedTiles(removed(twice, last)).map(({ name }) => name)).toEqual(['0.a', '0.b'])
})

test('a stream put on a tile replaces it, with its position and size', () => {
  const wide = resized(added(empty(2, 2), 'a'), { streamUid: 'a', x: 0, y: 0, w: 1, h: 1 }, 2, 1)
  expect(placed(wide, 'b', 1, 0).cells).toEqual([{ streamUid: 'b', x: 0, y: 0, w: 2, h: 1 }])
})

test('tiles of the same size are swapped, and no tile moves over another', () => {
  const [a] = two.cells
  if (a === undefined) throw new Error('no tile')
  expect(moved(two, a, 1, 0).cells).toEqual([
    { streamUid: 'a', x: 1, y: 0, w: 1, h: 1 },
    { streamUid: 'b', x: 0, y: 0, w: 1, h: 1 },
  ])
  for (const same of [moved(two, a, 2, 0), moved(two, a, 0, 0), resized(two, a, 1, 1), refitted(two, two)])
    expect(same).toBe(two)
  expect(resized(two, a, 2, 1)).toBe(two)
  expect(moved(resized(two, a, 1, 2), { ...a, h: 2 }, 1, 0).cells).toEqual(resized(two, a, 1, 2).cells)
  expect(removed(two, a).cells.map(({ streamUid }) => streamUid)).toEqual(['b'])
})

test('tiles are counted row by row, wherever they came from', () => {
  const [a, b] = two.cells
  if (a === undefined || b === undefined) throw new Error('no tiles')
  expect(inOrder(moved(added(two, 'c'), a, 1, 1).cells).map(({ streamUid }) => streamUid)).toEqual(['b', 'c', 'a'])
  expect(inOrder(moved(two, a, 1, 0).cells).map(({ streamUid }) => streamUid)).toEqual(['b', 'a'])
})

test('a smaller grid keeps the tiles that fit and moves the others', () => {
  const row = ['a', 'b', 'c'].reduce(added, empty(3, 1))
  expect(refitted(row, { columns: 1, rows: 2 }).cells.map(keyOf)).toEqual(['0.0.1.1.a', '0.1.1.1.b'])
})

const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), uid: fc.string({ minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('move' as const),
    index: fc.nat(40),
    x: fc.integer({ min: -1, max: 12 }),
    y: fc.integer({ min: -1, max: 12 }),
  }),
  fc.record({
    kind: fc.constant('resize' as const),
    index: fc.nat(40),
    w: fc.integer({ min: 0, max: 12 }),
    h: fc.integer({ min: 0, max: 12 }),
  }),
  fc.record({
    kind: fc.constant('reline' as const),
    columns: fc.integer({ min: -2, max: 20 }),
    rows: fc.integer({ min: -2, max: 20 }),
  }),
)

test('after any edits, tiles are inside the grid, never overlap and are never too many', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const grid = steps.reduce<Grid>(
        (current, one) => {
          if (one.kind === 'add') return added(current, one.uid)
          if (one.kind === 'reline') return refitted(current, one)
          const tile = current.cells[one.index]
          if (tile === undefined) return current
          return one.kind === 'move' ? moved(current, tile, one.x, one.y) : resized(current, tile, one.w, one.h)
        },
        empty(3, 3),
      )
      const covered = grid.cells.reduce((sum, { w, h }) => sum + w * h, 0)
      const tiles = Array.from({ length: grid.columns * grid.rows }, (_, index) =>
        tileAt(grid, index % grid.columns, Math.floor(index / grid.columns)),
      )
      expect(tiles.filter((tile) => tile !== undefined)).toHaveLength(covered)
      expect(grid.cells.length).toBeLessThanOrEqual(maxTiles)
    }),
  )
})
