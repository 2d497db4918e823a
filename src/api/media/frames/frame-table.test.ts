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
  test('is the last one that began before it', () => {
    const table = twoSegments()
    expect([10, 10.03, 10.04, 10.5, 11.999].map((time) => table.at(time)?.toFixed(3))).toEqual([
      '10.000',
      '10.000',
      '10.040',
      '10.480',
      '11.960',
    ])
  })
  test('is found from a time that is rounded down by a millisecond', () => {
    expect(twoSegments().at(10.999)?.toFixed(3)).toBe('11.000')
  })
  test('is unknown outside the known segments, and after clear', () => {
    const table = twoSegments()
    expect([table.at(9.9), table.at(12.1)]).toEqual([undefined, undefined])
    table.clear()
    expect(table.at(10.5)).toBeUndefined()
  })
})

test('a segment whose first frame comes after its start, as it is decoded before, lasts as much longer', () => {
  const table = createFrameTable()
  expect(table.leadAt(10)).toBe(0)
  table.put({ start: 10, duration: 1, offsets: frames(25) })
  table.put({ start: 11, duration: 1, offsets: frames(25).map((offset) => offset + 0.08) })
  table.put({ start: 12, duration: 1, offsets: frames(25).map((offset) => offset + 0.08) })
  expect([12.05, 12.08].map((time) => table.at(time)?.toFixed(3))).toEqual(['12.040', '12.080'])
  expect([table.before(12.08), table.before(12.04), table.after(12.04)].map((time) => time?.toFixed(3))).toEqual([
    '12.040',
    '12.000',
    '12.080',
  ])
  expect([10.5, 11.5, 99].map((time) => table.leadAt(time))).toEqual([0, 0.08, 0.08])
})

test('the rate is that of the frames in the segment at a time', () => {
  const table = twoSegments()
  table.put({ start: 12, duration: 0.5, offsets: frames(6, 12) })
  table.put({ start: 12.5, duration: 1, offsets: [0] })
  expect([10.5, 12.1, 12.6, 99].map((time) => table.rateAt(time)?.toFixed(3))).toEqual([
    '25.000',
    '12.000',
    '1.000',
    undefined,
  ])
})

describe('the frames beside a frame', () => {
  test('are in the next segment at a border', () => {
    const table = twoSegments()
    expect(table.after(10.96)?.toFixed(3)).toBe('11.000')
    expect(table.before(11)?.toFixed(3)).toBe('10.960')
  })
  test('have the distance that the segment says', () => {
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
  test("aren't taken across a gap", () => {
    const table = createFrameTable()
    table.put({ start: 0, duration: 1, offsets: [0, 0.5] })
    table.put({ start: 5, duration: 1, offsets: [0, 0.5] })
    expect([table.after(0.5), table.before(5)]).toEqual([undefined, undefined])
  })
})

test('a segment replaces an earlier one at its start, and the oldest ones are dropped', () => {
  const table = createFrameTable()
  table.put({ start: 0, duration: 1, offsets: [0, 0.5] })
  table.put({ start: 0, duration: 1, offsets: [0, 0.25] })
  expect(table.after(0)).toBe(0.25)
  for (let start = 1; start <= 600; start += 1) table.put({ start, duration: 1, offsets: [0] })
  expect([table.at(0), table.at(600)]).toEqual([undefined, 600])
})
