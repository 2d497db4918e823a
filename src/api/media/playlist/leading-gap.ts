/** How long the gap is that comes before an archive; more than the second that WebKit takes for joined. */
export const leadingGapSeconds = 4

const mark = '#leading-gap'
const firstOfSegment =
  /^#EXT(?:INF:|-X-(?:BITRATE:|BYTERANGE:|DATERANGE:|DISCONTINUITY\s*$|GAP|KEY:|MAP:|PROGRAM-DATE-TIME:))/m

/**
 * The playlist of an archive after a gap (rfc8216bis §4.4.4.7), so that no picture lies where a `<video>` begins:
 * WebKitGTK hangs, or fails, when it is sought while it readies its first frames (docs/decisions.md). Its frames keep
 * their dates.
 */
export const withLeadingGap = (text: string): string =>
  text.replace(firstOfSegment, (tag) => `#EXT-X-GAP\n#EXTINF:${leadingGapSeconds},\ngap.m4s${mark}\n${tag}`)

export const isLeadingGap = (address: string): boolean => address.endsWith(mark)
