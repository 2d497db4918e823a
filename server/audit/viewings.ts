import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { Target } from './target.ts'
import { hourMs } from '../durations.ts'
import { monotonicNow } from '../monotonic.ts'

/**
 * `ms`: viewings within this time of each other are one; with `isFixed`, within this time of the first. `pieceMs`: the
 * range that a single moment counts for. `isTimed`: the entry says until when the viewing went on.
 */
export type Window = { ms: number; pieceMs?: number; isFixed?: boolean; isTimed?: boolean }

/** A viewing and its entry, once that is written. `extendedAt`: when its end was last stored (monotonic clock). */
export type Viewing = { readonly since: number; entryId?: number; extendedAt: number }

export type Viewings = {
  /** Remembers a viewing. `isRepeat`: it is part of one that was logged already. */
  see: (viewer: string, target: Target | undefined, window: Window) => { viewing: Viewing; isRepeat: boolean }
  /** Forgets the viewings of a target, as one of them could not be logged. */
  forget: (viewer: string, target: Target | undefined) => void
}

type Seen = TimeRange & { at: number; viewing: Viewing }

const maxViewers = 10_000
const maxRanges = 20
/** Longer than any segment (server/archive/recorder/ingest-session.ts): one may begin so long before a range. */
const maxSegmentMs = 70_000

const rangeOf = ({ from = 0, to }: Partial<Target>, pieceMs: number): TimeRange => {
  if (to !== undefined) return { from, to }
  const begin = Math.floor(from / pieceMs) * pieceMs
  return { from: begin, to: begin + pieceMs }
}

const isSame = (one: TimeRange, other: TimeRange): boolean => one.from === other.from && one.to === other.to

/** Segments within a viewed range belong to its viewing. A moment outside counts as a viewing of the piece it is in. */
export const createViewings = (): Viewings => {
  const seen = new Map<string, Seen[]>()

  return {
    see: (viewer, target = { id: '' }, { ms, pieceMs = hourMs, isFixed = false }) => {
      const key = `${viewer} ${target.id}`
      const viewed = rangeOf(target, pieceMs)
      const { from = 0 } = target
      const isMoment = target.to === undefined
      const contains = (one: Seen) =>
        isMoment ? one.from - maxSegmentMs <= from && from < one.to : isSame(one, viewed)
      const known = seen.get(key) ?? []
      const repeated = known.filter((one) => monotonicNow() - one.at < ms && contains(one))
      const rest = known.filter((one) => !repeated.includes(one) && !isSame(one, viewed))
      const at = monotonicNow()
      const viewing = repeated.at(-1)?.viewing ?? { since: at, extendedAt: at }
      const latest =
        repeated.length === 0 ? [{ ...viewed, at, viewing }] : repeated.map((one) => (isFixed ? one : { ...one, at }))
      seen.delete(key)
      seen.set(key, [...rest, ...latest].slice(-maxRanges))
      const [oldest] = seen.keys()
      if (seen.size > maxViewers && oldest !== undefined) seen.delete(oldest)
      return { viewing, isRepeat: repeated.length > 0 }
    },
    forget: (viewer, target = { id: '' }) => void seen.delete(`${viewer} ${target.id}`),
  }
}
