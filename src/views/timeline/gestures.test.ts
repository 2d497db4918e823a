// @vitest-environment jsdom
import { fireEvent } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { watchGestures } from './gestures.ts'

afterEach(() => vi.unstubAllGlobals())

/** A band that logs its gestures; `touch`: an event of a finger; `present`: the next animation frame. */
function watched() {
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
  const element = Object.assign(document.createElement('div'), { setPointerCapture: () => undefined })
  const log: unknown[] = []
  const stop = watchGestures(element, {
    onPanned: (pixels) => void log.push({ panned: pixels }),
    onZoomed: (factor, x) => void log.push({ factor, x }),
    onPicked: (x) => void log.push({ picked: x }),
    onGrabbed: () => null,
    onHovered: () => undefined,
  })
  const touch = (type: string, pointerId: number, clientX: number) =>
    fireEvent(element, Object.assign(new MouseEvent(type, { clientX, button: 0 }), { pointerId, pointerType: 'touch' }))
  const present = () => {
    for (const frame of frames.splice(0)) frame(0)
  }
  return { log, touch, present, stop }
}

test('a press without a drag picks', () => {
  const { log, touch, stop } = watched()
  touch('pointerdown', 1, 100)
  touch('pointerup', 1, 102)
  expect(log).toEqual([{ picked: 102 }])
  stop()
})

test('two fingers zoom on when a third one joins, and none of them picks', () => {
  const { log, touch, present, stop } = watched()
  for (const [index, x] of [100, 200, 300].entries()) touch('pointerdown', index, x)
  touch('pointermove', 1, 300)
  present()
  for (const index of [2, 1, 0]) touch('pointerup', index, 300)
  present()
  expect(log).toEqual([{ panned: 50 }, { factor: 2, x: 200 }])
  stop()
})

test('three fingers that rest pick nothing', () => {
  const { log, touch, present, stop } = watched()
  for (const [index, x] of [100, 200, 300].entries()) touch('pointerdown', index, x)
  for (const [index, x] of [100, 200, 300].entries()) touch('pointerup', index, x)
  present()
  expect(log).toEqual([])
  stop()
})
