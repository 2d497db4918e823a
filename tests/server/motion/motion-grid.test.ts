import { expect, test } from 'vitest'
import { packSamples, readLevels } from '../../../server/motion/grid-record.ts'
import {
  cellCount,
  cellsIn,
  columns,
  createGridComparison,
  pointColumns,
  pointCount,
} from '../../../server/motion/grid.ts'
import { joinHits, uncovered, type Hit } from '../../../server/motion/hits.ts'
import { minLevel } from '../../../server/motion/search.ts'
import { hitsBySize } from '../../../server/motion/sizes.ts'

const picture = (luma: number, change: (x: number, y: number) => number = () => 0): Uint8Array =>
  Uint8Array.from({ length: pointCount }, (_, at) => luma + change(at % pointColumns, Math.floor(at / pointColumns)))
/** Brighter in the points of the third cell of the second row. */
const inCell =
  (difference: number) =>
  (x: number, y: number): number =>
    x >= 8 && x < 12 && y >= 4 && y < 8 ? difference : 0
const cell = columns + 2
const moved = (levels: Uint8Array | undefined): [number, number][] =>
  [...(levels ?? [])].flatMap((level, index): [number, number][] => (level === 0 ? [] : [[index, level]]))

test('a cell whose points change has motion; a change of the whole picture or of a single point has none', () => {
  const grid = createGridComparison()
  expect(grid.next(picture(80))).toBeUndefined()
  expect(moved(grid.next(picture(80, inCell(40))))).toEqual([[cell, 12]])
  expect(moved(grid.next(picture(95, inCell(40))))).toEqual([])
  expect(moved(grid.next(picture(95, (x, y) => inCell(40)(x, y) + (x === 30 && y === 20 ? 90 : 0))))).toEqual([])
  expect(moved(grid.next(picture(95)))).toEqual([[cell, 12]])
  grid.restart()
  expect(grid.next(picture(20))).toBeUndefined()
})

test('a cell that never rests becomes background, and counts again after it has rested', () => {
  const grid = createGridComparison()
  const flicker = (on: boolean) => moved(grid.next(picture(80, inCell(on ? 20 : 0))))
  flicker(false)
  expect(flicker(true)).toEqual([[cell, 6]])
  for (let count = 0; count < 300; count += 1) flicker(count % 2 === 0)
  expect(flicker(true)).toEqual([])
  for (let count = 0; count < 20; count += 1) flicker(true)
  expect(flicker(false)).toEqual([[cell, 6]])
})

test('an area has the cells that it covers by a quarter, and always that of its centre', () => {
  expect(cellsIn({ x: 0, y: 0, w: 1, h: 1 })).toHaveLength(cellCount)
  expect(cellsIn({ x: 2 / 16, y: 1 / 9, w: 1 / 16, h: 1 / 9 })).toEqual([cell])
  expect(cellsIn({ x: 2.4 / 16, y: 1.4 / 9, w: 0.01, h: 0.01 })).toEqual([cell])
  expect(cellsIn({ x: 2 / 16, y: 1 / 9, w: 1.2 / 16, h: 1 / 9 })).toEqual([cell])
  expect(cellsIn({ x: 1, y: 1, w: 0, h: 0 })).toEqual([cellCount - 1])
})

test('the samples of a chunk are packed and read again, for some cells; broken records have none', () => {
  const levels = new Uint8Array(cellCount)
  levels[cell] = 12
  levels[cell + 1] = 3
  const start = Date.parse('2026-11-21T08:00:00.000Z')
  const samples = [
    { from: start - 2000, to: start, levels },
    { from: start, to: start + 2040, levels: new Uint8Array(cellCount) },
  ]
  const packed = packSamples(samples, start)
  const read = (cells: number[], bytes: Uint8Array = packed) => {
    const found: [number, number, number][] = []
    return { isRead: readLevels(bytes, start, cells, (...one) => found.push(one)), found }
  }
  const two = (level: number) => ({
    isRead: true,
    found: [
      [start - 2000, start, level],
      [start, start + 2040, 0],
    ],
  })
  expect([read([cell, cell + 1]), read([cell + 1]), read([0])]).toEqual([two(12), two(3), two(0)])
  expect(packSamples([], start).length).toBeLessThan(20)
  expect(read([0], packSamples([], start))).toEqual({ isRead: true, found: [] })
  for (const broken of [new Uint8Array(), packed.subarray(0, 8), Buffer.from('hello')])
    expect(read([0], broken)).toEqual({ isRead: false, found: [] })
})

test('neighbours become one range; what no range covers is left over', () => {
  const hit = (from: number, to: number, score: number, source: Hit['source'] = 'picture'): Hit => ({
    from,
    to,
    score,
    source,
  })
  const joined: Hit[] = []
  joinHits(joined, [hit(5000, 7000, 0.4), hit(0, 2000, 0.2), hit(2000, 4000, 0.6)])
  joinHits(joined, [hit(9000, 9500, 0.1), hit(9500, 9900, 1, 'size'), hit(20_000, 22_000, 0.1, 'size')])
  expect(joined).toEqual([hit(0, 9500, 0.6), hit(9500, 9900, 1, 'size'), hit(20_000, 22_000, 0.1, 'size')])
  const covered = [
    { from: 10, to: 20 },
    { from: 15, to: 40 },
    { from: 43, to: 60 },
  ]
  expect(uncovered({ from: 0, to: 100 }, covered, 5)).toEqual([
    { from: 0, to: 10 },
    { from: 60, to: 100 },
  ])
  expect(uncovered({ from: 12, to: 30 }, covered, 5)).toEqual([])
})

test('segments far above the usual size of their run have motion', () => {
  const segments = Array.from({ length: 20 }, (_, index) => ({
    start: index * 2000,
    finish: index * 2000 + 2000,
    duration: 2,
    bytes: index === 7 ? 1500 : index === 12 ? 1200 : 1000,
    run: 1,
  }))
  const starts = (sensitivity: number) => hitsBySize(segments, sensitivity).map(({ from, score }) => [from, score])
  expect([starts(1), starts(60), starts(100)]).toEqual([[], [[14_000, 0.5]], [[14_000, 0.5], expect.anything()]])
  expect(hitsBySize(segments.slice(0, 5), 100)).toEqual([])
  const end = { start: 40_000, finish: 40_200, duration: 0.2, bytes: 900, run: 1 }
  expect(hitsBySize([...segments, end], 60)).toHaveLength(1)
  expect(hitsBySize([...segments, end, { ...end, start: 40_200, finish: 42_200, duration: 2 }], 60)).toHaveLength(2)
  expect(
    hitsBySize(
      segments.map((each) => ({ ...each, bytes: 0 })),
      100,
    ),
  ).toEqual([])
})

test('the lower the sensitivity, the higher the level that counts', () => {
  expect([100, 75, 50, 25, 1].map(minLevel)).toEqual([1, 3, 5, 7, 9])
})
