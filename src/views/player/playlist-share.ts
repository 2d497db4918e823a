import type { TimeRange } from '../../api/contract/time-range.ts'
import { clip } from '../../machines/timeline/intervals.ts'

/** How much of a playlist is played and held ready: shares of its length, 0…1. */
export interface PlaylistShare {
  readonly played: number
  readonly buffered: readonly TimeRange[]
}

/** `at` is the moment on the screen. */
export function shareOf({ from, to }: TimeRange, at: number, buffered: readonly TimeRange[]): PlaylistShare {
  const length = Math.max(1, to - from)
  const share = (moment: number) => Math.min(1, Math.max(0, (moment - from) / length))
  const held = clip(
    buffered.map((range) => ({ type: 'fragment', ...range })),
    from,
    to,
  )
  return { played: share(at), buffered: held.map((range) => ({ from: share(range.from), to: share(range.to) })) }
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

/** The ranges as a gradient of hard stops, so that however many there are, one element draws them. */
export function gradientOf(ranges: readonly TimeRange[], colour: string): string {
  const stops = ranges.map(
    ({ from, to }) =>
      `transparent ${percent(from)}, ${colour} ${percent(from)} ${percent(to)}, transparent ${percent(to)}`,
  )
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`
}
