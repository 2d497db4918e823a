import { expect, test } from 'vitest'
import { timelineAnnotationOf, type TimelineAnnotation } from './annotations.ts'
import { annotationsWithin, nearest, rowsOf, typesOf } from './timeline-lists.ts'

const annotation = (type: string, time: number, timeEnd?: number): TimelineAnnotation =>
  timelineAnnotationOf({ type, time, ...(timeEnd === undefined ? {} : { timeEnd }) })

test('annotations of a period are those that touch it', () => {
  const annotations = [
    annotation('event', 0, 10),
    annotation('status', 5, 25),
    annotation('event', 20),
    annotation('event', 30, 90),
    annotation('event', 31),
  ]
  expect(annotationsWithin(annotations, { from: 20, to: 30 })).toEqual([annotations[1], annotations[2], annotations[3]])
  expect(annotationsWithin([], { from: 20, to: 30 })).toEqual([])
})

test('an annotation of several days is found on each of them', () => {
  const day = 24 * 3_600_000
  const annotations = [
    annotation('status', 0, 5 * day),
    annotation('event', day, day + 1000),
    annotation('event', 4 * day),
  ]
  expect(annotationsWithin(annotations, { from: 3 * day, to: 3.5 * day })).toEqual([annotations[0]])
  expect(annotationsWithin(annotations, { from: 5 * day, to: 6 * day })).toEqual([annotations[0]])
  expect(annotationsWithin(annotations, { from: 5 * day + 1, to: 6 * day })).toEqual([])
})

test('types are counted, events first, then the frequent before the rare', () => {
  const annotations = [
    annotation('status', 1),
    annotation('motion', 2),
    annotation('motion', 3),
    annotation('event', 4),
    annotation('line', 5),
  ]
  expect(typesOf(annotations)).toEqual([
    { type: 'event', isEvent: true, count: 1 },
    { type: 'motion', isEvent: false, count: 2 },
    { type: 'line', isEvent: false, count: 1 },
    { type: 'status', isEvent: false, count: 1 },
  ])
})

test('the nearest one is at the playhead until it ends, or seconds after a point in time', () => {
  const annotations = [annotation('a', 0, 60_000), annotation('b', 10_000), annotation('c', 30_000, 31_000)]
  const found = (at: number | null) => Object.values(nearest(annotations, at))
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
  const ranges = [annotation('a', 10), annotation('b', 20), annotation('c', 110)]
  expect(rowsOf(ranges, (at) => Math.floor(at / 100))).toEqual([
    { kind: 'day', at: 10 },
    { kind: 'range', range: ranges[0], index: 0, key: '10 0' },
    { kind: 'range', range: ranges[1], index: 1, key: '20 0' },
    { kind: 'day', at: 110 },
    { kind: 'range', range: ranges[2], index: 2, key: '110 0' },
  ])
})

test('the key of a range stays when one before it comes, also beside one that begins with it', () => {
  const ranges = [annotation('a', 10), annotation('b', 20), annotation('c', 20)]
  const keys = (of: readonly TimelineAnnotation[]) =>
    rowsOf(of, () => 1).flatMap((row) => (row.kind === 'range' ? [row.key] : []))
  expect([keys(ranges), keys(ranges.slice(1))]).toEqual([
    ['10 0', '20 0', '20 1'],
    ['20 0', '20 1'],
  ])
})
