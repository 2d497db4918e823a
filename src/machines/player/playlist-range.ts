import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Interval } from '../timeline/intervals.ts'

const minLengthMs = 2 * 60_000
const maxLengthMs = 60 * 60_000

/** The live window ends at most this long before now; if it seems longer, the clocks of browser and server differ. */
const maxLiveDelayMs = 60_000

/** How far the live window reaches back from now. */
export const liveWindowMs = ({ from, to }: TimeRange, now: number): number =>
  Math.min(to - from + maxLiveDelayMs, Math.max(to - from, now - from))

/** Playback that ends this close to the end of its range has played all of it; if sooner, a fragment ended. */
const endToleranceMs = 15_000

/** Whether the range, if there is one, contains the moment. */
export const isIn = (range: TimeRange | null, at: number): boolean =>
  range !== null && range.from <= at && at < range.to

/**
 * The range of the playlist that plays `at`, which lies in `fragment` (docs/behaviour.md §7): to the end of the
 * fragment, at least two minutes and at most an hour, within `playlistMaxSeconds` and not beyond now.
 */
export function rangeFrom(
  at: number,
  fragment: Pick<Interval, 'to'>,
  limits: { playlistMaxSeconds: number; now: number },
): TimeRange {
  const end = Math.min(at + maxLengthMs, Math.max(fragment.to, at + minLengthMs))
  const to = Math.min(end, at + limits.playlistMaxSeconds * 1000, Math.max(limits.now, at + 1000))
  return { from: at, to }
}

/** The range of the playlist that plays `fragment` backwards from `at`; its length has the same limits as forwards. */
export function rangeBack(
  at: number,
  fragment: Pick<Interval, 'from'>,
  { playlistMaxSeconds }: { playlistMaxSeconds: number },
): TimeRange {
  const start = Math.max(at - maxLengthMs, Math.min(fragment.from, at - minLengthMs))
  return { from: Math.max(start, at - playlistMaxSeconds * 1000), to: at }
}

/** Whether playback that ended at `at` played the whole range, rather than a fragment within it. */
export const isPlayedWhole = (range: TimeRange, at: number): boolean => at >= range.to - endToleranceMs
