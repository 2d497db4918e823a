import { expect, test } from 'vitest'
import type { TimeRange } from '../../api/contract/time-range.ts'
import { exportParts, type ExportValues, problemOf, splitFactsOf } from './export-form.ts'

const hour = 3_600_000
const limits = { maxSeconds: 3600, chunkMs: 3 * hour, maxItems: 3 }
const valuesOf = (...ranges: readonly TimeRange[]): ExportValues => ({
  items: ranges.map((range) => ({ uid: 'gate', ...range })),
  note: '',
  overlay: false,
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

test('an export of nothing and one of too many parts are refused', () => {
  const part = { from: 0, to: hour }
  expect([[], [part], [part, part, part, part]].map((some) => problemOf(valuesOf(...some), limits))).toEqual([
    'empty',
    null,
    'tooManyFiles',
  ])
})
