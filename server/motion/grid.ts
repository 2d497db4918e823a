import type { Box } from '../../src/api/contract/box.ts'

/** The picture is divided into cells; each has `pointsPerSide` × `pointsPerSide` points of luma. */
export const columns = 16
const rows = 9
export const cellCount = columns * rows
const pointsPerSide = 4
export const [pointColumns, pointRows] = [columns * pointsPerSide, rows * pointsPerSide] as const
export const pointCount = pointColumns * pointRows

/** Levels of motion: 0 is none, 15 the most. Level 1 is a difference of more than `minDifference` (of 255 luma). */
export const maxLevel = 15
const minDifference = 4
const differencePerLevel = 3
/** A cell that always changes (a clock, a flickering lamp) is background: its floor rises by this with each picture. */
const floorRise = 1 / 15
/** The floor of a cell that changes less falls by this share of the difference. */
const floorFall = 1 / 4

const levelOf = (difference: number): number =>
  Math.min(maxLevel, Math.max(0, Math.ceil((difference - minDifference) / differencePerLevel)))

/** The median change, so that a change of the exposure isn't motion. */
const medianChange = (before: Uint8Array, after: Uint8Array): number => {
  const counts = new Uint16Array(511)
  for (let at = 0; at < pointCount; at += 1) {
    const slot = 255 + (after[at] ?? 0) - (before[at] ?? 0)
    counts[slot] = (counts[slot] ?? 0) + 1
  }
  let seen = 0
  const middle = counts.findIndex((count) => {
    seen += count
    return seen * 2 >= pointCount
  })
  return middle - 255
}

/** The second largest difference of each cell: the largest one may be noise. */
const differencesOf = (before: Uint8Array, after: Uint8Array): Float32Array => {
  const [largest, second] = [new Float32Array(cellCount), new Float32Array(cellCount)]
  const change = medianChange(before, after)
  for (let at = 0; at < pointCount; at += 1) {
    const cell =
      Math.floor(at / pointColumns / pointsPerSide) * columns + Math.floor((at % pointColumns) / pointsPerSide)
    const difference = Math.abs((after[at] ?? 0) - (before[at] ?? 0) - change)
    const known = largest[cell] ?? 0
    second[cell] = Math.max(second[cell] ?? 0, Math.min(difference, known))
    largest[cell] = Math.max(difference, known)
  }
  return second
}

/**
 * Compares the pictures of a camera in order. Returns the level of each cell; undefined for the first picture, and
 * after `restart`.
 */
export const createGridComparison = () => {
  const floors = new Float32Array(cellCount)
  let before: Uint8Array | undefined
  return {
    restart: (): void => {
      before = undefined
    },
    next: (luma: Uint8Array): Uint8Array | undefined => {
      const last = before
      before = luma
      if (last === undefined) return undefined
      const levels = new Uint8Array(cellCount)
      for (const [cell, difference] of differencesOf(last, luma).entries()) {
        const floor = floors[cell] ?? 0
        levels[cell] = levelOf(difference - floor)
        floors[cell] = difference < floor ? floor + (difference - floor) * floorFall : floor + floorRise
      }
      return levels
    },
  }
}
export type GridComparison = ReturnType<typeof createGridComparison>

/** A cell belongs to an area that covers this share of it, or if it holds the centre of the area. */
const minShare = 0.25

export const cellsIn = ({ x, y, w, h }: Box): number[] => {
  const covered = (start: number, length: number, count: number, at: number): number =>
    Math.max(0, Math.min((start + length) * count, at + 1) - Math.max(start * count, at))
  const index = (middle: number, count: number): number => Math.min(count - 1, Math.floor(middle * count))
  const centre = index(y + h / 2, rows) * columns + index(x + w / 2, columns)
  return Array.from({ length: cellCount }, (_, cell) => cell).filter(
    (cell) =>
      cell === centre ||
      covered(x, w, columns, cell % columns) * covered(y, h, rows, Math.floor(cell / columns)) >= minShare,
  )
}
