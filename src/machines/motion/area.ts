import type { Box } from '../../api/contract/box.ts'

/** The smallest side of an area, in fractions of the picture. */
const leastSide = 0.02
/** What a key moves or resizes an area by. */
const step = 0.02
const precision = 1e4

export const wholePicture: Box = { x: 0, y: 0, w: 1, h: 1 }

const round = (value: number): number => Math.round(value * precision) / precision
const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** The area, moved and shrunk into the picture. */
export const fitted = ({ x, y, w, h }: Box): Box => {
  const [width, height] = [within(w, leastSide, 1), within(h, leastSide, 1)]
  return { x: round(within(x, 0, 1 - width)), y: round(within(y, 0, 1 - height)), w: round(width), h: round(height) }
}

/** A point of the picture, in fractions of its width and height. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** The area between two corners. */
export const areaBetween = (a: Point, b: Point): Box => {
  const inside = ({ x, y }: Point): Point => ({ x: within(x, 0, 1), y: within(y, 0, 1) })
  const [first, second] = [inside(a), inside(b)]
  return fitted({
    x: Math.min(first.x, second.x),
    y: Math.min(first.y, second.y),
    w: Math.abs(first.x - second.x),
    h: Math.abs(first.y - second.y),
  })
}

export const movedBy = (area: Box, { x, y }: Point): Box => fitted({ ...area, x: area.x + x, y: area.y + y })

/** Moves the right and the lower side, which stay in the picture. */
export const resizedBy = ({ x, y, w, h }: Box, by: Point): Box =>
  fitted({ x, y, w: Math.min(w + by.x, 1 - x), h: Math.min(h + by.y, 1 - y) })

const directions: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
}

/** The area after a key: an arrow moves it, with Shift it resizes it. Undefined for other keys. */
export const areaAfterKey = (area: Box, { key, shiftKey }: { key: string; shiftKey: boolean }): Box | undefined => {
  const by = Object.hasOwn(directions, key) ? directions[key] : undefined
  return by === undefined ? undefined : shiftKey ? resizedBy(area, by) : movedBy(area, by)
}
