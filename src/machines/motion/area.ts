import type { Box } from '../../api/contract/box.ts'
import { arrowOf, type Point, rounded, clamp } from '../picture-points.ts'

/** The smallest side of an area, in fractions of the picture. */
const minSide = 0.02
/** How far one press of an arrow key moves or resizes an area, in fractions of the picture. */
const step = 0.02

export const wholePicture: Box = { x: 0, y: 0, w: 1, h: 1 }

/** The area, moved and shrunk into the picture. */
export const fitted = ({ x, y, w, h }: Box): Box => {
  const [width, height] = [clamp(w, minSide, 1), clamp(h, minSide, 1)]
  const [left, top] = [clamp(x, 0, 1 - width), clamp(y, 0, 1 - height)]
  return { x: rounded(left), y: rounded(top), w: rounded(width), h: rounded(height) }
}

/** The area between two corners. */
export const areaBetween = (a: Point, b: Point): Box => {
  const inside = ({ x, y }: Point): Point => ({ x: clamp(x, 0, 1), y: clamp(y, 0, 1) })
  const [first, second] = [inside(a), inside(b)]
  return fitted({
    x: Math.min(first.x, second.x),
    y: Math.min(first.y, second.y),
    w: Math.abs(first.x - second.x),
    h: Math.abs(first.y - second.y),
  })
}

export const movedBy = (area: Box, { x, y }: Point): Box => fitted({ ...area, x: area.x + x, y: area.y + y })

/** Moves the right and the lower side of the area, at most to the edge of the picture. */
export const resizedBy = ({ x, y, w, h }: Box, by: Point): Box =>
  fitted({ x, y, w: Math.min(w + by.x, 1 - x), h: Math.min(h + by.y, 1 - y) })

/** The area after a key: an arrow moves it, with Shift it resizes it. Undefined for other keys. */
export const areaAfterKey = (area: Box, { key, shiftKey }: { key: string; shiftKey: boolean }): Box | undefined => {
  const by = arrowOf(key, step)
  return by === undefined ? undefined : shiftKey ? resizedBy(area, by) : movedBy(area, by)
}
