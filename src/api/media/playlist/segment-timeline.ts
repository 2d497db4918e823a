import type { TimelineSegment } from './timeline-segments.ts'
import type { Source } from '../controller/media-controller.ts'
import { createUtcMap, type UtcMap } from './utc-map.ts'

/** Dates farther than this outside the requested range are wrong. */
const strayMs = 3_600_000

/** Maps segments by their dates; without valid ones an archive starts at `source.from`, and live ends at `now`. */
export function mapSegments(segments: readonly TimelineSegment[], source: Source, now: number): UtcMap | null {
  const dated = createUtcMap(segments.flatMap(({ utc, ...span }) => (utc === null ? [] : [{ ...span, utc }])))
  if (dated !== null && isBelievable(dated, source)) return dated
  const first = segments[0]
  const last = segments.at(-1)
  if (first === undefined || last === undefined) return null
  const utcAtZero =
    source.kind === 'archive' ? source.from - first.media * 1000 : now - (last.media + last.duration) * 1000
  return createUtcMap(segments.map(({ media, duration }) => ({ media, duration, utc: utcAtZero + media * 1000 })))
}

function isBelievable(map: UtcMap, source: Source): boolean {
  return source.kind === 'live' || (map.to > source.from - strayMs && map.from < source.to + strayMs)
}

/** The UTC map of the current source. */
export interface SegmentTimeline {
  map(): UtcMap | null
  refresh(segments: readonly TimelineSegment[], source: Source, now: number): void
  forget(): void
}

/** Above this number, live segments that the playlist doesn't list any more are dropped. */
const maxSegments = 600

/** Remembers segments that have left a live playlist, as they may still be buffered. */
export function createSegmentTimeline(): SegmentTimeline {
  /** By start in media seconds. */
  const known = new Map<number, TimelineSegment>()
  let map: UtcMap | null = null
  return {
    map: () => map,
    refresh(segments, source, now) {
      const last = segments.at(-1)
      if (last === undefined) return
      const before = known.get(last.media)
      if (
        map !== null &&
        before !== undefined &&
        before.utc === last.utc &&
        before.duration === last.duration &&
        known.size >= segments.length
      )
        return
      for (const segment of segments) known.set(segment.media, segment)
      if (source.kind === 'live')
        for (const media of known.keys()) if (known.size > Math.max(maxSegments, segments.length)) known.delete(media)
      map = mapSegments(
        [...known.values()].toSorted((a, b) => a.media - b.media),
        source,
        now,
      )
    },
    forget() {
      known.clear()
      map = null
    },
  }
}
