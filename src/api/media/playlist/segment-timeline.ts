import type { TimelineSegment } from './timeline-segments.ts'
import type { Source } from '../controller/media-controller.ts'
import { createUtcMap, type UtcMap } from './utc-map.ts'

/** Dates farther than this outside the requested range are ignored. */
const strayMs = 3_600_000

/** Without valid dates an archive starts at `source.from`, and live ends at `now`. */
export function mapSegments(segments: readonly TimelineSegment[], source: Source, now: number): UtcMap | null {
  const dated = createUtcMap(segments.flatMap(({ utc, ...span }) => (utc === null ? [] : [{ ...span, utc }])))
  if (dated !== null && isBelievable(dated, source)) return dated
  const first = segments[0]
  const last = segments.at(-1)
  if (first === undefined || last === undefined) return null
  const zero = source.kind === 'archive' ? source.from - first.media * 1000 : now - (last.media + last.duration) * 1000
  return createUtcMap(segments.map(({ media, duration }) => ({ media, duration, utc: zero + media * 1000 })))
}

function isBelievable(map: UtcMap, source: Source): boolean {
  return source.kind === 'live' || (map.to > source.from - strayMs && map.from < source.to + strayMs)
}

/** The map of one source as its segments come and go. */
export interface SegmentTimeline {
  map(): UtcMap | null
  refresh(segments: readonly TimelineSegment[], source: Source, now: number): void
  forget(): void
}

/** Older live segments are dropped above this number, unless they are still listed. */
const keptSegments = 600

/** Keeps segments that left a live playlist as long as they may be buffered. */
export function createSegmentTimeline(): SegmentTimeline {
  const laid = new Map<number, TimelineSegment>()
  let map: UtcMap | null = null
  return {
    map: () => map,
    refresh(segments, source, now) {
      const last = segments.at(-1)
      if (last === undefined) return
      const known = laid.get(last.media)
      if (
        map !== null &&
        known !== undefined &&
        known.utc === last.utc &&
        known.duration === last.duration &&
        laid.size >= segments.length
      )
        return
      for (const one of segments) laid.set(one.media, one)
      if (source.kind === 'live')
        for (const key of laid.keys()) if (laid.size > Math.max(keptSegments, segments.length)) laid.delete(key)
      map = mapSegments(
        [...laid.values()].toSorted((a, b) => a.media - b.media),
        source,
        now,
      )
    },
    forget() {
      laid.clear()
      map = null
    },
  }
}
