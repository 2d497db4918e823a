import { clip } from '../../machines/timeline/intervals.ts'
import type { Period } from '../../machines/timeline/timeline-geometry.ts'

/** How much of a playlist is played and held ready: shares of its length, 0…1. */
export interface PlaylistShare {
  readonly played: number
  readonly buffered: readonly Period[]
}

/** `at` is the moment on the screen. */
export function shareOf({ from, to }: Period, at: number, buffered: readonly Period[]): PlaylistShare {
  const length = Math.max(1, to - from)
  const share = (moment: number) => Math.min(1, Math.max(0, (moment - from) / length))
  const held = clip(buffered.map((stretch) => ({ type: 'fragment', ...stretch })), from, to)
  return { played: share(at), buffered: held.map((stretch) => ({ from: share(stretch.from), to: share(stretch.to) })) }
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

/** The stretches as a gradient of hard stops, so that however many there are, one element draws them. */
export function gradientOf(stretches: readonly Period[], colour: string): string {
  const stops = stretches.map(({ from, to }) => `transparent ${percent(from)}, ${colour} ${percent(from)} ${percent(to)}, transparent ${percent(to)}`)
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`
}
