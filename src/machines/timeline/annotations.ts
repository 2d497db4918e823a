import type { Annotation } from '../../api/contract/archive.ts'
import type { RangeChunk } from './chunks.ts'

/** An annotation as the timeline draws it; `from` and `to` are equal for a single moment. */
export type TimelineAnnotation = {
  readonly type: string
  readonly from: number
  readonly to: number
  readonly isEvent: boolean
  /** By a detector: the class of the object, and the confidence from 0 to 1. */
  readonly label?: string
  readonly score?: number
}

/** An event is drawn in another colour than other types (docs/behaviour.md §7). An end before the start is ignored. */
export const timelineAnnotationOf = ({ type, time, timeEnd, label = '', score }: Annotation): TimelineAnnotation => ({
  type,
  from: time,
  to: Math.max(time, timeEnd ?? time),
  isEvent: type === 'event',
  ...(label === '' ? {} : { label }),
  ...(score === undefined ? {} : { score }),
})

const lengths = new WeakMap<readonly TimelineAnnotation[], number>()

/**
 * The length of the longest annotation: what begins earlier before a moment doesn't reach it. Computed once for a
 * list.
 */
export function longestOf(annotations: readonly TimelineAnnotation[]): number {
  const known = lengths.get(annotations)
  if (known !== undefined) return known
  const longest = annotations.reduce((most, { from, to }) => Math.max(most, to - from), 0)
  lengths.set(annotations, longest)
  return longest
}

/**
 * The annotations of all chunks, by their start; one that is in several chunks counts once. Only those with the same
 * start are compared: a key for each of thousands would take longer than a frame of a slow machine.
 */
export function mergeAnnotations(chunks: readonly RangeChunk<readonly TimelineAnnotation[]>[]): TimelineAnnotation[] {
  const merged: TimelineAnnotation[] = []
  let first = 0
  for (const each of chunks.flatMap(({ content }) => content).sort((a, b) => a.from - b.from)) {
    if (merged[first]?.from !== each.from) first = merged.length
    let index = first
    while (index < merged.length && !isRepeated(merged[index], each)) index += 1
    merged[index] = each
  }
  return merged
}

const isRepeated = (one: TimelineAnnotation | undefined, other: TimelineAnnotation): boolean =>
  one?.to === other.to && one.type === other.type && one.label === other.label

export const isSameAnnotation = (one: TimelineAnnotation, other: TimelineAnnotation | undefined): boolean =>
  one.from === other?.from &&
  one.to === other.to &&
  one.type === other.type &&
  one.label === other.label &&
  one.score === other.score

/** The index of the first annotation that starts after `at`; `annotations.length` if there is none. */
export function firstAfter(annotations: readonly TimelineAnnotation[], at: number): number {
  let low = 0
  let high = annotations.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((annotations[middle]?.from ?? Number.POSITIVE_INFINITY) > at) high = middle
    else low = middle + 1
  }
  return low
}
