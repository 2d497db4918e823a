import { expect, test } from 'vitest'
import { markOf, type Mark } from './annotations.ts'
import { marksWithin, nearest, rowsOf, typesOf } from './timeline-lists.ts'

const mark = (type: string, time: number, timeEnd?: number): Mark =>
  markOf({ type, time, ...(timeEnd === undefined ? {} : { timeEnd }) })

test('marks of a period are those that touch it', () => {
  const marks = [
    mark('event', 0, 10),
    mark('status', 5, 25),
    mark('event', 20),
    mark('event', 30, 90),
    mark('event', 31),
  ]
  expect(marksWithin(marks, { from: 20, to: 30 })).toEqual([marks[1], marks[2], marks[3]])
  expect(marksWithin([], { from: 20, to: 30 })).toEqual([])
})

test('a mark of several days is found on each of them', () => {
  const day = 24 * 3_600_000
  const marks = [mark('status', 0, 5 * day), mark('event', day, day + 1000), mark('event', 4 * day)]
  expect(marksWithin(marks, { from: 3 * day, to: 3.5 * day })).toEqual([marks[0]])
  expect(marksWithin(marks, { from: 5 * day, to: 6 * day })).toEqual([marks[0]])
  expect(marksWithin(marks, { from: 5 * day + 1, to: 6 * day })).toEqual([])
})

test('types are counted, events first, then the frequent before the rare', () => {
  const marks = [mark('status', 1), mark('motion', 2), mark('motion', 3), mark('event', 4), mark('line', 5)]
  expect(typesOf(marks)).toEqual([
    { type: 'event', isEvent: true, count: 1 },
    { type: 'motion', isEvent: false, count: 2 },
    { type: 'line', isEvent: false, count: 1 },
    { type: 'status', isEvent: false, count: 1 },
  ])
})

test('the nearest one is at the playhead until it ends, or seconds after a point in time', () => {
  const marks = [mark('a', 0, 60_000), mark('b', 10_000), mark('c', 30_000, 31_000)]
  const found = (at: number | null) => Object.values(nearest(marks, at))
  expect([null, -1, 0, 10_000, 15_000, 15_001, 30_500, 60_000, 60_001].map(found)).toEqual([
    [-1, false],
    [-1, false],
    [0, true],
    [1, true],
    [1, true],
    [0, true],
    [2, true],
    [0, true],
    [2, false],
  ])
})

test('each day has a head', () => {
  const ranges = [mark('a', 10), mark('b', 20), mark('c', 110)]
  expect(rowsOf(ranges, (at) => Math.floor(at / 100))).toEqual([
    { kind: 'day', at: 10 },
    { kind: 'range', range: ranges[0], index: 0, key: '10 0' },
    { kind: 'range', range: ranges[1], index: 1, key: '20 0' },
    { kind: 'day', at: 110 },
    { kind: 'range', range: ranges[2], index: 2, key: '110 0' },
  ])
})

test('the key of a range stays when one before it comes, also beside one that begins with it', () => {
  const ranges = [mark('a', 10), mark('b', 20), mark('c', 20)]
  const keys = (of: readonly Mark[]) => rowsOf(of, () => 1).flatMap((row) => (row.kind === 'range' ? [row.key] : []))
  expect([keys(ranges), keys(ranges.slice(1))]).toEqual([
    ['10 0', '20 0', '20 1'],
    ['20 0', '20 1'],
  ])
})
