import { expect, test } from 'vitest'
import { createInitSegmentWatch } from './media-source-faults.ts'

const rangesOf = (...ranges: [number, number][]): TimeRanges => ({
  length: ranges.length,
  start: (index) => ranges[index]?.[0] ?? Number.NaN,
  end: (index) => ranges[index]?.[1] ?? Number.NaN,
})

/** How often a watch reports a video with these buffered ranges, in so many checks, four a second. */
const faultsOf = (buffered: TimeRanges, segments: number, checks = 40): number => {
  const watch = createInitSegmentWatch()
  return Array.from({ length: checks }, (_, index) =>
    watch.hasLostInitSegment({ buffered, currentTime: 0 }, segments, index * 250),
  ).filter(Boolean).length
}

test('reports once that segments arrive and nothing is buffered', () => {
  expect(faultsOf(rangesOf(), 3)).toBe(1)
})
test('reports nothing before segments arrive, within 600 ms, or while something is buffered', () => {
  expect([faultsOf(rangesOf(), 2), faultsOf(rangesOf(), 3, 3), faultsOf(rangesOf([0, 10]), 20)]).toEqual([0, 0, 0])
})

test('segments before a seek that empties the buffer do not count', () => {
  const watch = createInitSegmentWatch()
  const checks: [number, TimeRanges][] = [
    [6, rangesOf([0, 10])],
    [6, rangesOf()],
    [8, rangesOf()],
    [8, rangesOf()],
    [9, rangesOf([1800, 1804])],
  ]
  expect(
    checks.map(([segments, buffered], index) =>
      watch.hasLostInitSegment({ buffered, currentTime: 0 }, segments, index * 1000),
    ),
  ).not.toContain(true)
})

test('reports segments after a seek that are not buffered', () => {
  const watch = createInitSegmentWatch()
  const checks: [number, TimeRanges][] = [
    [6, rangesOf([0, 10])],
    [9, rangesOf()],
    [9, rangesOf()],
  ]
  expect(
    checks.map(([segments, buffered], index) =>
      watch.hasLostInitSegment({ buffered, currentTime: 0 }, segments, index * 1000),
    ),
  ).toEqual([false, false, true])
})

test('each source counts from its own start', () => {
  const watch = createInitSegmentWatch()
  const checks: [number, TimeRanges][] = [
    [20, rangesOf([0, 10])],
    [0, rangesOf()],
    [3, rangesOf()],
    [3, rangesOf()],
  ]
  expect(
    checks.map(([segments, buffered], index) =>
      watch.hasLostInitSegment({ buffered, currentTime: 0 }, segments, index * 1000),
    ),
  ).toEqual([false, false, false, true])
})

test('a seek restarts the count even if the buffer was empty at both checks', () => {
  const watch = createInitSegmentWatch()
  const checks: [number, number][] = [
    [3, 0],
    [3, 1800],
    [5, 1800],
    [5, 1800],
  ]
  expect(
    checks.map(([segments, currentTime], index) =>
      watch.hasLostInitSegment({ buffered: rangesOf(), currentTime }, segments, index * 500),
    ),
  ).not.toContain(true)
})
