import type { Interval } from '../timeline/intervals.ts'

const least = 2 * 60_000
const most = 60 * 60_000

/** An archive playlist that ended this close to its asked end was played to the end; sooner, its fragment was over. */
const endToleranceMs = 15_000

/** A stretch of the archive, epoch milliseconds. */
export type Stretch = { readonly from: number; readonly to: number }

export const isIn = (stretch: Stretch | null, at: number): boolean => stretch !== null && stretch.from <= at && at < stretch.to

/**
 * The stretch to ask a playlist for when `at`, which lies in `fragment`, is to be played (docs/behaviour.md §7): to the end of the
 * fragment, an hour at most; a fragment that ends within two minutes is joined by what follows it. Never longer than
 * `playlistMaxSeconds`, never beyond now.
 */
export function stretchFrom(at: number, fragment: Pick<Interval, 'to'>, limits: { playlistMaxSeconds: number; now: number }): Stretch {
  const wanted = Math.min(at + most, Math.max(fragment.to, at + least))
  const allowed = Math.min(wanted, at + limits.playlistMaxSeconds * 1000, Math.max(limits.now, at + 1000))
  return { from: at, to: allowed }
}

/** Whether the end of the video is the end of what was asked for, rather than of a fragment before it. */
export const isWholePlayed = (stretch: Stretch, at: number): boolean => at >= stretch.to - endToleranceMs
