import type { TimeRange } from '../../api/contract/time-range.ts'
import { firstAfter, longestOf, type TimelineAnnotation } from './annotations.ts'

/** An annotation without a length counts as being at the playhead for this long. */
const lingerMs = 5000

/** The annotations that overlap the range. */
export function annotationsWithin(
  annotations: readonly TimelineAnnotation[],
  { from, to }: TimeRange,
): TimelineAnnotation[] {
  const first = firstAfter(annotations, from - longestOf(annotations) - 1)
  return annotations.slice(first, firstAfter(annotations, to)).filter((annotation) => annotation.to >= from)
}

/** The types of the annotations with the number of each: events first, then the most frequent. */
export function typesOf(
  annotations: readonly TimelineAnnotation[],
): { readonly type: string; readonly isEvent: boolean; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const { type } of annotations) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts]
    .map(([type, count]) => ({ type, isEvent: type === 'event', count }))
    .sort((a, b) => Number(b.isEvent) - Number(a.isEvent) || b.count - a.count || (a.type < b.type ? -1 : 1))
}

/**
 * The index of the last range that contains the playhead `at` (`isAt`), else of the last one before it; -1 if there is
 * none.
 */
export function nearest(
  ranges: readonly TimeRange[],
  at: number | null,
): { readonly index: number; readonly isAt: boolean } {
  if (at === null) return { index: -1, isAt: false }
  const containing = ranges.findLastIndex(({ from, to }) => from <= at && at <= Math.max(to, from + lingerMs))
  return containing >= 0
    ? { index: containing, isAt: true }
    : { index: ranges.findLastIndex(({ from }) => from <= at), isAt: false }
}

/**
 * A row of the list of events and recordings: the heading of a day, or a range of that day with its index. `key` stays
 * when ranges before it come or go.
 */
export type Row<T> =
  | { readonly kind: 'day'; readonly at: number }
  | { readonly kind: 'range'; readonly range: T; readonly index: number; readonly key: string }

/** The rows of a list. `dayOf` numbers the day of a moment, in the zone of the list. */
export function rowsOf<T extends TimeRange>(ranges: readonly T[], dayOf: (at: number) => number): Row<T>[] {
  const rows: Row<T>[] = []
  let lastDay = Number.NaN
  let same = 0
  ranges.forEach((range, index) => {
    same = ranges[index - 1]?.from === range.from ? same + 1 : 0
    const day = dayOf(range.from)
    if (day !== lastDay) rows.push({ kind: 'day', at: range.from })
    lastDay = day
    rows.push({ kind: 'range', range, index, key: `${range.from} ${same}` })
  })
  return rows
}
