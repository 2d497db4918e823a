import { expect, test } from 'vitest'
import { markerPalette, nearestMarker } from './marker-colours.ts'

test('a colour has the word of the one that it looks like, where there is any', () => {
  expect(markerPalette.map(nearestMarker)).toEqual(markerPalette)
  expect(['#3b82f6', '#F00', '#800000', '#808080', 'teal', '', '#0090ffcc'].map(nearestMarker)).toEqual([
    '#0090ff',
    '#e5484d',
    '#e5484d',
    null,
    null,
    null,
    null,
  ])
})
