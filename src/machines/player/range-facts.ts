import type { TimeRange } from '../../api/contract/time-range.ts'
import { intervalsWithin, type Interval } from '../timeline/intervals.ts'

/** How much of a range is recorded, and its gaps. */
export interface RangeFacts {
  readonly recordedMs: number
  readonly gaps: number
  readonly gapMs: number
}

/** The facts of a range. `intervals` are sorted and don't overlap; time outside them counts as a gap. */
export function rangeFactsOf(intervals: readonly Interval[], { from, to }: TimeRange): RangeFacts {
  const fragments = intervalsWithin(intervals, from, to).filter(({ type }) => type === 'fragment')
  let recordedMs = 0
  let gaps = 0
  let coveredUntil = from
  for (const fragment of fragments) {
    if (fragment.from > coveredUntil) gaps += 1
    recordedMs += fragment.to - fragment.from
    coveredUntil = fragment.to
  }
  if (coveredUntil < to) gaps += 1
  return { recordedMs, gaps, gapMs: to - from - recordedMs }
}

/** The approximate size of the recorded part in bytes; `bitrate` is in bits per second; null if it isn't known. */
export const bytesOf = ({ recordedMs }: RangeFacts, bitrate: number | null): number | null =>
  bitrate === null || bitrate <= 0 ? null : Math.round((recordedMs / 1000) * (bitrate / 8))
