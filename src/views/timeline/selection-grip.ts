import type { TimeRange } from '../../api/contract/time-range.ts'
import { timeToX, xToTime } from '../../machines/timeline/timeline-geometry.ts'
import { type BandScene, markHandle } from './band.ts'

/** Reads the in and out marks, in every animation frame, and sets them to the ends of a range, in any order. */
export interface InOutMarksPort {
  read(): BandScene['selection']
  span(from: number, to: number): void
}

interface Press {
  /** By touch, which needs larger handles. */
  readonly isWide: boolean
  readonly isShifted: boolean
  readonly isSelecting: boolean
}

/**
 * Returns what moving the pointer does after a press at `x`: it moves the mark near the press or, with Shift or while
 * selecting, selects from the press to the pointer; null if it does neither. No mark is set after now.
 */
export function selectionGrip(
  marks: InOutMarksPort,
  { period, now, width }: { period: TimeRange; now: number; width: number },
  x: number,
  { isWide, isShifted, isSelecting }: Press,
): ((x: number) => void) | null {
  const { from, to } = marks.read()
  const reachPx = isWide ? 22 : 7
  const timeAt = (px: number) =>
    Math.round(Math.min(now, Math.max(period.from, xToTime(period, width, Math.min(width, Math.max(0, px))))))
  if (from !== null && to !== null) {
    const [left, right] = [timeToX(period, width, from), timeToX(period, width, to)]
    const isInMark = x < (left + right) / 2
    const outwards = isInMark ? left - x : x - right
    if (outwards <= Math.max(reachPx, markHandle.width) && outwards >= -reachPx) {
      return (movedX) => marks.span(isInMark ? to : from, timeAt(movedX))
    }
  }
  if (!isShifted && !isSelecting) return null
  const start = timeAt(x)
  return (movedX) => marks.span(start, timeAt(movedX))
}
