import { expect, test, vi } from 'vitest'
import { type InOutMarksPort, selectionGrip } from './selection-grip.ts'

const shown = { period: { from: 0, to: 1000 }, now: 900, width: 1000 }
const mouse = { isWide: false, isShifted: false, isSelecting: false }

function marksAt(from: number | null, to: number | null) {
  const span = vi.fn<InOutMarksPort['span']>()
  return { span, marks: { read: () => ({ from, to }), span } }
}

test('an edge of the selection follows the pointer, whichever is nearer, across the other one too', () => {
  const { marks, span } = marksAt(200, 400)
  selectionGrip(marks, shown, 205, mouse)?.(100)
  selectionGrip(marks, shown, 395, mouse)?.(50)
  expect(span.mock.calls).toEqual([
    [400, 100],
    [200, 50],
  ])
})

test('both edges of a selection that is narrower than a pixel are gripped, each from outside', () => {
  const { marks, span } = marksAt(500, 500.4)
  selectionGrip(marks, shown, 489, mouse)?.(300)
  selectionGrip(marks, shown, 512, mouse)?.(700)
  expect(span.mock.calls).toEqual([
    [500.4, 300],
    [500, 700],
  ])
  expect(selectionGrip(marks, shown, 487, mouse)).toBeNull()
})

test('a finger reaches farther than a mouse; elsewhere nothing is taken hold of', () => {
  const { marks } = marksAt(200, 400)
  expect(selectionGrip(marks, shown, 215, mouse)).toBeNull()
  expect(selectionGrip(marks, shown, 215, { ...mouse, isWide: true })).not.toBeNull()
})

test('with shift, or while selecting, a range is drawn; never beyond now or the band', () => {
  const { marks, span } = marksAt(null, null)
  selectionGrip(marks, shown, 300, { ...mouse, isShifted: true })?.(990)
  selectionGrip(marks, shown, 300, { ...mouse, isSelecting: true })?.(-50)
  expect(span.mock.calls).toEqual([
    [300, 900],
    [300, 0],
  ])
})
