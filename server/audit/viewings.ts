import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { Target } from './target.ts'

/** For how long the same is one viewing, and how much of the archive around a moment that is asked for by itself. */
export type Window = { ms: number; pieceMs?: number }

/** Remembers what was watched lately. */
export type Viewings = {
  /** Whether `who` went on with what they were watching within the window, which then begins anew. */
  goesOn: (who: string, target: Target | undefined, window: Window) => boolean
}

type Seen = TimeRange & { at: number }

const viewersAtMost = 10_000
const rangesAtMost = 20
const hourMs = 3_600_000
/** A segment begins before the range that begins in it. */
const longestSegmentMs = 60_000

const rangeOf = ({ from = 0, to }: Partial<Target>, pieceMs: number): TimeRange => {
  if (to !== undefined) return { from, to }
  const begin = Math.floor(from / pieceMs) * pieceMs
  return { from: begin, to: begin + pieceMs }
}

const isSame = (one: TimeRange, other: TimeRange): boolean => one.from === other.from && one.to === other.to

/**
 * A range of the archive is a viewing of its own. A moment goes on with every range that holds it; one that none
 * holds is another viewing, of the hour around it, so that asking for single moments is recorded too.
 */
export const createViewings = (now: () => number): Viewings => {
  const seen = new Map<string, Seen[]>()

  return {
    goesOn: (who, target = { id: '' }, { ms, pieceMs = hourMs }) => {
      const key = `${who} ${target.id}`
      const asked = rangeOf(target, pieceMs)
      const { from = 0 } = target
      const isMoment = target.to === undefined
      const holds = (one: Seen) =>
        isMoment ? one.from - longestSegmentMs <= from && from < one.to : isSame(one, asked)
      const known = seen.get(key) ?? []
      const held = known.filter((one) => now() - one.at < ms && holds(one))
      const rest = known.filter((one) => !held.includes(one) && !isSame(one, asked))
      const fresh = (held.length > 0 ? held : [asked]).map(({ from, to }) => ({ from, to, at: now() }))
      seen.delete(key)
      seen.set(key, [...rest, ...fresh].slice(-rangesAtMost))
      const [oldest] = seen.keys()
      if (seen.size > viewersAtMost && oldest !== undefined) seen.delete(oldest)
      return held.length > 0
    },
  }
}
