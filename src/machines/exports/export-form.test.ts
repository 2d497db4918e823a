import { expect, test } from 'vitest'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { cutAtNow, exportParts, type ExportValues, problemOf, splitFactsOf } from './export-form.ts'

const hour = 3_600_000
const limits = { maxSeconds: 3600, chunkMs: 3 * hour, maxItems: 3 }
const valuesOf = (...ranges: readonly TimeRange[]): ExportValues => ({
  items: ranges.map((range) => ({ uid: 'gate', ...range })),
  note: '',
  overlay: false,
  timezone: 'UTC',
})

test('a long range has equal parts, of which those without recordings are left out', () => {
  const recorded = { type: 'fragment', from: 0, to: 0.5 * hour } as const
  expect(splitFactsOf([recorded], { from: 0, to: 1.5 * hour }, limits)).toEqual({
    recordedMs: 0.5 * hour,
    gaps: 1,
    gapMs: hour,
    parts: [{ from: 0, to: 0.75 * hour }],
  })
})

test('a range of more parts than an export may have stays whole, and is refused', () => {
  const parts = [2.5, 3, 3.1].map((hours) => exportParts({ from: 0, to: hours * hour }, limits))
  expect(parts.map(({ length }) => length)).toEqual([3, 3, 1])
  expect(parts.map((some) => problemOf(valuesOf(...some), limits))).toEqual([null, null, 'rangeTooLong'])
})

test('an end in the future is cut, but not one less than a second ahead, nor that of a range in the future', () => {
  const cut = [hour + 1001, hour + 1000, hour - 1].map((to) => cutAtNow({ from: 0, to }, hour))
  expect([...cut, cutAtNow({ from: hour, to: 3 * hour }, hour)]).toEqual([
    { range: { from: 0, to: hour }, cutAt: hour },
    { range: { from: 0, to: hour + 1000 }, cutAt: null },
    { range: { from: 0, to: hour - 1 }, cutAt: null },
    { range: { from: hour, to: 3 * hour }, cutAt: null },
  ])
})

test('an export of nothing and one of too many parts are refused', () => {
  const part = { from: 0, to: hour }
  expect([[], [part], [part, part, part, part]].map((some) => problemOf(valuesOf(...some), limits))).toEqual([
    'empty',
    null,
    'tooManyFiles',
  ])
})
