/** Gestures on a band of the timeline; `x` is in CSS pixels from its left edge. */
export type Gestures = {
  readonly onPanned: (pixels: number) => void
  readonly onZoomed: (factor: number, x: number) => void
  readonly onPicked: (x: number) => void
  /**
   * A press: returns a function that follows the pointer instead of panning, or null if nothing was grabbed. `isWide`:
   * by touch, which needs larger handles.
   */
  readonly onGrabbed: (
    x: number,
    press: { readonly isWide: boolean; readonly isShifted: boolean },
  ) => ((x: number) => void) | null
  readonly onHovered: (x: number | null) => void
}

/** Pixels: a shorter drag is a click. */
const dragThreshold = 4
/** Pixels for one line of the wheel, where a browser counts in lines. */
const wheelLine = 16
/** Share of the speed that inertia loses per millisecond. */
const friction = 0.0035
/** Pixels per millisecond: inertia stops below this. */
const minSpeed = 0.02

export interface WatchedGestures {
  /** Reports what has been gathered. The loop that draws calls it first in each frame, so that it draws the result. */
  readonly flush: () => void
  readonly stop: () => void
}

/**
 * Listens to pointers and the wheel: dragging pans or moves what was grabbed, touch continues by inertia, two fingers
 * zoom, a press without a drag picks, the wheel zooms at the pointer (unless the end of the period stays) and pans
 * sideways or with shift.
 */
export function watchGestures(element: HTMLElement, gestures: Gestures): WatchedGestures {
  const pointers = new Map<number, number>()
  /** `left`: the left edge of the element, which a frame measures once, as measuring may need a layout of the page. */
  const due = { pan: 0, zoom: 1, zoomX: 0, grip: null as number | null, left: null as number | null }
  const drag = {
    start: 0,
    isDragging: false,
    isPinching: false,
    speed: 0,
    lastAt: 0,
    inertia: 0,
    grip: null as ((x: number) => void) | null,
  }
  const left = () => (due.left ??= element.getBoundingClientRect().left)
  const stopInertia = () => cancelAnimationFrame(drag.inertia)

  function flush(): void {
    if (due.pan !== 0) gestures.onPanned(due.pan)
    if (due.zoom !== 1) gestures.onZoomed(due.zoom, due.zoomX)
    if (due.grip !== null) drag.grip?.(due.grip)
    due.grip = null
    due.pan = 0
    due.zoom = 1
    due.left = null
  }

  const spread = () => {
    const [a = 0, b = 0] = pointers.values()
    return { distance: Math.max(24, Math.abs(a - b)), middle: (a + b) / 2 }
  }

  function onDown(event: PointerEvent): void {
    if (event.button !== 0) return
    stopInertia()
    element.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, event.clientX - left())
    drag.isPinching = pointers.size > 1
    if (pointers.size > 1) {
      drag.grip = null
      return
    }
    drag.grip = gestures.onGrabbed(event.clientX - left(), {
      isWide: event.pointerType === 'touch',
      isShifted: event.shiftKey,
    })
    drag.start = event.clientX - left()
    drag.isDragging = false
    drag.speed = 0
    drag.lastAt = event.timeStamp
  }

  function onMove(event: PointerEvent): void {
    const x = event.clientX - left()
    const before = pointers.get(event.pointerId)
    if (before === undefined) {
      if (event.pointerType !== 'touch') gestures.onHovered(x)
      return
    }
    if (!drag.isDragging && !drag.isPinching && Math.abs(x - drag.start) < dragThreshold) return
    if (!drag.isDragging) {
      drag.isDragging = true
      gestures.onHovered(null)
    }
    const old = spread()
    pointers.set(event.pointerId, x)
    if (drag.isPinching) {
      if (pointers.size < 2) return
      const now = spread()
      due.zoom *= now.distance / old.distance
      due.zoomX = now.middle
      due.pan += now.middle - old.middle
    } else if (drag.grip !== null) due.grip = x
    else {
      due.pan += x - before
      const elapsed = Math.max(1, event.timeStamp - drag.lastAt)
      drag.speed = 0.7 * ((x - before) / elapsed) + 0.3 * drag.speed
      drag.lastAt = event.timeStamp
    }
  }

  function onUp(event: PointerEvent): void {
    const x = pointers.get(event.pointerId)
    pointers.delete(event.pointerId)
    if (x === undefined || event.type === 'pointercancel') return
    if (!drag.isDragging && !drag.isPinching) gestures.onPicked(event.clientX - left())
    else if (drag.grip !== null) flush()
    else if (
      event.pointerType !== 'mouse' &&
      pointers.size === 0 &&
      !drag.isPinching &&
      event.timeStamp - drag.lastAt < 60
    )
      glide()
    if (pointers.size === 0) drag.isPinching = false
  }

  function glide(): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let last = performance.now()
    const step = (now: number) => {
      const elapsed = now - last
      last = now
      gestures.onPanned(drag.speed * elapsed)
      drag.speed *= Math.exp(-friction * elapsed)
      if (Math.abs(drag.speed) > minSpeed) drag.inertia = requestAnimationFrame(step)
    }
    drag.inertia = requestAnimationFrame(step)
  }

  function onWheel(event: WheelEvent): void {
    event.preventDefault()
    stopInertia()
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : wheelLine
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
    if (!event.ctrlKey && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
      due.pan -= sideways * unit
    } else {
      due.zoom *= Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.002))
      due.zoomX = event.clientX - left()
    }
  }

  const onLeave = () => gestures.onHovered(null)
  element.addEventListener('pointerdown', onDown)
  element.addEventListener('pointermove', onMove)
  element.addEventListener('pointerup', onUp)
  element.addEventListener('pointercancel', onUp)
  element.addEventListener('pointerleave', onLeave)
  element.addEventListener('wheel', onWheel, { passive: false })
  const stop = () => {
    stopInertia()
    element.removeEventListener('pointerdown', onDown)
    element.removeEventListener('pointermove', onMove)
    element.removeEventListener('pointerup', onUp)
    element.removeEventListener('pointercancel', onUp)
    element.removeEventListener('pointerleave', onLeave)
    element.removeEventListener('wheel', onWheel)
  }
  return { flush, stop }
}
