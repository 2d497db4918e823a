import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxMasks as maxOfServer, MasksBody } from '../../api/contract/masks.ts'
import {
  afterStroke,
  corners,
  maxMasks,
  movedBy,
  resizedBy,
  type Stroke,
  withAdded,
  withoutMask,
} from './mask-shapes.ts'

const window = { x: 0.2, y: 0.2, w: 0.4, h: 0.2 }

test('a mask is drawn from corner to corner, in any direction, within the picture', () => {
  const drawn = { x: 0.1, y: 0.3, w: 0.4, h: 0.5 }
  const from = { x: 0.1, y: 0.3 }
  expect(afterStroke([], { kind: 'draw', from, to: { x: 0.5, y: 0.8 } })).toEqual([drawn])
  expect(afterStroke([], { kind: 'draw', from: { x: 0.5, y: 0.3 }, to: { x: 0.1, y: 0.8 } })).toEqual([drawn])
  expect(afterStroke([], { kind: 'draw', from, to: { x: 2, y: -1 } })).toEqual([{ x: 0.1, y: 0, w: 0.9, h: 0.3 }])
})

test('a click draws nothing, and neither does a stroke beyond the limit', () => {
  const full = Array.from({ length: maxMasks }, () => window)
  const click: Stroke = { kind: 'draw', from: { x: 0.5, y: 0.5 }, to: { x: 0.505, y: 0.6 } }
  expect(afterStroke([window], click)).toEqual([window])
  expect(afterStroke(full, { ...click, to: { x: 0.9, y: 0.9 } })).toBe(full)
  expect([withAdded(full), maxMasks]).toEqual([full, maxOfServer])
})

test('a mask stops at the edge of the picture, with its size', () => {
  expect(movedBy(window, { x: 0.9, y: -0.9 })).toEqual({ ...window, x: 0.6, y: 0 })
})

test.each([
  [corners[0], { x: 0.25, y: 0.25, w: 0.35, h: 0.15 }],
  [corners[1], { x: 0.2, y: 0.25, w: 0.45, h: 0.15 }],
  [corners[2], { x: 0.25, y: 0.2, w: 0.35, h: 0.25 }],
  [corners[3], { x: 0.2, y: 0.2, w: 0.45, h: 0.25 }],
])('the corner %j moves, and the opposite one stays', (corner, mask) => {
  expect(corner === undefined ? null : resizedBy(window, corner, { x: 0.05, y: 0.05 })).toEqual(mask)
})

test('a corner stops before the opposite one', () => {
  expect(resizedBy(window, { x: 1, y: 1 }, { x: -1, y: -1 })).toEqual({ ...window, w: 0.01, h: 0.01 })
  expect(resizedBy(window, { x: 0, y: 0 }, { x: 1, y: 1 })).toEqual({ x: 0.59, y: 0.39, w: 0.01, h: 0.01 })
})

test('added masks lie beside each other', () => {
  const two = withAdded(withAdded([]))
  expect(new Set(two.map(({ x }) => x)).size).toBe(2)
  expect(withoutMask(two, 0)).toEqual(two.slice(1))
})

const place = fc.record({
  x: fc.double({ min: -2, max: 3, noNaN: true }),
  y: fc.double({ min: -2, max: 3, noNaN: true }),
})
const stroke = fc.oneof(
  fc.record({ kind: fc.constant('draw' as const), from: place, to: place }),
  fc.record({ kind: fc.constant('move' as const), index: fc.nat(3), from: place, to: place }),
  fc.record({
    kind: fc.constant('resize' as const),
    index: fc.nat(3),
    corner: fc.constantFrom(...corners),
    from: place,
    to: place,
  }),
)

test('whatever is drawn, moved and resized, the server accepts it', () => {
  fc.assert(
    fc.property(fc.array(stroke, { maxLength: 30 }), (strokes) => {
      const masks = strokes.reduce(afterStroke, withAdded([]))
      expect(MasksBody.safeParse({ masks }).error).toBeUndefined()
    }),
  )
})
