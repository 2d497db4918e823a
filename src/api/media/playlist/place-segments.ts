import { isLeadingGap } from './leading-gap.ts'
import { dateOf } from './playlist.ts'
import type { Span } from './utc-map.ts'

/** A segment as it lies on the media timeline (seconds); `utc` is null where its playlist has no dates. */
export type PlacedSegment = Omit<Span, 'utc'> & { utc: number | null }

interface Reference {
  getStartTime(): number
  getEndTime(): number
  getUris(): string[]
}

/** The segments as they lie, each at the date in its own address (`MediaPlaylist.dated`), a part within its segment. */
export function placeSegments(references: Iterable<Reference | null>): PlacedSegment[] {
  const placed: PlacedSegment[] = []
  let segment = { utc: null as number | null, media: 0 }
  for (const reference of references) {
    const [address = ''] = reference?.getUris() ?? []
    if (reference === null || isLeadingGap(address)) continue
    const media = reference.getStartTime()
    const utc = dateOf(address)
    if (utc !== segment.utc) segment = { utc, media }
    const within = (media - segment.media) * 1000
    placed.push({ media, duration: reference.getEndTime() - media, utc: utc === null ? null : utc + within })
  }
  return placed
}
