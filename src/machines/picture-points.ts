/** A point of the picture, or a distance in it, as fractions of its width and height. */
export interface Point {
  readonly x: number
  readonly y: number
}

const precision = 10_000

export const rounded = (value: number): number => Math.round(value * precision) / precision
export const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** The step of an arrow key; undefined for other keys. */
export function arrowOf(key: string, step: number): Point | undefined {
  switch (key) {
    case 'ArrowLeft':
      return { x: -step, y: 0 }
    case 'ArrowRight':
      return { x: step, y: 0 }
    case 'ArrowUp':
      return { x: 0, y: -step }
    case 'ArrowDown':
      return { x: 0, y: step }
    default:
      return undefined
  }
}
