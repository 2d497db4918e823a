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

test('segments of which nothing is held have lost their head; it is reported once', () => {
  expect(faultsOf(held(), 3)).toBe(1)
})
test('nothing is wrong before segments came, for half a second after, or while something is held', () => {
  expect([faultsOf(held(), 2), faultsOf(held(), 3, 3), faultsOf(held([0, 10]), 20)]).toEqual([0, 0, 0])
})

test('a seek that empties the buffer loses nothing: what came before it counts no more', () => {
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

test('what comes after a seek and is not held has lost its head', () => {
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

test('a source that is loaded anew counts from its own start', () => {
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

test('a seek begins the count again, though the buffer was seen empty before and after it alone', () => {
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
