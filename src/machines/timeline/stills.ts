import type { TimeRange } from '../../api/contract/time-range.ts'
import { intervalAt, type Interval } from './intervals.ts'
import { lengthOf, timeToX } from './timeline-geometry.ts'

/** 16:9 at the height of the strip. */
const minStillWidthPx = 85
/** Divisors of two minutes, so that most stills have the same moments after a move or another zoom. */
const stepsSeconds = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60, 120]

/** The left edge of a still is at its moment; it is as wide as the time to the next one. */
export interface Still {
  readonly at: number
  readonly left: number
  readonly width: number
}

/** The time between two stills, in milliseconds; null if two minutes of the timeline are too narrow for one. */
export function stillStep(period: TimeRange, width: number): number | null {
  const seconds = stepsSeconds.find((step) => ((step * 1000) / lengthOf(period)) * width >= minStillWidthPx)
  return seconds === undefined ? null : seconds * 1000
}

/** The stills of a period that begin at a recorded moment. */
export function stillsOf({
  period,
  width,
  intervals,
}: {
  readonly period: TimeRange
  readonly width: number
  readonly intervals: readonly Interval[]
}): Still[] {
  const step = stillStep(period, width)
  if (step === null) return []
  const stills: Still[] = []
  for (let at = Math.floor(period.from / step) * step; at < period.to; at += step) {
    if (intervalAt(intervals, at)?.type !== 'fragment') continue
    const left = timeToX(period, width, at)
    stills.push({ at, left, width: timeToX(period, width, at + step) - left })
  }
  return stills
}
