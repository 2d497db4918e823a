import { countUpTo } from '../sorted.ts'

/**
 * A segment with its date: `media` and `duration` in seconds of the media timeline, `utc`: its start in epoch
 * milliseconds.
 */
export interface DatedSegment {
  media: number
  duration: number
  utc: number
}

/** Maps between media time and UTC. It is exact at every segment, so that errors of durations don't add up. */
export interface UtcMap {
  /** The first and the last moment, in epoch milliseconds. */
  readonly from: number
  readonly to: number
  /** Epoch milliseconds of a media time in seconds. */
  toUtc(media: number): number
  /** Media seconds of a moment; of a moment in a gap, where the gap ends; null outside the map. */
  toMedia(utc: number): number | null
}

/** A frame may begin this much before its segment. */
const roundingSeconds = 0.002
/** A moment this much outside the map counts as its first or last one. */
const edgeMs = 50

const endOf = ({ utc, duration }: DatedSegment): number => utc + duration * 1000

/** `segments` in any order; null if there are none. */
export function createUtcMap(segments: readonly DatedSegment[]): UtcMap | null {
  const byMedia = segments.toSorted((a, b) => a.media - b.media)
  const byUtc = segments.toSorted((a, b) => a.utc - b.utc)
  const [first, earliest] = [byMedia[0], byUtc[0]]
  if (first === undefined || earliest === undefined) return null
  const to = segments.reduce((latest, segment) => Math.max(latest, endOf(segment)), endOf(earliest))

  return {
    from: earliest.utc,
    to,
    toUtc(media) {
      const count = countUpTo(byMedia, media + roundingSeconds, (segment) => segment.media)
      const segment = byMedia[count - 1] ?? first
      const next = byMedia[count]
      const utc = segment.utc + (media - segment.media) * 1000
      return next !== undefined && next.utc >= endOf(segment) ? Math.min(utc, next.utc) : utc
    },
    toMedia(utc) {
      const count = countUpTo(byUtc, utc, (segment) => segment.utc)
      const segment = byUtc[count - 1]
      const next = byUtc[count]
      if (segment === undefined) return utc >= earliest.utc - edgeMs ? earliest.media : null
      if (utc < endOf(segment)) return segment.media + (utc - segment.utc) / 1000
      if (next !== undefined) return next.media
      return utc <= endOf(segment) + edgeMs ? segment.media + segment.duration : null
    },
  }
}
