import { expect, test } from 'vitest'
import { createHeadWatch } from './media-source-faults.ts'

const held = (...ranges: [number, number][]): TimeRanges => ({
  length: ranges.length,
  start: (index) => ranges[index]?.[0] ?? Number.NaN,
  end: (index) => ranges[index]?.[1] ?? Number.NaN,
})

/** How often a watch tells of a video that holds this, looked at four times a second. */
const told = (buffered: TimeRanges, segments: number, looks = 40): number => {
  const watch = createHeadWatch()
  return Array.from({ length: looks }, (_, update) => watch.losesHeads({ buffered }, segments, update * 250)).filter(
    Boolean,
  ).length
}

test('segments of which nothing is held have lost their head; it is told once', () => {
  expect(told(held(), 3)).toBe(1)
})
test('nothing is wrong before segments came, for half a second after, or while something is held', () => {
  expect([told(held(), 2), told(held(), 3, 3), told(held([0, 10]), 20)]).toEqual([0, 0, 0])
})
