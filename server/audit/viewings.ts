import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { Target } from './target.ts'
import { hourMs } from '../durations.ts'

/** `ms`: repeats within it are one viewing; `pieceMs`: the range assumed around a single moment. */
export type Window = { ms: number; pieceMs?: number }

export type Viewings = {
  goesOn: (who: string, target: Target | undefined, window: Window) => boolean
}

type Seen = TimeRange & { at: number }

const maxViewers = 10_000
const maxRanges = 20
const maxSegmentMs = 60_000

const rangeOf = ({ from = 0, to }: Partial<Target>, pieceMs: number): TimeRange => {
  if (to !== undefined) return { from, to }
  const begin = Math.floor(from / pieceMs) * pieceMs
  return { from: begin, to: begin + pieceMs }
}

const isSame = (one: TimeRange, other: TimeRange): boolean => one.from === other.from && one.to === other.to

/** A moment outside the ranges asked for is a viewing of its hour, so that single moments are logged, too. */
export const createViewings = (now: () => number): Viewings => {
  const seen = new Map<string, Seen[]>()

  return {
    goesOn: (who, target = { id: '' }, { ms, pieceMs = hourMs }) => {
      const key = `${who} ${target.id}`
      const asked = rangeOf(target, pieceMs)
      const { from = 0 } = target
      const isMoment = target.to === undefined
      const holds = (one: Seen) => (isMoment ? one.from - maxSegmentMs <= from && from < one.to : isSame(one, asked))
      const known = seen.get(key) ?? []
      const held = known.filter((one) => now() - one.at < ms && holds(one))
      const rest = known.filter((one) => !held.includes(one) && !isSame(one, asked))
      const fresh = (held.length > 0 ? held : [asked]).map(({ from, to }) => ({ from, to, at: now() }))
      seen.delete(key)
      seen.set(key, [...rest, ...fresh].slice(-maxRanges))
      const [oldest] = seen.keys()
      if (seen.size > maxViewers && oldest !== undefined) seen.delete(oldest)
      return held.length > 0
    },
  }
}
