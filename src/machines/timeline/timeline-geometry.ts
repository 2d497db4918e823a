import type { TimeRange } from '../../api/contract/time-range.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** docs/behaviour.md §8, timeline. Lengths are in milliseconds. */
const zoomFactor = 1.5
export const minPeriod = 5 * minuteMs
export const maxPeriod = 24 * hourMs
export const aheadOfNow = 3 * hourMs
const behindNow = 20 * hourMs
const minRefreshInterval = 3500

export const lengthOf = ({ from, to }: TimeRange): number => to - from

/** From 20 hours before now to 3 hours ahead (docs/behaviour.md §8). */
export const defaultPeriod = (now: number): TimeRange => periodFrom(now - behindNow, behindNow + aheadOfNow)

/** Pixels from the left edge of a band that is `width` px wide: below 0 or above `width` outside of it. */
export const timeToX = (period: TimeRange, width: number, at: number): number =>
  ((at - period.from) / lengthOf(period)) * width

export const xToTime = (period: TimeRange, width: number, x: number): number =>
  period.from + (x / width) * lengthOf(period)

/** Whether two periods differ by less than a sixteenth of their length. */
export const isNear = (a: TimeRange, b: TimeRange): boolean =>
  Math.max(Math.abs(a.from - b.from), Math.abs(a.to - b.to)) < lengthOf(b) / 16

export const contains = ({ from, to }: TimeRange, at: number): boolean => from <= at && at <= to

/** Whether the period exceeds 5 minutes (docs/behaviour.md §8). */
export const canZoomIn = (period: TimeRange): boolean => lengthOf(period) > minPeriod

/** Whether the period is under 24 hours (docs/behaviour.md §8). */
export const canZoomOut = (period: TimeRange): boolean => lengthOf(period) < maxPeriod

/**
 * A factor above 1 shows less time; `at` keeps its position. The period stays between 5 minutes and 24 hours
 * (docs/behaviour.md §8).
 */
export function zoomAt(period: TimeRange, factor: number, at: number): TimeRange {
  const length = lengthOf(period)
  const zoomed = Math.min(maxPeriod, Math.max(minPeriod, length / factor))
  return periodFrom(at - ((at - period.from) / length) * zoomed, zoomed)
}

export const zoomIn = (period: TimeRange, at: number | null): TimeRange =>
  canZoomIn(period) ? zoomAt(period, zoomFactor, anchor(period, at)) : period

/**
 * The end of the period stays if it is 3 hours or more ahead of now (docs/behaviour.md §8), else it moves to there at
 * most. With a tolerance of a minute, so that the end of the default period stays while now moves on.
 */
export function zoomOut(period: TimeRange, at: number | null, now: number, factor = zoomFactor): TimeRange {
  if (!canZoomOut(period)) return period
  const zoomed = zoomAt(period, 1 / factor, anchor(period, at))
  const limit = now + aheadOfNow
  const end = period.to > limit - minuteMs ? period.to : limit
  return zoomed.to > end ? periodFrom(end - lengthOf(zoomed), lengthOf(zoomed)) : zoomed
}

export const moveByQuarter = (period: TimeRange, direction: -1 | 1): TimeRange =>
  periodFrom(period.from + (direction * lengthOf(period)) / 4, lengthOf(period))

/** A period of the same length with `at` in the middle (docs/behaviour.md §8). */
export const centreOn = (period: TimeRange, at: number): TimeRange =>
  periodFrom(at - lengthOf(period) / 2, lengthOf(period))

/** Moves the start of the period to `to`, but not beyond now. */
export const panTo = (period: TimeRange, to: number, now: number): TimeRange =>
  periodFrom(Math.min(to, now), lengthOf(period))

/**
 * The period that follows the playhead when that leaves it. A playhead that leaves at the end is then at the first
 * quarter, one that leaves at the start at the last quarter.
 */
export function followPlayhead(period: TimeRange, before: number | null, playhead: number | null): TimeRange {
  if (before === null || playhead === null || !contains(period, before) || contains(period, playhead)) return period
  const share = playhead > period.to ? 1 / 4 : 3 / 4
  return periodFrom(playhead - share * lengthOf(period), lengthOf(period))
}

/**
 * A period of the length `span` (null: the default) that contains the moment `at` (null: now). The present period stays
 * if it is such a one. Else the period lies around now as the default one does, if it then contains the moment; if not,
 * the moment is in its middle.
 */
export function periodShowing(
  period: TimeRange,
  { at, span }: { at: number | null; span: number | null },
  now: number,
): TimeRange {
  const length = span ?? behindNow + aheadOfNow
  const isKept = length === lengthOf(period)
  const shown = at ?? now
  if (isKept && contains(period, shown)) return period
  const aroundNow = periodFrom(now - (length * behindNow) / (behindNow + aheadOfNow), length)
  return at === null || contains(aroundNow, at) ? aroundNow : centreOn(aroundNow, at)
}

/** The period moved and shortened into the bounds; around the bounds if they are shorter than any period. */
export function within(period: TimeRange, bounds: TimeRange | null): TimeRange {
  if (bounds === null) return period
  const length = Math.max(minPeriod, Math.min(lengthOf(period), lengthOf(bounds)))
  const from = Math.max(bounds.from, Math.min(period.from, bounds.to - length))
  return periodFrom(length < lengthOf(bounds) ? from : (bounds.from + bounds.to - length) / 2, length)
}

/** Milliseconds between refreshes: six times the seconds per pixel, at least 3500 (docs/behaviour.md §8). */
export const refreshInterval = (period: TimeRange, width: number): number =>
  Math.max(minRefreshInterval, (6 * lengthOf(period)) / Math.max(1, width))

/** The moment that keeps its position: `at` if it is in the period, else the middle. */
const anchor = (period: TimeRange, at: number | null): number =>
  at !== null && contains(period, at) ? at : (period.from + period.to) / 2

function periodFrom(from: number, length: number): TimeRange {
  const start = Math.max(0, Math.round(from))
  return { from: start, to: start + Math.round(length) }
}
