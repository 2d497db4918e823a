// @vitest-environment jsdom
import { fireEvent, render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useMagnifier } from './use-magnifier.ts'

const ignore = () => undefined

function Picture() {
  const { frameRef, zoomRef } = useMagnifier(ignore)
  return (
    <div ref={frameRef}>
      <p ref={zoomRef}>picture</p>
    </div>
  )
}

/** jsdom has no pointer events and no layout of its own: the picture is 100 pixels wide and high. */
function open() {
  const layer = render(<Picture />).getByText('picture')
  const frame = layer.parentElement
  if (frame === null) throw new Error('the picture has no frame')
  frame.getBoundingClientRect = () => DOMRect.fromRect({ width: 100, height: 100 })
  frame.setPointerCapture = ignore
  const point = (type: string, x: number, buttons: number) =>
    fireEvent(
      layer,
      Object.assign(new MouseEvent(type, { bubbles: true, clientX: x, clientY: 50, buttons }), { pointerId: 1 }),
    )
  return { layer, point, magnify: () => fireEvent.wheel(layer, { deltaY: -400 * Math.log(2) }) }
}

test('a drag moves the magnified picture', () => {
  const { layer, point, magnify } = open()
  magnify()
  expect(layer.style.transform).toBe('translate(0px, 0px) scale(2)')
  point('pointerdown', 50, 1)
  point('pointermove', 40, 1)
  point('pointerup', 40, 0)
  expect(layer.style.transform).toBe('translate(-10px, 0px) scale(2)')
})

test('a mouse that was released outside of the picture moves nothing', () => {
  const { layer, point, magnify } = open()
  point('pointerdown', 50, 1)
  magnify()
  point('pointermove', 40, 0)
  point('pointermove', 30, 0)
  expect(layer.style.transform).toBe('translate(0px, 0px) scale(2)')
})
