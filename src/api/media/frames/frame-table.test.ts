import { describe, expect, test } from 'vitest'
import { createFrameTable } from './frame-table.ts'

const frames = (count: number, fps = 25): number[] => Array.from({ length: count }, (_, index) => index / fps)

const twoSegments = () => {
  const table = createFrameTable()
  table.put({ start: 10, duration: 1, offsets: frames(25) })
  table.put({ start: 11, duration: 1, offsets: frames(25) })
  return table
}

describe('the frame at a time', () => {
  test('is the one that began last', () => {
    const table = twoSegments()
    expect([10, 10.03, 10.04, 10.5, 11.999].map((time) => table.at(time)?.toFixed(3))).toEqual([
      '10.000',
      '10.000',
      '10.040',
      '10.480',
      '11.960',
    ])
  })
  test('is its own, where a player rounded its time down by a millisecond', () => {
    expect(twoSegments().at(10.999)?.toFixed(3)).toBe('11.000')
  })
  test('is unknown outside what was noted, and after it was cleared', () => {
    const table = twoSegments()
    expect([table.at(9.9), table.at(12.1)]).toEqual([undefined, undefined])
    table.clear()
    expect(table.at(10.5)).toBeUndefined()
  })
})

describe('the frames beside a frame', () => {
  test('lie in the next segment at a border', () => {
    const table = twoSegments()
    expect(table.after(10.96)?.toFixed(3)).toBe('11.000')
    expect(table.before(11)?.toFixed(3)).toBe('10.960')
  })
  test('are as far apart as the segment says', () => {
    const table = createFrameTable()
    table.put({ start: 0, duration: 1, offsets: [0, 0.033, 0.5, 0.9] })
    expect([table.after(0), table.after(0.033), table.after(0.9), table.before(0.5), table.before(0)]).toEqual([
      0.033,
      0.5,
      undefined,
      0.033,
      undefined,
    ])
  })
  test("aren't taken from beyond a gap", () => {
    const table = createFrameTable()
    table.put({ start: 0, duration: 1, offsets: [0, 0.5] })
    table.put({ start: 5, duration: 1, offsets: [0, 0.5] })
    expect([table.after(0.5), table.before(5)]).toEqual([undefined, undefined])
  })
})

test('a segment noted again replaces what was known of it, and the oldest are forgotten', () => {
  const table = createFrameTable()
  table.put({ start: 0, duration: 1, offsets: [0, 0.5] })
  table.put({ start: 0, duration: 1, offsets: [0, 0.25] })
  expect(table.after(0)).toBe(0.25)
  for (let start = 1; start <= 600; start += 1) table.put({ start, duration: 1, offsets: [0] })
  expect([table.at(0), table.at(600)]).toEqual([undefined, 600])
})
