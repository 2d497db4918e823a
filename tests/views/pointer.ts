import { fireEvent } from '@testing-library/react'

/** jsdom has no pointer events of its own. */
export const point = (element: Element, type: string, x: number, y: number) =>
  fireEvent(
    element,
    Object.assign(new MouseEvent(type, { bubbles: true, cancelable: true, clientX: x, clientY: y, button: 0 }), {
      pointerId: 1,
      isPrimary: true,
    }),
  )

export const drag = (element: Element, from: readonly [number, number], to: readonly [number, number]) => {
  point(element, 'pointerdown', ...from)
  point(element, 'pointermove', ...to)
  point(element, 'pointerup', ...to)
}
