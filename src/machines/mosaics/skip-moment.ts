import { intervalAt, nextFragmentAfter, previousFragmentBefore, type Interval } from '../timeline/intervals.ts'

/**
 * The start of the next (1) or previous (-1) fragment of any camera; null if none is known. As in the player, the
 * fragment that contains the moment is neither.
 */
export function skipMoment(recordings: readonly (readonly Interval[])[], at: number, direction: 1 | -1): number | null {
  const starts = recordings.flatMap((intervals) => {
    const fragment = direction === 1 ? nextFragmentAfter(intervals, at + 1) : previousFragmentBefore(intervals, at)
    // Before it nothing is known: it may begin earlier.
    const isCut = fragment === undefined || intervalAt(intervals, fragment.from - 1) === undefined
    return isCut ? [] : [fragment.from]
  })
  if (starts.length === 0) return null
  return direction === 1 ? Math.min(...starts) : Math.max(...starts)
}
