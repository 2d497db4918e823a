import type { TimeRange } from '../../src/api/contract/time-range.ts'

/** What a result is derived from: the motion index, or the sizes of segments. */
type Source = 'picture' | 'size'

/** A range with motion; `score` from 0 to 1. */
export type Hit = TimeRange & { score: number; source: Source }
/** A range that was searched. */
export type Covered = TimeRange & { source: Source }

/** Ranges are joined unless a longer pause is between them. */
const joinMs = 2000

/** Adds ranges in the order of their starts, and joins neighbours of the same source. */
const joinTo = <T extends Covered>(joined: T[], ranges: readonly T[], merge: (into: T, next: T) => T): void => {
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && last.source === range.source && range.from - last.to <= joinMs)
      joined[joined.length - 1] = merge(last, range)
    else joined.push(range)
  }
}

export const joinHits = (joined: Hit[], hits: readonly Hit[]): void =>
  joinTo(joined, hits, (into, { to, score }) => ({
    ...into,
    to: Math.max(into.to, to),
    score: Math.max(into.score, score),
  }))

export const joinCovered = (joined: Covered[], ranges: readonly Covered[]): void =>
  joinTo(joined, ranges, (into, { to }) => ({ ...into, to: Math.max(into.to, to) }))

/** The parts of a range that ordered ranges don't cover. Shorter ones than `minMs` are left out. */
export const uncovered = ({ from, to }: TimeRange, covered: readonly TimeRange[], minMs: number): TimeRange[] => {
  const gaps: TimeRange[] = []
  let at = from
  for (const range of covered) {
    if (range.from - at >= minMs) gaps.push({ from: at, to: Math.min(range.from, to) })
    at = Math.max(at, range.to)
  }
  if (to - at >= minMs) gaps.push({ from: at, to })
  return gaps
}
