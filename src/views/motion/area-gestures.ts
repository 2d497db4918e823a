import type { Box } from '../../api/contract/box.ts'
import { areaAfterKey, areaBetween, movedBy, wholePicture } from '../../machines/motion/area.ts'
import type { Point } from '../../machines/picture-points.ts'

interface AreaSource {
  read: () => Box
  /** Sets a new area. */
  change: (area: Box) => void
}

/** A press that moves less doesn't change the area. */
const minDragPx = 4

type Drag = { start: Point; areaBefore: Box; kind: 'draw' | 'move' | 'resize'; hasMoved: boolean }

const isWhole = ({ w, h }: Box): boolean => w === wholePicture.w && h === wholePicture.h

/**
 * Dragging on the picture draws an area, dragging the area moves it, and dragging its corner resizes it; arrow keys
 * move and resize it. The player doesn't get these keys and presses: it would seek or zoom. Returns the function that
 * stops listening.
 */
export function watchArea(surface: HTMLElement, { read, change }: AreaSource): () => void {
  let drag: Drag | null = null

  const pointAt = (event: PointerEvent): Point => {
    const { left, top, width, height } = surface.getBoundingClientRect()
    return { x: (event.clientX - left) / width, y: (event.clientY - top) / height }
  }
  const kindOf = (target: EventTarget | null): Drag['kind'] => {
    if (!(target instanceof Element)) return 'draw'
    if (target.closest('[data-corner]') !== null) return 'resize'
    return target.closest('[data-area]') !== null && !isWhole(read()) ? 'move' : 'draw'
  }
  const onDown = (event: PointerEvent) => {
    event.stopPropagation()
    if (event.button !== 0) return
    event.preventDefault()
    surface.setPointerCapture(event.pointerId)
    drag = { start: pointAt(event), areaBefore: read(), kind: kindOf(event.target), hasMoved: false }
    surface.querySelector<HTMLElement>('[data-area]')?.focus({ preventScroll: true })
  }
  const onMove = (event: PointerEvent) => {
    if (drag === null) return
    event.stopPropagation()
    const { start, areaBefore, kind } = drag
    const here = pointAt(event)
    const by = { x: here.x - start.x, y: here.y - start.y }
    const { width, height } = surface.getBoundingClientRect()
    drag.hasMoved ||= Math.hypot(by.x * width, by.y * height) >= minDragPx
    if (!drag.hasMoved) return
    if (kind === 'move') change(movedBy(areaBefore, by))
    else change(areaBetween(kind === 'draw' ? start : areaBefore, here))
  }
  const onUp = () => {
    drag = null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = areaAfterKey(read(), event)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    change(next)
  }
  const stop = (event: Event) => event.stopPropagation()

  const listening = new AbortController()
  const { signal } = listening
  surface.addEventListener('pointerdown', onDown, { signal })
  surface.addEventListener('pointermove', onMove, { signal })
  surface.addEventListener('pointerup', onUp, { signal })
  surface.addEventListener('pointercancel', onUp, { signal })
  surface.addEventListener('dblclick', stop, { signal })
  surface.addEventListener('keydown', onKeyDown, { signal })
  return () => listening.abort()
}
