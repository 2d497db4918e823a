export interface Point {
  /** Epoch ms. */
  time: number
  value: number
}

type Points = readonly (readonly [number, number | null])[]

interface Frame {
  from: number
  to: number
  width: number
  height: number
}

/** The paths of a series: one line an unbroken stretch, a null value being a hole, under a round top. */
export function linesOf(points: Points, { from, to, width, height }: Frame) {
  const known = points.flatMap(([time, value]) => (value === null ? [] : [{ time, value }]))
  const highest = known.reduce<Point | null>((best, point) => (best === null || point.value > best.value ? point : best), null)
  const top = roundTop(highest?.value ?? 0)
  const x = (time: number) => round(((time - from) / Math.max(1, to - from)) * width)
  const y = (value: number) => round(height - (value / top) * (height - 4))
  const lines = stretches(points).map((stretch) => {
    const d = stretch.map(({ time, value }, index) => `${index === 0 ? 'M' : 'L'}${x(time)} ${y(value)}`).join('')
    const [first, last] = [stretch[0], stretch.at(-1)]
    const area = first === undefined || last === undefined ? '' : `${d}L${x(last.time)} ${height}L${x(first.time)} ${height}Z`
    return { d, area }
  })
  return { lines, top, highest, last: known.at(-1) ?? null }
}

function stretches(points: Points): Point[][] {
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

/** The least of 1, 2, 5 × 10ⁿ that is not below the value. */
function roundTop(value: number): number {
  if (value <= 0) return 1
  const scale = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((one) => one * scale >= value) ?? 10
  return step * scale
}

const round = (value: number) => Math.round(value * 10) / 10

/** The measured point nearest to a moment; null where nothing was measured. */
export function nearest(points: Points, at: number): Point | null {
  let best: Point | null = null
  for (const [time, value] of points) {
    if (value !== null && (best === null || Math.abs(time - at) < Math.abs(best.time - at))) best = { time, value }
  }
  return best
}
