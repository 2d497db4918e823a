/** A segment: its start and duration in seconds of the media timeline, its start in epoch milliseconds. */
export interface Span {
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

const endOf = (span: Span): number => span.utc + span.duration * 1000

/** The index of the last of `spans`, sorted by `valueOf`, whose value is at most `value`; -1 if there is none. */
function lastAtMost(spans: readonly Span[], value: number, valueOf: (span: Span) => number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const span = spans[middle]
    if (span !== undefined && valueOf(span) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** `spans` in any order; null if there are none. */
export function createUtcMap(spans: readonly Span[]): UtcMap | null {
  const byMedia = spans.toSorted((a, b) => a.media - b.media)
  const byUtc = spans.toSorted((a, b) => a.utc - b.utc)
  const [first, earliest] = [byMedia[0], byUtc[0]]
  if (first === undefined || earliest === undefined) return null
  const to = byUtc.reduce((latest, span) => Math.max(latest, endOf(span)), endOf(earliest))

  return {
    from: earliest.utc,
    to,
    toUtc(media) {
      const index = lastAtMost(byMedia, media + roundingSeconds, (span) => span.media)
      const span = byMedia[index] ?? first
      const utc = span.utc + (media - span.media) * 1000
      const next = byMedia[index + 1]
      return next !== undefined && next.utc >= endOf(span) ? Math.min(utc, next.utc) : utc
    },
    toMedia(utc) {
      const index = lastAtMost(byUtc, utc, (span) => span.utc)
      const span = byUtc[index]
      const next = byUtc[index + 1]
      if (span === undefined) return utc >= earliest.utc - edgeMs ? earliest.media : null
      if (utc < endOf(span)) return span.media + (utc - span.utc) / 1000
      if (next !== undefined) return next.media
      return utc <= endOf(span) + edgeMs ? span.media + span.duration : null
    },
  }
}
