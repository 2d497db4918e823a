import type { TimeRange } from '../../src/api/contract/time-range.ts'
import type { Caller } from './access.ts'

const nothing: TimeRange = { from: 0, to: 0 }

/** The range of the archive that a caller is limited to; undefined without a limit. */
const boundsOf = (caller: Caller): TimeRange | undefined =>
  caller.kind === 'user' ? undefined : caller.kind === 'share' ? (caller.range ?? nothing) : nothing

export const isLimited = (caller: Caller): boolean => boundsOf(caller) !== undefined

/** The part of a range that a caller may watch; it ends where it begins if there is none. */
export const sharedPart = (caller: Caller, { from, to }: TimeRange): TimeRange => {
  const bounds = boundsOf(caller)
  if (bounds === undefined) return { from, to }
  const start = Math.min(to, Math.max(from, bounds.from))
  return { from: start, to: Math.max(start, Math.min(to, bounds.to)) }
}

export const mayWatch = (caller: Caller, moment: number): boolean => {
  const bounds = boundsOf(caller)
  return bounds === undefined || (bounds.from <= moment && moment < bounds.to)
}

type Times = { start: number; finish: number; duration: number }

/** A segment as a caller may watch it: cut where the share ends, the same object otherwise; undefined if outside. */
export const sharedSegment = <Segment extends Times>(caller: Caller, segment: Segment): Segment | undefined => {
  const bounds = boundsOf(caller)
  if (bounds === undefined) return segment
  const { start, finish } = segment
  if (start >= bounds.to || finish <= bounds.from) return undefined
  return finish <= bounds.to ? segment : { ...segment, finish: bounds.to, duration: (bounds.to - start) / 1000 }
}

/** Pages of segments, as a caller may watch them. */
export const sharedPages = async function* <Segment extends Times>(
  caller: Caller,
  pages: AsyncGenerator<Segment[]>,
): AsyncGenerator<Segment[]> {
  for await (const page of pages) {
    const shared = isLimited(caller) ? page.flatMap((segment) => sharedSegment(caller, segment) ?? []) : page
    if (shared.length > 0) yield shared
  }
}
