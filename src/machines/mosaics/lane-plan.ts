import type { Stretch } from '../player/stretch.ts'
import { intervalAt, nextFragmentAfter, type Interval } from '../timeline/intervals.ts'

/** How a camera stands at a moment: recorded, in a gap, or not known yet. */
export type LaneLook = 'recorded' | 'gap' | 'unknown'

export interface LaneMoment {
  readonly intervals: readonly Interval[]
  /** The moment of the one clock, and how fast it goes on. */
  readonly at: number
  readonly rate: number
  readonly playlistMaxSeconds: number
  /** The stretch that the tile was aimed at last, if it is good for anything still. */
  readonly aimed: Stretch | null
}

/** What follows a gap is made ready this long before its turn, in milliseconds of watching. */
const readyMs = 15_000
const behindMs = 60_000
/** Long enough for few reloads, short enough for a playlist that is read at once. */
const aheadMs = 20 * 60_000

export function lookAt({ intervals, at }: Pick<LaneMoment, 'intervals' | 'at'>): LaneLook {
  const interval = intervalAt(intervals, at)
  if (interval === undefined) return 'unknown'
  return interval.type === 'gap' ? 'gap' : 'recorded'
}

/**
 * The stretch that a tile has to hold for a moment; null for none. It stays the one it was aimed at as long as that holds
 * the moment or, shortly before the end of a gap, the start of what follows. A new one begins a little earlier than it
 * need, so that steps back stay in it; its end may still be to come: then it grows (stage.ts, Source).
 */
export function stretchFor(moment: LaneMoment): Stretch | null {
  const { intervals, at, rate, aimed, playlistMaxSeconds } = moment
  const here = intervalAt(intervals, at)
  const next = here?.type === 'gap' ? nextFragmentAfter(intervals, at) : here
  if (here === undefined || (next !== undefined && next.from - at > readyMs * Math.max(1, rate))) return keptAt(aimed, at)
  if (next === undefined) return keptAt(aimed, at)
  const needed = Math.max(at, next.from)
  if (keptAt(aimed, needed) !== null) return aimed
  const from = Math.max(next.from, needed - behindMs)
  const to = Math.min(needed + aheadMs * Math.max(1, rate / 2), from + playlistMaxSeconds * 1000)
  return { from, to }
}

const keptAt = (aimed: Stretch | null, at: number): Stretch | null => (aimed !== null && aimed.from <= at && at < aimed.to ? aimed : null)
