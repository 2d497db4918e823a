import type { TimeRange } from '../../api/contract/time-range.ts'

/** The limit in whole seconds, at least one, as the server applies it. */
const wholeSeconds = (maxSeconds: number) => Math.max(1, Math.trunc(maxSeconds))
const secondsOf = ({ from, to }: TimeRange) => Math.ceil((to - from) / 1000)

export const partCount = (range: TimeRange, maxSeconds: number): number =>
  Math.ceil(secondsOf(range) / wholeSeconds(maxSeconds))

/** The fewest parts of at most `maxSeconds` each: adjacent, about equally long, cut at whole seconds from the start. */
export function partsOf(range: TimeRange, maxSeconds: number): TimeRange[] {
  const { from, to } = range
  const seconds = secondsOf(range)
  const count = partCount(range, maxSeconds)
  const cut = (index: number) => (index === count ? to : from + Math.floor((index * seconds) / count) * 1000)
  return Array.from({ length: count }, (_, index) => ({ from: cut(index), to: cut(index + 1) }))
}
