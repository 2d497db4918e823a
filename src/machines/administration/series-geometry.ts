import type { TimeRange } from '../../api/contract/time-range.ts'

/** `time` is epoch ms. */
export interface Point {
  time: number
  value: number
}

/** Null: nothing was measured at that time. */
export type Points = readonly (readonly [time: number, value: number | null])[]

/** The plot: its time range, the value at its upper edge, and its size in px. */
export interface Frame extends TimeRange {
  top: number
  width: number
  height: number
}

/** SVG paths: the line and the area below it, for each part of the series without a null. */
export function linesOf(points: Points, { from, to, top, width, height }: Frame): { d: string; area: string }[] {
  const x = (time: number) => round(((time - from) / Math.max(1, to - from)) * width)
  const y = (value: number) => round(height - (value / top) * height)
  return ranges(points).map((range) => {
    const d = range.map(({ time, value }, index) => `${index === 0 ? 'M' : 'L'}${x(time)} ${y(value)}`).join('')
    const [first, last] = [range[0], range.at(-1)]
    const area =
      first === undefined || last === undefined ? '' : `${d}L${x(last.time)} ${height}L${x(first.time)} ${height}Z`
    return { d, area }
  })
}

function ranges(points: Points): Point[][] {
  const found: Point[][] = []
  let current: Point[] = []
  for (const [time, value] of points) {
    if (value !== null) {
      current.push({ time, value })
      continue
    }
    if (current.length > 0) found.push(current)
    current = []
  }
  if (current.length > 0) found.push(current)
  return found
}

/**
 * The smallest of 1, 2, 4, 5, 10 × 10ⁿ that isn't below the value: its half, on the middle line, is a short number too.
 */
export function roundTop(value: number): number {
  if (value <= 0) return 1
  const scale = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 4, 5, 10].find((one) => one * scale >= value) ?? 10
  return step * scale
}

const round = (value: number) => Math.round(value * 10) / 10

export interface Summary {
  last: Point
  lowest: number
  mean: number
  highest: number
}

/** Null if nothing was measured in the range. */
export function summaryOf(points: Points, { from, to }: TimeRange): Summary | null {
  const known = points.flatMap(([time, value]) => (value === null || time < from || time > to ? [] : [{ time, value }]))
  const last = known.at(-1)
  if (last === undefined) return null
  const values = known.map(({ value }) => value)
  return {
    last,
    lowest: values.reduce((one, other) => Math.min(one, other)),
    highest: values.reduce((one, other) => Math.max(one, other)),
    mean: values.reduce((one, other) => one + other, 0) / values.length,
  }
}

/** The measured point nearest to a moment, not farther than `withinMs`; null where nothing was measured. */
export function nearest(points: Points, at: number, withinMs: number): Point | null {
  let best: Point | null = null
  for (const [time, value] of points) {
    const distance = Math.abs(time - at)
    if (value !== null && distance <= withinMs && (best === null || distance < Math.abs(best.time - at)))
      best = { time, value }
  }
  return best
}
