import type { TimeRange } from '../../api/contract/time-range.ts'
import { timeToX, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import { type BandScene, markHandle } from './band.ts'

/** The in and out marks, read in every animation frame, and the way to set them. Epoch milliseconds. */
export interface InOutMarksPort {
  read(): BandScene['selection']
  span(from: number, to: number): void
}

interface Press {
  readonly isWide: boolean
  readonly isShifted: boolean
  readonly isSelecting: boolean
}

/**
 * What moving the pointer to an `x` does after a press: it moves the mark near the press or, with Shift or while
 * selecting, spans a range from there; null: neither. No mark goes beyond now. `isWide`: pressed by a finger.
 */
export function selectionGrip(
  marks: InOutMarksPort,
  { period, now, width }: { period: TimeRange; now: number; width: number },
  x: number,
  { isWide, isShifted, isSelecting }: Press,
): ((x: number) => void) | null {
  const { from, to } = marks.read()
  const reachPx = isWide ? 22 : 7
  const timeAt = (at: number) =>
    Math.round(Math.min(now, Math.max(period.from, xToTime(period, width, Math.min(width, Math.max(0, at))))))
  if (from !== null && to !== null) {
    const [left, right] = [timeToX(period, width, from), timeToX(period, width, to)]
    const isInMark = x < (left + right) / 2
    const outwards = isInMark ? left - x : x - right
    if (outwards <= Math.max(reachPx, markHandle.width) && outwards >= -reachPx) {
      return (moved) => marks.span(isInMark ? to : from, timeAt(moved))
    }
  }
  if (!isShifted && !isSelecting) return null
  const start = timeAt(x)
  return (moved) => marks.span(start, timeAt(moved))
}
