import type { Segment } from '../archive/segment.ts'
import type { Hit } from './hits.ts'

type Sized = Pick<Segment, 'start' | 'finish' | 'duration' | 'bytes' | 'run'>

/** The usual rate is known from so many segments. */
const minSegments = 8
/** How far above the usual rate a segment is: at the highest sensitivity, and at the lowest one. */
const [leastRise, mostRise] = [0.15, 1]

/** The factor above the usual rate, less 1, from which on a segment has motion. */
const riseOf = (sensitivity: number): number => mostRise - ((sensitivity - 1) / 99) * (mostRise - leastRise)

const rateOf = ({ bytes, duration }: Sized): number => (duration > 0 ? bytes / duration : 0)

/**
 * Motion by the size of the video: cameras with a variable bit rate send more while something moves. A segment is
 * compared with the median of its run. With a constant bit rate nothing is found.
 */
export const hitsBySize = (segments: readonly Sized[], sensitivity: number): Hit[] => {
  const least = riseOf(sensitivity)
  const hits: Hit[] = []
  for (const group of Map.groupBy(segments, ({ run }) => run).values()) {
    if (group.length < minSegments) continue
    const median = group.map(rateOf).toSorted((a, b) => a - b)[Math.floor(group.length / 2)] ?? 0
    if (median === 0) continue
    for (const segment of group) {
      const rise = rateOf(segment) / median - 1
      if (rise < least) continue
      hits.push({ from: segment.start, to: segment.finish, score: Math.min(1, rise / mostRise), source: 'size' })
    }
  }
  return hits
}
