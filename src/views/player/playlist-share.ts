import type { TimeRange } from '../../api/contract/time-range.ts'
import { intervalsWithin } from '../../machines/timeline/intervals.ts'

interface Fractions {
  readonly from: number
  readonly to: number
}

/** How much of a playlist is played and buffered, as fractions of its duration from 0 to 1. */
export interface PlaylistShare {
  readonly played: number
  readonly buffered: readonly Fractions[]
}

/** The parts of a loaded range at `at`, the moment of the frame on the screen. */
export function shareOf({ from, to }: TimeRange, at: number, buffered: readonly TimeRange[]): PlaylistShare {
  const length = Math.max(1, to - from)
  const fraction = (moment: number) => Math.min(1, Math.max(0, (moment - from) / length))
  const loaded = intervalsWithin(
    buffered.map((range) => ({ type: 'fragment', ...range })),
    from,
    to,
  )
  return {
    played: fraction(at),
    buffered: loaded.map((range) => ({ from: fraction(range.from), to: fraction(range.to) })),
  }
}

const percent = (fraction: number) => `${(fraction * 100).toFixed(2)}%`

/** Draws any number of ranges as one CSS gradient with hard stops. */
export function gradientOf(ranges: readonly Fractions[], colour: string): string {
  const stops = ranges.map(
    ({ from, to }) =>
      `transparent ${percent(from)}, ${colour} ${percent(from)} ${percent(to)}, transparent ${percent(to)}`,
  )
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`
}
