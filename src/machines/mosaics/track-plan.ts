import type { TimeRange } from '../../api/contract/time-range.ts'
import type { RangeChunk } from '../timeline/chunks.ts'
import { clip, intervalAt, nextFragmentAfter, type Interval, type IntervalChunk } from '../timeline/intervals.ts'

export type TrackLook = 'recorded' | 'gap' | 'unknown'

export interface TrackMoment {
  readonly intervals: readonly Interval[]
  readonly at: number
  readonly rate: number
  readonly playlistMaxSeconds: number
  readonly requested: TimeRange | null
}

/** Loads what follows a gap this long before its turn, in milliseconds of watching. */
const readyMs = 15_000
const behindMs = 60_000
/** Long enough for few reloads, short enough for a playlist that is read at once. */
const aheadMs = 20 * 60_000

export function lookAt({ intervals, at }: Pick<TrackMoment, 'intervals' | 'at'>): TrackLook {
  const interval = intervalAt(intervals, at)
  if (interval === undefined) return 'unknown'
  return interval.type === 'gap' ? 'gap' : 'recorded'
}

/**
 * The range that a tile has to hold for a moment; null for none. It stays the one it was aimed at as long as that holds
 * the moment or, shortly before the end of a gap, the start of what follows. A new one begins a little earlier than it
 * need, so that steps back stay in it; its end may still be to come: then it grows (media controller.ts, Source).
 */
export function rangeFor(moment: TrackMoment): TimeRange | null {
  const { intervals, at, rate, requested, playlistMaxSeconds } = moment
  const here = intervalAt(intervals, at)
  const next = here?.type === 'gap' ? nextFragmentAfter(intervals, at) : here
  if (here === undefined || (next !== undefined && next.from - at > readyMs * Math.max(1, rate)))
    return keptAt(requested, at)
  if (next === undefined) return keptAt(requested, at)
  const needed = Math.max(at, next.from)
  if (keptAt(requested, needed) !== null) return requested
  const from = Math.max(next.from, needed - behindMs)
  const to = Math.min(needed + aheadMs * Math.max(1, rate / 2), from + playlistMaxSeconds * 1000)
  return { from, to }
}

const keptAt = (requested: TimeRange | null, at: number): TimeRange | null =>
  requested !== null && requested.from <= at && at < requested.to ? requested : null

/** A tile whose range ended early reloads, but only this often. */
const reloadPauseMs = 5000

/** Whether the clock has passed the end of what a tile could load: the server can't let the range grow. */
export const isOutrun = ({
  loaded,
  at,
  now,
  requestedSince,
}: {
  readonly loaded: TimeRange | null
  readonly at: number | null
  readonly now: number
  readonly requestedSince: number
}): boolean => loaded !== null && at !== null && at >= loaded.to && now - requestedSince > reloadPauseMs

/** The part of an answer that was in the past when it came; the rest is unknown. */
export function knownOf({ from, to, loadedAt, content }: RangeChunk<readonly Interval[]>): IntervalChunk {
  const end = Math.max(from, Math.min(to, loadedAt))
  return { from, to: end, intervals: clip(content, from, end) }
}
