import type { Annotation } from '../../api/contract/archive.ts'
import type { RangeChunk } from './chunks.ts'

/** An annotation as the timeline draws it; `from` and `to` are equal for a single moment. */
export type Mark = {
  readonly type: string
  readonly from: number
  readonly to: number
  readonly isEvent: boolean
  /** By a detector: the class of the object, and the confidence from 0 to 1. */
  readonly label?: string
  readonly score?: number
}

/** An event is drawn in another colour than other types (docs/behaviour.md §7). An end before the start is ignored. */
export const markOf = ({ type, time, timeEnd, label = '', score }: Annotation): Mark => ({
  type,
  from: time,
  to: Math.max(time, timeEnd ?? time),
  isEvent: type === 'event',
  ...(label === '' ? {} : { label }),
  ...(score === undefined ? {} : { score }),
})

/** Longer marks may be missing where their start is outside the period. */
export const maxMarkMs = 24 * 3600_000

/** The marks of all chunks, by their start; one that is in several chunks counts once. */
export function mergeMarks(chunks: readonly RangeChunk<readonly Mark[]>[]): Mark[] {
  const byKey = new Map<string, Mark>()
  for (const { content } of chunks)
    for (const mark of content) byKey.set(`${mark.from} ${mark.to} ${mark.type} ${mark.label ?? ''}`, mark)
  return [...byKey.values()].sort((a, b) => a.from - b.from)
}

/** The index of the first mark that starts after `at`; `marks.length` if there is none. */
export function firstAfter(marks: readonly Mark[], at: number): number {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((marks[middle]?.from ?? Number.POSITIVE_INFINITY) > at) high = middle
    else low = middle + 1
  }
  return low
}
