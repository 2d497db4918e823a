import { isLeadingGap } from './leading-gap.ts'
import { dateOf } from './playlist.ts'
import type { Span } from './utc-map.ts'

/** A segment on the media timeline (seconds); `utc` is null where its playlist has no dates. */
export type TimelineSegment = Omit<Span, 'utc'> & { utc: number | null }

interface Reference {
  getStartTime(): number
  getEndTime(): number
  getUris(): string[]
}

/** The segments with the dates of their addresses (`MediaPlaylist.dated`); a part counts from its segment's start. */
export function timelineSegments(references: Iterable<Reference | null>): TimelineSegment[] {
  const segments: TimelineSegment[] = []
  let segment = { utc: null as number | null, media: 0 }
  for (const reference of references) {
    const [address = ''] = reference?.getUris() ?? []
    if (reference === null || isLeadingGap(address)) continue
    const media = reference.getStartTime()
    const utc = dateOf(address)
    if (utc !== segment.utc) segment = { utc, media }
    const within = (media - segment.media) * 1000
    segments.push({ media, duration: reference.getEndTime() - media, utc: utc === null ? null : utc + within })
  }
  return segments
}
