// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { stubResizeObserver } from '../../../tests/views/resize-observer.ts'
import { watchSurface } from './surface.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A watched canvas; `resize` gives it a width, which the observer reports. */
function watched() {
  const resizeElement = stubResizeObserver()
  vi.stubGlobal('devicePixelRatio', 2)
  const canvas = document.createElement('canvas')
  const context = Object.assign(Object.create(null), { setTransform: () => undefined })
  vi.spyOn(canvas, 'getContext').mockReturnValue(context)
  const widths: number[] = []
  const { surface, stop } = watchSurface(canvas, 30, (width) => void widths.push(width))
  const resize = (width: number) => resizeElement(canvas, width)
  const sizes = () => ({ canvas: [canvas.width, canvas.height], widths: [...widths] })
  return { surface, stop, resize, sizes }
}

test('a new size is applied and reported once a frame asks for the surface, not by the observer', () => {
  const { surface, stop, resize, sizes } = watched()
  const untouched = sizes()
  expect(surface()).toBeNull()
  const seen = [100, 150].map((width) => {
    resize(width)
    const observed = sizes()
    const drawn = [surface()?.width, surface()?.width]
    return { observed, drawn, after: sizes() }
  })
  const first = { canvas: [200, 60], widths: [100] }
  expect(seen).toEqual([
    { observed: untouched, drawn: [100, 100], after: first },
    { observed: first, drawn: [150, 150], after: { canvas: [300, 60], widths: [100, 150] } },
  ])
  stop()
})

test('a new size of the window is applied, too, as it may be another device pixel ratio', () => {
  const { surface, stop, resize, sizes } = watched()
  resize(100)
  surface()
  vi.stubGlobal('devicePixelRatio', 1)
  globalThis.dispatchEvent(new Event('resize'))
  const before = sizes()
  surface()
  expect([before.canvas, sizes().canvas]).toEqual([
    [200, 60],
    [100, 30],
  ])
  stop()
})
