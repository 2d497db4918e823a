import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Interval } from '../timeline/intervals.ts'

const least = 2 * 60_000
const most = 60 * 60_000

/** An archive playlist that ended this close to its asked end was played to the end; sooner, its fragment was over. */
const endToleranceMs = 15_000

export const isIn = (range: TimeRange | null, at: number): boolean =>
  range !== null && range.from <= at && at < range.to

/**
 * The range to ask a playlist for when `at`, which lies in `fragment`, is to be played (docs/behaviour.md §7): to the
 * end of the fragment, an hour at most; a fragment that ends within two minutes is joined by what follows it. Never
 * longer than `playlistMaxSeconds`, never beyond now.
 */
export function rangeFrom(
  at: number,
  fragment: Pick<Interval, 'to'>,
  limits: { playlistMaxSeconds: number; now: number },
): TimeRange {
  const wanted = Math.min(at + most, Math.max(fragment.to, at + least))
  const allowed = Math.min(wanted, at + limits.playlistMaxSeconds * 1000, Math.max(limits.now, at + 1000))
  return { from: at, to: allowed }
}

/** Whether the end of the video is the end of what was asked for, rather than of a fragment before it. */
export const isWholePlayed = (range: TimeRange, at: number): boolean => at >= range.to - endToleranceMs
