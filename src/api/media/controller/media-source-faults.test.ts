import { expect, test } from 'vitest'
import { createInitSegmentWatch } from './media-source-faults.ts'

const held = (...ranges: [number, number][]): TimeRanges => ({
  length: ranges.length,
  start: (index) => ranges[index]?.[0] ?? Number.NaN,
  end: (index) => ranges[index]?.[1] ?? Number.NaN,
})

/** How often a watch reports a video that holds this, checked four times a second. */
const faultsOf = (buffered: TimeRanges, segments: number, looks = 40): number => {
  const watch = createInitSegmentWatch()
  return Array.from({ length: looks }, (_, update) =>
    watch.hasLostInitSegment({ buffered, currentTime: 0 }, segments, update * 250),
  ).filter(Boolean).length
}

test('reports once that segments arrive and nothing is buffered', () => {
  expect(faultsOf(held(), 3)).toBe(1)
})
test('reports nothing before segments arrive, within 600 ms, or while something is buffered', () => {
  expect([faultsOf(held(), 2), faultsOf(held(), 3, 3), faultsOf(held([0, 10]), 20)]).toEqual([0, 0, 0])
})

test('segments before a seek that empties the buffer do not count', () => {
  const watch = createInitSegmentWatch()
  const looks: [number, TimeRanges][] = [
    [6, held([0, 10])],
    [6, held()],
    [8, held()],
    [8, held()],
    [9, held([1800, 1804])],
  ]
  expect(
    looks.map(([segments, buffered], look) =>
      watch.hasLostInitSegment({ buffered, currentTime: 0 }, segments, look * 1000),
    ),
  ).not.toContain(true)
})

test('reports segments after a seek that are not buffered', () => {
  const watch = createInitSegmentWatch()
  const looks: [number, TimeRanges][] = [
    [6, held([0, 10])],
    [9, held()],
    [9, held()],
  ]
  expect(
    looks.map(([segments, buffered], look) =>
      watch.hasLostInitSegment({ buffered, currentTime: 0 }, segments, look * 1000),
    ),
  ).toEqual([false, false, true])
})

test('each source counts from its own start', () => {
  const watch = createInitSegmentWatch()
  const looks: [number, TimeRanges][] = [
    [20, held([0, 10])],
    [0, held()],
    [3, held()],
    [3, held()],
  ]
  expect(
    looks.map(([segments, buffered], look) =>
      watch.hasLostInitSegment({ buffered, currentTime: 0 }, segments, look * 1000),
    ),
  ).toEqual([false, false, false, true])
})

test('a seek restarts the count even if the buffer was empty at both checks', () => {
  const watch = createInitSegmentWatch()
  const looks: [number, number][] = [
    [3, 0],
    [3, 1800],
    [5, 1800],
    [5, 1800],
  ]
  expect(
    looks.map(([segments, currentTime], look) =>
      watch.hasLostInitSegment({ buffered: held(), currentTime }, segments, look * 500),
    ),
  ).not.toContain(true)
})
