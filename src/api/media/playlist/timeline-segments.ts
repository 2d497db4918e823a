import { isLeadingGap } from './leading-gap.ts'
import { dateOf } from './playlist.ts'
import type { DatedSegment } from './utc-map.ts'

/** A segment on the media timeline; `utc`, in epoch milliseconds, is null if the playlist has no dates. */
export type TimelineSegment = Omit<DatedSegment, 'utc'> & { utc: number | null }

/** The part of shaka's SegmentReference that is used; times in seconds. */
export interface SegmentReference {
  getStartTime(): number
  getEndTime(): number
  getUris(): string[]
}

/** Positions segments by the dates in their URLs (`MediaPlaylist.dated`), and parts by their offset in the segment. */
export function timelineSegments(references: Iterable<SegmentReference | null>): TimelineSegment[] {
  const segments: TimelineSegment[] = []
  let segment = { utc: null as number | null, media: 0 }
  for (const reference of references) {
    const [url = ''] = reference?.getUris() ?? []
    if (reference === null || isLeadingGap(url)) continue
    const media = reference.getStartTime()
    const utc = dateOf(url)
    if (utc !== segment.utc) segment = { utc, media }
    const offsetMs = (media - segment.media) * 1000
    segments.push({ media, duration: reference.getEndTime() - media, utc: utc === null ? null : utc + offsetMs })
  }
  return segments
}
