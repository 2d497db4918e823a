import { expect, test } from 'vitest'
import { withDigit, type EnlargedTile } from './enlarged-tile.ts'

const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `tile ${index + 1}`)
const typing = (digits: string, count: number) =>
  [...digits].reduce<EnlargedTile>((before, digit) => withDigit(before, digit, keysOf(count)), {
    enlarged: null,
    typed: '',
  }).enlarged

test.each([
  ['4', 9, 'tile 4'],
  ['44', 9, null],
  ['42', 9, 'tile 2'],
  ['0', 9, null],
  ['9', 4, null],
  ['12', 36, 'tile 12'],
  ['11', 36, 'tile 11'],
  ['10', 36, 'tile 10'],
  ['36', 36, 'tile 36'],
  ['37', 36, 'tile 7'],
  ['123', 36, 'tile 3'],
])('%s typed on a mosaic of %i', (digits, count, expected) => {
  expect(typing(digits, count)).toBe(expected)
})
