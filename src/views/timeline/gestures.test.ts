// @vitest-environment jsdom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { watchGestures } from './gestures.ts'

/** A band that logs its gestures; `touch`: an event of a finger; `flush`: what the loop that draws does in a frame. */
function watched() {
  const element = Object.assign(document.createElement('div'), { setPointerCapture: () => undefined })
  const log: unknown[] = []
  const { flush, stop } = watchGestures(element, {
    onPanned: (pixels) => void log.push({ panned: pixels }),
    onZoomed: (factor, x) => void log.push({ factor, x }),
    onPicked: (x) => void log.push({ picked: x }),
    onGrabbed: () => null,
    onHovered: () => undefined,
  })
  const touch = (type: string, pointerId: number, clientX: number) =>
    fireEvent(element, Object.assign(new MouseEvent(type, { clientX, button: 0 }), { pointerId, pointerType: 'touch' }))
  return { element, log, touch, flush, stop }
}

test('a press without a drag picks', () => {
  const { log, touch, stop } = watched()
  touch('pointerdown', 1, 100)
  touch('pointerup', 1, 102)
  expect(log).toEqual([{ picked: 102 }])
  stop()
})

test('two fingers zoom on when a third one joins, and none of them picks', () => {
  const { log, touch, flush, stop } = watched()
  for (const [index, x] of [100, 200, 300].entries()) touch('pointerdown', index, x)
  touch('pointermove', 1, 300)
  flush()
  for (const index of [2, 1, 0]) touch('pointerup', index, 300)
  flush()
  expect(log).toEqual([{ panned: 50 }, { factor: 2, x: 200 }])
  stop()
})

test('three fingers that rest pick nothing', () => {
  const { log, touch, flush, stop } = watched()
  for (const [index, x] of [100, 200, 300].entries()) touch('pointerdown', index, x)
  for (const [index, x] of [100, 200, 300].entries()) touch('pointerup', index, x)
  flush()
  expect(log).toEqual([])
  stop()
})

test('a frame measures the band once, whatever the number of its events', () => {
  const { element, log, touch, flush, stop } = watched()
  const measure = vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(new DOMRect(10, 0, 500, 72))
  touch('pointerdown', 1, 110)
  for (const x of [130, 150, 170]) touch('pointermove', 1, x)
  flush()
  touch('pointermove', 1, 190)
  flush()
  expect([log, measure.mock.calls.length]).toEqual([[{ panned: 60 }, { panned: 20 }], 2])
  stop()
})
