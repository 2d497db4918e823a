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

const lengths = new WeakMap<readonly Mark[], number>()

/** The length of the longest mark: what begins earlier before a moment doesn't reach it. Computed once for a list. */
export function longestOf(marks: readonly Mark[]): number {
  const known = lengths.get(marks)
  if (known !== undefined) return known
  const longest = marks.reduce((most, { from, to }) => Math.max(most, to - from), 0)
  lengths.set(marks, longest)
  return longest
}

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
