/** The length of the gap before an archive; more than the second that WebKit still treats as joined. */
export const leadingGapSeconds = 4

const mark = '#leading-gap'
const firstOfSegment =
  /^#EXT(?:INF:|-X-(?:BITRATE:|BYTERANGE:|DATERANGE:|DISCONTINUITY\s*$|GAP|KEY:|MAP:|PROGRAM-DATE-TIME:))/m

/**
 * Adds a gap (rfc8216bis §4.4.4.7) before the first segment of an archive playlist, so that nothing plays at position
 * 0: WebKitGTK hangs or fails if it seeks while it prepares its first frames (docs/decisions.md). The dates stay.
 */
export const withLeadingGap = (text: string): string =>
  text.replace(firstOfSegment, (tag) => `#EXT-X-GAP\n#EXTINF:${leadingGapSeconds},\ngap.m4s${mark}\n${tag}`)

export const isLeadingGap = (url: string): boolean => url.endsWith(mark)
