import type { Mask } from '../../api/contract/masks.ts'
import { type Point, rounded, clamp } from '../picture-points.ts'

/** As many as the server accepts (docs/wire.md §6, `masks`). */
export const maxMasks = 16

/** A corner of a mask: 0 is left or top, 1 is right or bottom. */
export interface Corner {
  readonly x: 0 | 1
  readonly y: 0 | 1
}

/** What a pointer does from the point where it was pressed: it draws a mask, or moves or resizes one. */
export type Stroke = { readonly from: Point; readonly to: Point } & (
  | { readonly kind: 'draw' }
  | { readonly kind: 'move'; readonly index: number }
  | { readonly kind: 'resize'; readonly index: number; readonly corner: Corner }
)

export const corners: readonly Corner[] = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
]

/** The least width and height of a mask, as fractions of the picture; a shorter stroke is a click. */
const minSize = 0.01
const addedSize = 0.25
const addedStep = 0.03

const inPicture = (value: number): number => rounded(clamp(value, 0, 1))

const between = (a: Point, b: Point): Mask => {
  const [left, right] = [inPicture(Math.min(a.x, b.x)), inPicture(Math.max(a.x, b.x))]
  const [top, bottom] = [inPicture(Math.min(a.y, b.y)), inPicture(Math.max(a.y, b.y))]
  return { x: left, y: top, w: rounded(right - left), h: rounded(bottom - top) }
}

export const movedBy = (mask: Mask, { x, y }: Point): Mask => ({
  ...mask,
  x: rounded(clamp(mask.x + x, 0, 1 - mask.w)),
  y: rounded(clamp(mask.y + y, 0, 1 - mask.h)),
})

/** Moves one corner; the opposite one stays. */
export function resizedBy(mask: Mask, corner: Corner, { x, y }: Point): Mask {
  const [left, top, right, bottom] = [mask.x, mask.y, mask.x + mask.w, mask.y + mask.h]
  const across = corner.x === 0 ? clamp(left + x, 0, right - minSize) : clamp(right + x, left + minSize, 1)
  const down = corner.y === 0 ? clamp(top + y, 0, bottom - minSize) : clamp(bottom + y, top + minSize, 1)
  return between({ x: across, y: down }, { x: corner.x === 0 ? right : left, y: corner.y === 0 ? bottom : top })
}

export const replaced = (masks: readonly Mask[], index: number, change: (mask: Mask) => Mask): readonly Mask[] =>
  masks.map((mask, at) => (at === index ? change(mask) : mask))

export const withoutMask = (masks: readonly Mask[], index: number): readonly Mask[] =>
  masks.filter((_, at) => at !== index)

/** With one more mask near the middle of the picture, beside the ones added before. */
export function withAdded(masks: readonly Mask[]): readonly Mask[] {
  if (masks.length >= maxMasks) return masks
  const at = inPicture(0.5 - addedSize / 2 + ((masks.length % 8) - 4) * addedStep)
  return [...masks, { x: at, y: at, w: addedSize, h: addedSize }]
}

export const areSame = (one: readonly Mask[], other: readonly Mask[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The masks that a stroke leaves. */
export function afterStroke(masks: readonly Mask[], stroke: Stroke): readonly Mask[] {
  const { from, to } = stroke
  const by = { x: to.x - from.x, y: to.y - from.y }
  if (stroke.kind === 'move') return replaced(masks, stroke.index, (mask) => movedBy(mask, by))
  if (stroke.kind === 'resize') return replaced(masks, stroke.index, (mask) => resizedBy(mask, stroke.corner, by))
  const drawn = between(from, to)
  return drawn.w < minSize || drawn.h < minSize || masks.length >= maxMasks ? masks : [...masks, drawn]
}
