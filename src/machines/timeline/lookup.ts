import type { TimeRange } from '../../api/contract/time-range.ts'
import { firstAfter, type TimelineAnnotation } from './annotations.ts'
import { intervalAt, nextFragmentAfter, type Interval, type LiveWindow } from './intervals.ts'

/**
 * What a query asks for, seen from the moment `at`. `picked`: what to play there. `next`: the fragment or live interval
 * that starts there or later. `previous`: the fragment that ends there or earlier. `preceding`: the fragment that
 * contains the moment before `at`, else the previous one. `nextAnnotation`, `previousAnnotation`: the
 * annotation after or before `at`.
 */
export type Query = {
  readonly kind: 'picked' | 'next' | 'previous' | 'preceding' | 'nextAnnotation' | 'previousAnnotation'
  readonly at: number
}

export const previousQuery = ({ before, isPartial = false }: { before: number; isPartial?: boolean }): Query => ({
  kind: isPartial ? 'preceding' : 'previous',
  at: before,
})

export const annotationQuery = ({ at, direction }: { at: number; direction: 1 | -1 }): Query => ({
  kind: direction === 1 ? 'nextAnnotation' : 'previousAnnotation',
  at,
})

/** Whether the query asks for an annotation. */
export const isOfAnnotations = (query: Query | null): boolean =>
  query?.kind === 'nextAnnotation' || query?.kind === 'previousAnnotation'

/** What is known of a stream's recordings. */
export type Known = {
  readonly intervals: readonly Interval[]
  readonly live: LiveWindow
  /** The recorded days; null until they are known. */
  readonly covered: readonly TimeRange[] | null
  /** From the first to the last recorded moment; null until it is known. */
  readonly recorded: TimeRange | null
}

/** `unknownAt`: the moment to load before the query can be answered. */
export type Lookup =
  | { readonly isKnown: true; readonly interval: Interval | null }
  | { readonly isKnown: false; readonly unknownAt: number }

export type AnnotationLookup =
  | { readonly isKnown: true; readonly annotation: TimelineAnnotation | null }
  | { readonly isKnown: false; readonly unknownAt: number }

const answer = (interval: Interval | null): Lookup => ({ isKnown: true, interval })
const unknown = (unknownAt: number) => ({ isKnown: false, unknownAt }) as const
/** A search ends this far back if the recorded range isn't known. */
const maxSearchBackMs = 30 * 24 * 3600_000

/** The answer for a picked moment is the next fragment: in a gap the one after it, else only if it is known. */
export function lookUp(known: Known, { kind, at }: Query): Lookup {
  if (kind === 'previous') return previousFragment(known, at)
  if (kind === 'preceding') return precedingFragment(known, at)
  if (kind === 'next') return nextPlayable(known, at, { mayBeLive: true })
  const picked = intervalAt(known.intervals, at)
  if (picked === undefined) return unknown(at)
  if (picked.type !== 'gap') return answer(nextFragmentAfter(known.intervals, at) ?? null)
  return nextPlayable(known, at, { mayBeLive: false })
}

function nextPlayable(
  { intervals, live, covered }: Known,
  after: number,
  { mayBeLive }: { readonly mayBeLive: boolean },
): Lookup {
  let at = after
  while (at < live.now) {
    const interval = intervalAt(intervals, at)
    if (interval === undefined) {
      const next = nextCovered(covered, at)
      if (next === at) return unknown(at)
      at = Math.min(next, live.available ? Math.min(live.windowStart, live.now) : live.now)
      if (intervalAt(intervals, at) === undefined) return unknown(at)
      continue
    }
    const isPlayable = interval.type === 'fragment' || (interval.type === 'live' && mayBeLive)
    if (isPlayable && interval.from > after) return answer(interval)
    if (isPlayable && interval.from === after) {
      const isStart = intervalAt(intervals, after - 1) !== undefined || nextCovered(covered, after - 1) !== after - 1
      return isStart ? answer(interval) : unknown(after - 1)
    }
    at = interval.to
  }
  return answer(null)
}

function previousFragment({ intervals, covered, recorded, live }: Known, before: number): Lookup {
  const bound = recorded?.from ?? live.now - maxSearchBackMs
  let at = before - 1
  while (at >= bound) {
    const interval = intervalAt(intervals, at)
    if (interval === undefined) {
      const previous = previousCovered(covered, at)
      if (previous < bound) return answer(null)
      if (intervalAt(intervals, previous) === undefined) return unknown(previous)
      at = previous
      continue
    }
    if (interval.type === 'fragment' && interval.to <= before) {
      if (
        interval.to === before &&
        intervalAt(intervals, before) === undefined &&
        nextCovered(covered, before) === before
      )
        return unknown(before)
      const isWhole = interval.from <= bound || intervalAt(intervals, interval.from - 1) !== undefined
      return isWhole ? answer(interval) : unknown(interval.from - 1)
    }
    at = interval.from - 1
  }
  return answer(null)
}

function precedingFragment({ intervals, covered, recorded, live }: Known, before: number): Lookup {
  const bound = recorded?.from ?? live.now - maxSearchBackMs
  let at = before - 1
  while (at >= bound) {
    const interval = intervalAt(intervals, at)
    if (interval?.type === 'fragment') return answer(interval)
    if (interval === undefined) {
      const previous = previousCovered(covered, at)
      if (previous < bound) return answer(null)
      if (intervalAt(intervals, previous) === undefined) return unknown(previous)
      at = previous
    } else at = interval.from - 1
  }
  return answer(null)
}

/** A seek to an annotation may end just before it; `nextAnnotation` must not find that annotation again. */
const annotationToleranceMs = 500
/** This soon after an annotation, `previousAnnotation` finds the one before it, as music players do. */
const backToleranceMs = 2000

/** The next or previous annotation in recorded time. `loadedAnnotationRanges`: where annotations are loaded. */
export function lookUpAnnotation(
  {
    annotations,
    loadedAnnotationRanges,
    live,
    covered,
    recorded,
  }: Omit<Known, 'intervals'> & {
    readonly annotations: readonly TimelineAnnotation[]
    readonly loadedAnnotationRanges: readonly TimeRange[]
  },
  { kind, at }: Query,
): AnnotationLookup {
  const knownAt = (moment: number) => loadedAnnotationRanges.find(({ from, to }) => from <= moment && moment < to)
  if (kind === 'nextAnnotation') {
    const annotation = annotations[firstAfter(annotations, at + annotationToleranceMs)] ?? null
    const end = Math.min(live.now, annotation?.from ?? Number.POSITIVE_INFINITY)
    for (let moment = at; moment < end; moment = knownAt(moment)?.to ?? nextCovered(covered, moment)) {
      if (knownAt(moment) === undefined && nextCovered(covered, moment) === moment) return unknown(moment)
    }
    return { isKnown: true, annotation: annotation !== null && annotation.from <= live.now ? annotation : null }
  }
  const annotation = annotations[firstAfter(annotations, at - backToleranceMs) - 1] ?? null
  const bound = Math.max(recorded?.from ?? live.now - maxSearchBackMs, annotation?.from ?? 0)
  for (let moment = at; moment >= bound; moment = (knownAt(moment)?.from ?? previousCovered(covered, moment) + 1) - 1) {
    if (knownAt(moment) === undefined && previousCovered(covered, moment) === moment) return unknown(moment)
  }
  return { isKnown: true, annotation }
}

/** The first moment of a recorded day at `at` or later; `at` itself while the days aren't known. */
function nextCovered(covered: readonly TimeRange[] | null, at: number): number {
  if (covered === null) return at
  const days = covered.find(({ to }) => to > at)
  return days === undefined ? Number.POSITIVE_INFINITY : Math.max(at, days.from)
}

/** The last moment of a recorded day at `at` or earlier; `at` itself while the days aren't known. */
function previousCovered(covered: readonly TimeRange[] | null, at: number): number {
  if (covered === null) return at
  const days = covered.findLast(({ from }) => from <= at)
  return days === undefined ? Number.NEGATIVE_INFINITY : Math.min(at, days.to - 1)
}

/** The time range of a day (`YYYY-MM-DD`) in a zone; it may have 23 or 25 hours. */
export function dayPeriod(day: string, zone: string): TimeRange {
  const date = Temporal.PlainDate.from(day)
  return {
    from: date.toZonedDateTime(zone).epochMilliseconds,
    to: date.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds,
  }
}

/** The recorded days as ranges, with adjacent days joined. Today and later days count as recorded, as they may be. */
export function coveredPeriods(days: readonly string[], zone: string, now: number): TimeRange[] {
  const today = Temporal.Instant.fromEpochMilliseconds(Math.floor(now))
    .toZonedDateTimeISO(zone)
    .startOfDay().epochMilliseconds
  const periods: TimeRange[] = []
  for (const period of [
    ...days.toSorted().map((day) => dayPeriod(day, zone)),
    { from: today, to: Number.POSITIVE_INFINITY },
  ]) {
    const last = periods.at(-1)
    if (last !== undefined && period.from <= last.to)
      periods[periods.length - 1] = { from: last.from, to: Math.max(last.to, period.to) }
    else periods.push(period)
  }
  return periods
}
