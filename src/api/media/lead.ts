/** How long the gap is that comes before an archive. */
export const leadSeconds = 4

const mark = '#lead'
const firstOfSegment = /^#EXT(?:INF:|-X-(?:BITRATE:|BYTERANGE:|DATERANGE:|DISCONTINUITY\s*$|GAP|KEY:|MAP:|PROGRAM-DATE-TIME:))/m

/**
 * The playlist of an archive after a gap (rfc8216bis §4.4.4.7), so that nothing lies where a `<video>` begins: WebKit with GStreamer
 * hangs, or fails, when it is sought while it readies its first frames (docs/decisions.md).
 */
export const withLead = (text: string): string => text.replace(firstOfSegment, (tag) => `#EXT-X-GAP\n#EXTINF:${leadSeconds},\ngap${mark}\n${tag}`)

/** Whether an address is that of the gap. */
export const isLead = (address: string): boolean => address.endsWith(mark)
