import type { TimeRange } from '../../api/contract/time-range.ts'
import { intervalsWithin, type Interval } from '../timeline/intervals.ts'

/** What of a range is recorded. */
export interface Facts {
  readonly recordedMs: number
  readonly gaps: number
  readonly gapMs: number
}

/** `intervals` are sorted and don't overlap; time outside them is a gap. */
export function factsOf(intervals: readonly Interval[], { from, to }: TimeRange): Facts {
  const fragments = intervalsWithin(intervals, from, to).filter(({ type }) => type === 'fragment')
  let recordedMs = 0
  let gaps = 0
  let at = from
  for (const fragment of fragments) {
    if (fragment.from > at) gaps += 1
    recordedMs += fragment.to - fragment.from
    at = fragment.to
  }
  if (at < to) gaps += 1
  return { recordedMs, gaps, gapMs: to - from - recordedMs }
}

/** The approximate size in bytes; null if `bitrate`, in bits per second, isn't known. */
export const bytesOf = ({ recordedMs }: Facts, bitrate: number | null): number | null =>
  bitrate === null || bitrate <= 0 ? null : Math.round((recordedMs / 1000) * (bitrate / 8))
