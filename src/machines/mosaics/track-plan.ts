import type { TimeRange } from '../../api/contract/time-range.ts'
import type { Source } from '../../api/media/controller/media-controller.ts'
import type { RangeChunk } from '../timeline/chunks.ts'
import {
  intervalsWithin,
  intervalAt,
  nextFragmentAfter,
  previousFragmentBefore,
  type Interval,
  type IntervalChunk,
} from '../timeline/intervals.ts'

/** What is recorded at a moment; `unknown`: not fetched yet. */
type Recorded = 'recorded' | 'gap' | 'unknown'

/** What decides the range that a tile loads; `requested`: the range requested before. */
export interface TrackRangeInput {
  readonly intervals: readonly Interval[]
  readonly at: number
  readonly rate: number
  readonly playlistMaxSeconds: number
  readonly requested: TimeRange | null
}

/** `loaded`, `source`: of the tile; `requestedSince`: when the track requested `requested`. */
export interface LoadedInput extends Pick<TrackRangeInput, 'rate' | 'requested'> {
  readonly loaded: TimeRange | null
  readonly source: Source | null
  readonly at: number | null
  readonly now: number
  readonly requestedSince: number
}

/** The recording after a gap is loaded this long before it plays, in wall-clock time. */
const preloadMs = 15_000
/** A range begins at most this long before the moment, so that steps back stay within it. */
const behindMs = 60_000
/** A range ends this long after the moment, multiplied by half of the rate: few reloads, yet a short playlist. */
const aheadMs = 20 * 60_000

export function recordedAt({ intervals, at }: Pick<TrackRangeInput, 'intervals' | 'at'>): Recorded {
  const interval = intervalAt(intervals, at)
  if (interval === undefined) return 'unknown'
  return interval.type === 'gap' ? 'gap' : 'recorded'
}

/**
 * The range that a tile has to load to show the moment; null for none. The range requested before stays while it
 * contains the moment or, shortly before the end of a gap, the start of the next recording. A range that ends in the
 * future grows as recording continues (src/api/media/controller/media-controller.ts, Source).
 */
export function rangeFor(input: TrackRangeInput): TimeRange | null {
  if (input.rate < 0) return rangeBackwards(input)
  const { intervals, at, rate, requested, playlistMaxSeconds } = input
  const here = intervalAt(intervals, at)
  const next = here?.type === 'gap' ? nextFragmentAfter(intervals, at) : here
  if (here === undefined || (next !== undefined && next.from - at > preloadMs * Math.max(1, rate)))
    return stillCovering(requested, at)
  if (next === undefined) return stillCovering(requested, at)
  const needed = Math.max(at, next.from)
  if (stillCovering(requested, needed) !== null) return requested
  const from = Math.max(next.from, needed - behindWithin(playlistMaxSeconds))
  const to = Math.min(needed + aheadMs * Math.max(1, rate / 2), from + playlistMaxSeconds * 1000)
  return { from, to }
}

/** How far a range lies behind the moment: at most a quarter of what one playlist may have. */
const behindWithin = (playlistMaxSeconds: number): number => Math.min(behindMs, playlistMaxSeconds * 250)

/** The same backwards: the range reaches `aheadMs` before the moment, and past a gap into the preceding recording. */
function rangeBackwards({ intervals, at, rate, requested, playlistMaxSeconds }: TrackRangeInput): TimeRange | null {
  const here = intervalAt(intervals, at)
  const last = here?.type === 'gap' ? previousFragmentBefore(intervals, at) : here
  if (last === undefined || at - last.to > preloadMs * -rate) return stillCovering(requested, at)
  const needed = Math.min(at, last.to - 1)
  if (stillCovering(requested, needed) !== null) return requested
  const to = Math.min(last.to, needed + behindWithin(playlistMaxSeconds))
  const from = Math.max(needed - aheadMs * Math.max(1, -rate / 2), to - playlistMaxSeconds * 1000)
  return { from, to }
}

/** The range if it contains the moment. */
const stillCovering = (requested: TimeRange | null, at: number): TimeRange | null =>
  requested !== null && requested.from <= at && at < requested.to ? requested : null

/** The shortest time between two loads of a tile that has only a part of its range. */
const reloadIntervalMs = 5000

/**
 * Whether the range must be loaded again, as the tile has only a part of it: forwards the clock has passed the end of
 * what is loaded, or it is before the moment of a failure, from which the tile has loaded the rest.
 */
export function isOutsideLoaded({ loaded, source, at, rate, now, requested, requestedSince }: LoadedInput): boolean {
  if (loaded === null || source?.kind !== 'archive' || at === null || now - requestedSince <= reloadIntervalMs)
    return false
  const isBeforeRest = requested !== null && requested.from <= at && at < source.from
  return (rate > 0 && at >= loaded.to) || isBeforeRest
}

/** The intervals of a range chunk up to the moment at which it was loaded; the rest was in the future. */
export function knownIntervals({ from, to, loadedAt, content }: RangeChunk<readonly Interval[]>): IntervalChunk {
  const end = Math.max(from, Math.min(to, loadedAt))
  return { from, to: end, intervals: intervalsWithin(content, from, end) }
}
