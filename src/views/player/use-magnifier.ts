import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { zoomedAt, type ZoomTransform, noZoom } from './zoom.ts'

export interface Magnifier {
  scale: number
  /** For the element that gets the gestures and clips the picture. */
  frameRef: (element: HTMLElement | null) => (() => void) | undefined
  /** For the element with the picture, which is scaled and moved. */
  zoomRef: (element: HTMLElement | null) => void
  magnify: () => void
  shrink: () => void
  reset: () => void
  /** Moves the picture, in CSS pixels. */
  pan: (x: number, y: number) => void
}

const buttonFactor = 1.5
/** Ends the zoom: no scale is below 1. */
const resetFactor = 0
/** A press of a control that moves less is a click. */
const minDragPx = 4

const controls = 'a, button, [data-grip]'

const isOn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

/**
 * Digital zoom of the picture by buttons, the wheel, a double click and pinching. Dragging pans it, unless the press is
 * on an element that is dragged itself (`data-grip`).
 */
export function useMagnifier(onMagnified: (isMagnified: boolean) => void): Magnifier {
  const [scale, setScale] = useState(1)
  const transform = useRef<ZoomTransform>(noZoom)
  const frame = useRef<HTMLElement | null>(null)
  const layer = useRef<HTMLElement | null>(null)

  const show = useCallback(
    (next: ZoomTransform) => {
      if (next.scale > 1 !== transform.current.scale > 1) onMagnified(next.scale > 1)
      transform.current = next
      if (layer.current !== null)
        layer.current.style.transform =
          next.scale === 1 ? '' : `translate(${next.x}px, ${next.y}px) scale(${next.scale})`
      setScale(next.scale)
    },
    [onMagnified],
  )
  const zoom = useCallback(
    (factor: number, x?: number, y?: number) => {
      const box = frame.current?.getBoundingClientRect()
      if (box === undefined) return
      show(
        zoomedAt(
          transform.current,
          {
            factor,
            x: x === undefined ? box.width / 2 : x - box.left,
            y: y === undefined ? box.height / 2 : y - box.top,
          },
          box,
        ),
      )
    },
    [show],
  )

  const pan = useCallback(
    (x: number, y: number) => {
      const box = frame.current?.getBoundingClientRect()
      const { scale: current, x: left, y: top } = transform.current
      if (box !== undefined) show(zoomedAt({ scale: current, x: left + x, y: top + y }, { factor: 1, x: 0, y: 0 }, box))
    },
    [show],
  )

  const frameRef = useCallback(
    (element: HTMLElement | null) => {
      frame.current = element
      if (element === null) return undefined
      const pointers = new Map<number, { x: number; y: number }>()
      const onWheel = (event: WheelEvent) => {
        event.preventDefault()
        zoom(Math.exp(-event.deltaY / 400), event.clientX, event.clientY)
      }
      const onDoubleClick = (event: MouseEvent) => {
        if (isOn(event.target, controls)) return
        zoom(transform.current.scale > 1 ? resetFactor : 2, event.clientX, event.clientY)
      }
      const captured = new Set<number>()
      const capture = ({ pointerId }: PointerEvent) => {
        if (captured.has(pointerId) || (transform.current.scale === 1 && pointers.size === 1)) return
        captured.add(pointerId)
        element.setPointerCapture(pointerId)
      }
      const onDown = (event: PointerEvent) => {
        if (isOn(event.target, '[data-grip]')) return
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
        if (!isOn(event.target, controls)) capture(event)
      }
      const onUp = (event: PointerEvent) => {
        pointers.delete(event.pointerId)
        captured.delete(event.pointerId)
      }
      const onMove = (event: PointerEvent) => {
        // A mouse that isn't captured may have been released outside of the element.
        if (event.buttons === 0) return onUp(event)
        const before = pointers.get(event.pointerId)
        if (before === undefined) return
        const here = { x: event.clientX, y: event.clientY }
        if (!captured.has(event.pointerId)) {
          if (Math.hypot(here.x - before.x, here.y - before.y) < minDragPx) return
          capture(event)
        }
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
        pointers.set(event.pointerId, here)
        if (other !== undefined) {
          const distanceBefore = Math.hypot(before.x - other.x, before.y - other.y)
          zoom(
            distanceBefore === 0 ? 1 : Math.hypot(here.x - other.x, here.y - other.y) / distanceBefore,
            (here.x + other.x) / 2,
            (here.y + other.y) / 2,
          )
        } else if (transform.current.scale > 1) {
          pan(here.x - before.x, here.y - before.y)
        }
      }
      element.addEventListener('wheel', onWheel, { passive: false })
      element.addEventListener('dblclick', onDoubleClick)
      element.addEventListener('pointerdown', onDown)
      element.addEventListener('pointermove', onMove)
      element.addEventListener('pointerup', onUp)
      element.addEventListener('pointercancel', onUp)
      return () => {
        element.removeEventListener('wheel', onWheel)
        element.removeEventListener('dblclick', onDoubleClick)
        element.removeEventListener('pointerdown', onDown)
        element.removeEventListener('pointermove', onMove)
        element.removeEventListener('pointerup', onUp)
        element.removeEventListener('pointercancel', onUp)
        frame.current = null
      }
    },
    [pan, zoom],
  )
  const zoomRef = useCallback((element: HTMLElement | null) => {
    layer.current = element
  }, [])
  useEffect(() => {
    const onResize = () => zoom(1, 0, 0)
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  }, [zoom])

  return useMemo(
    () => ({
      scale,
      frameRef,
      zoomRef,
      magnify: () => zoom(buttonFactor),
      shrink: () => zoom(1 / buttonFactor),
      reset: () => zoom(resetFactor),
      pan,
    }),
    [scale, frameRef, zoomRef, zoom, pan],
  )
}
