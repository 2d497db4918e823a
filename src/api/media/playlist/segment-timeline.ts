import type { TimelineSegment } from './timeline-segments.ts'
import type { Source } from '../controller/media-controller.ts'
import { createUtcMap, type UtcMap } from './utc-map.ts'

/** An archive playlist whose dates are farther than this from the requested range has wrong dates. */
const strayMs = 3_600_000

/** Maps segments by their dates; without valid ones an archive starts at `source.from`, and live ends at `now`. */
export function mapSegments(segments: readonly TimelineSegment[], source: Source, now: number): UtcMap | null {
  const byDates = createUtcMap(segments.flatMap(({ utc, ...segment }) => (utc === null ? [] : [{ ...segment, utc }])))
  if (byDates !== null && isPlausible(byDates, source)) return byDates
  const first = segments[0]
  const last = segments.at(-1)
  if (first === undefined || last === undefined) return null
  const utcAtZero =
    source.kind === 'archive' ? source.from - first.media * 1000 : now - (last.media + last.duration) * 1000
  return createUtcMap(segments.map(({ media, duration }) => ({ media, duration, utc: utcAtZero + media * 1000 })))
}

function isPlausible(map: UtcMap, source: Source): boolean {
  return source.kind === 'live' || (map.to > source.from - strayMs && map.from < source.to + strayMs)
}

/** The UTC map of the current source; null until it has segments. */
export interface SegmentTimeline {
  map(): UtcMap | null
  /** Adds the segments that the playlist lists now. */
  refresh(segments: readonly TimelineSegment[], source: Source, now: number): void
  forget(): void
}

/** Segments that have left a live playlist are kept for this long: several times what stays buffered. */
const keptSeconds = 120

/** Maps by first frames: the date of a segment is that of its first frame (rfc8216bis §4.4.4.6). */
const byFirstFrames = ({ from, to, toUtc, toMedia }: UtcMap, leadAt: (media: number) => number): UtcMap => ({
  from,
  to,
  toUtc: (media) => toUtc(media - leadAt(media)),
  toMedia(utc) {
    const media = toMedia(utc)
    return media === null ? null : media + leadAt(media)
  },
})

/**
 * Remembers segments that have left a live playlist, as they may still be buffered; `from` of its map is the first one
 * that is still listed. `leadAt`: seconds from the start of the segment at a media time to its first frame.
 */
export function createSegmentTimeline(leadAt: (media: number) => number): SegmentTimeline {
  /** By their starts in media seconds. */
  const known = new Map<number, TimelineSegment>()
  let map: UtcMap | null = null
  return {
    map: () => map,
    refresh(segments, source, now) {
      const [first, last] = [segments[0], segments.at(-1)]
      if (first === undefined || last === undefined) return
      const knownLast = known.get(last.media)
      const isUnchanged =
        map !== null &&
        knownLast?.utc === last.utc &&
        knownLast.duration === last.duration &&
        known.size >= segments.length
      if (isUnchanged) return
      // What is listed again may have been parts, which are one segment now.
      for (const media of known.keys())
        if (media >= first.media || media < first.media - keptSeconds) known.delete(media)
      for (const segment of segments) known.set(segment.media, segment)
      const sorted = [...known.values()].toSorted((a, b) => a.media - b.media)
      const bySegments = mapSegments(sorted, source, now)
      if (bySegments === null) map = null
      else {
        const from = source.kind === 'live' ? bySegments.toUtc(first.media) : bySegments.from
        map = byFirstFrames({ ...bySegments, from }, leadAt)
      }
    },
    forget() {
      known.clear()
      map = null
    },
  }
}
