import { expect, test } from 'vitest'
import { markedRange, marksAfter, noMarks } from './in-out-marks.ts'

test.each([
  ['an in mark begins a range', { from: null, to: null }, { type: 'selection.inMarked', at: 5 }, { from: 5, to: null }],
  ['an out mark ends it', { from: 5, to: null }, { type: 'selection.outMarked', at: 9 }, { from: 5, to: 9 }],
  ['an in mark at the other one', { from: 5, to: 9 }, { type: 'selection.inMarked', at: 9 }, { from: 9, to: null }],
  ['an out mark at the other one', { from: 5, to: 9 }, { type: 'selection.outMarked', at: 5 }, { from: null, to: 5 }],
  ['a range drawn backwards', { from: null, to: 9 }, { type: 'selection.spanned', from: 8, to: 2 }, { from: 2, to: 8 }],
  ['none are left', { from: 2, to: 8 }, { type: 'selection.cleared' }, noMarks],
] as const)('%s', (_, before, event, after) => {
  expect(marksAfter(before, event)).toEqual(after)
})

test('a range has both marks', () => {
  expect([
    markedRange({ from: 2, to: 8 }),
    markedRange({ from: 2, to: null }),
    markedRange({ from: null, to: 8 }),
  ]).toEqual([{ from: 2, to: 8 }, null, null])
})
