import type { Segment } from '../archive/format/segment.ts'
import type { Hit } from './hits.ts'

type Sized = Pick<Segment, 'start' | 'finish' | 'duration' | 'bytes' | 'run'>

/** With fewer segments the usual rate isn't known. */
const minSegments = 8
/**
 * How far above the usual rate a segment with motion is, as a share of it: at the highest and at the lowest
 * sensitivity.
 */
const [minRise, maxRise] = [0.15, 1]

/** The share above the usual rate from which a segment counts as motion. `sensitivity`: from 1 to 100. */
const riseOf = (sensitivity: number): number => maxRise - ((sensitivity - 1) / 99) * (maxRise - minRise)

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const rateOf = ({ bytes, duration }: Sized): number => (duration > 0 ? bytes / duration : 0)

/**
 * Motion by the size of the video: cameras with a variable bit rate send more while something moves. A segment is
 * compared with the median of its run. With a constant bit rate nothing is found.
 */
export const hitsBySize = (segments: readonly Sized[], sensitivity: number): Hit[] => {
  const threshold = riseOf(sensitivity)
  const hits: Hit[] = []
  for (const group of Map.groupBy(segments, ({ run }) => run).values()) {
    if (group.length < minSegments) continue
    const median = medianOf(group.map(rateOf))
    if (median === 0) continue
    const usual = medianOf(group.map(({ duration }) => duration))
    const last = group.at(-1)
    for (const segment of group) {
      // A keyframe with few pictures after it, where a recording ends, says nothing about motion.
      if (segment === last && segment.duration < usual / 2) continue
      const rise = rateOf(segment) / median - 1
      if (rise < threshold) continue
      hits.push({ from: segment.start, to: segment.finish, score: Math.min(1, rise / maxRise), source: 'size' })
    }
  }
  return hits
}
