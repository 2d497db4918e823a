import type { Subsegment } from '../../media/subsegments.ts'
import type { ListedSegment } from '../format/segment.ts'

/** So the first picture of a transcode is there long before its segment, which may have a minute. */
const subsegmentSeconds = 0.5

type Times = Pick<ListedSegment, 'start' | 'duration'>

const countOf = ({ duration }: Times): number => Math.max(1, Math.round(duration / subsegmentSeconds))

const startOf = (segment: Times, index: number): number =>
  segment.start + Math.round((segment.duration * 1000 * index) / countOf(segment))

/** The subsegments of a segment, as a playlist lists them. */
export const subsegmentsOf = (segment: ListedSegment): ListedSegment[] => {
  const count = countOf(segment)
  return Array.from({ length: count }, (_, index) => ({
    ...segment,
    start: startOf(segment, index),
    finish: index + 1 === count ? segment.finish : startOf(segment, index + 1),
    duration: segment.duration / count,
  }))
}

/** The subsegment that begins at `start`, epoch milliseconds; undefined if none does. */
export const subsegmentAt = (segment: Times, start: number): Subsegment | undefined => {
  const count = countOf(segment)
  const index = Math.round(((start - segment.start) / (segment.duration * 1000)) * count)
  return index >= 0 && index < count && startOf(segment, index) === start ? { index, count } : undefined
}
