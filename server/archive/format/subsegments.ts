import type { Subsegment } from '../../media/subsegments.ts'
import type { ListedSegment } from './segment.ts'

/** So the first picture of a transcode is there long before its segment, which may have a minute. */
const subsegmentSeconds = 0.5

type Times = Pick<ListedSegment, 'start' | 'duration'>

const countOf = ({ duration }: Pick<Times, 'duration'>): number => Math.max(1, Math.round(duration / subsegmentSeconds))

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

/** The segment with the subsegment that begins at `start`, epoch milliseconds. */
export const findSubsegment = <T extends Times>(
  segments: readonly T[],
  start: number,
): { segment: T; subsegment: Subsegment } | undefined => {
  for (const segment of segments) {
    const subsegment = subsegmentAt(segment, start)
    if (subsegment !== undefined) return { segment, subsegment }
  }
  return undefined
}

/** A segment never has as many: it ends after 66 s (docs/decisions.md). */
const mostSubsegments = 256

/**
 * The number of a segment's first subsegment among all of a live stream. It never decreases, also where nothing is
 * known of the segment before, as after a restart.
 */
export const subsequenceOf = (
  { sequence }: { sequence: number },
  before: (Pick<Times, 'duration'> & { sequence: number; subsequence: number }) | undefined,
): number => (before?.sequence === sequence - 1 ? before.subsequence + countOf(before) : sequence * mostSubsegments)
