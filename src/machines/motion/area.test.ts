import { expect, test } from 'vitest'
import { areaAfterKey, areaBetween, fitted, movedBy, resizedBy, wholePicture } from './area.ts'

const area = { x: 0.4, y: 0.4, w: 0.2, h: 0.2 }

test('an area is drawn between two corners in any order, within the picture', () => {
  expect(areaBetween({ x: 0.6, y: 0.2 }, { x: 0.1, y: 0.5 })).toEqual({ x: 0.1, y: 0.2, w: 0.5, h: 0.3 })
  expect(areaBetween({ x: -1, y: 0.5 }, { x: 2, y: 0.5 })).toEqual({ x: 0, y: 0.5, w: 1, h: 0.02 })
  expect(areaBetween({ x: 1, y: 1 }, { x: 1, y: 1 })).toEqual({ x: 0.98, y: 0.98, w: 0.02, h: 0.02 })
})

test('an area stays in the picture when it is moved, resized or too large', () => {
  expect(movedBy(area, { x: -1, y: 1 })).toEqual({ ...area, x: 0, y: 0.8 })
  expect(resizedBy(area, { x: 1, y: -1 })).toEqual({ ...area, w: 0.6, h: 0.02 })
  expect(fitted({ x: -1, y: 2, w: 3, h: 4 })).toEqual(wholePicture)
})

test('arrows move an area, with Shift they resize it, and other keys do nothing', () => {
  const after = (key: string, shiftKey = false) => areaAfterKey(area, { key, shiftKey })
  expect([after('ArrowLeft'), after('ArrowRight'), after('ArrowUp'), after('ArrowDown')]).toEqual([
    { ...area, x: 0.38 },
    { ...area, x: 0.42 },
    { ...area, y: 0.38 },
    { ...area, y: 0.42 },
  ])
  expect([after('ArrowLeft', true), after('ArrowDown', true)]).toEqual([
    { ...area, w: 0.18 },
    { ...area, h: 0.22 },
  ])
  expect([after('Enter'), after('toString')]).toEqual([undefined, undefined])
})
