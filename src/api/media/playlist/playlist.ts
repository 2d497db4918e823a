/** A segment of a media playlist; `utc` is epoch milliseconds, null when the playlist has no dates. */
export interface PlaylistSegment {
  durationSeconds: number
  utc: number | null
}

export interface MediaPlaylist {
  isComplete: boolean
  segments: PlaylistSegment[]
  /** The recommended distance from the end (HOLD-BACK), for low latency. */
  holdBackSeconds: number
  /** The server supports blocking reloads. */
  hasBlockingReload: boolean
  /** It lists parts: a low-latency playlist. */
  hasParts: boolean
  /**
   * The playlist with each segment's date appended to its URL as a fragment, which isn't sent to the server: several
   * segments may share one URL (a slate, a looped clip, byte ranges), so that a URL alone doesn't identify a date. A
   * part has its segment's date.
   */
  dated: string
}

/** The date in such a URL, in epoch milliseconds; null without one. */
export function dateOf(address: string): number | null {
  const match = /#utc=(-?[\d.]+)$/.exec(address)
  return match === null ? null : Number(match[1])
}

/** A line with a URL: the whole line, or an attribute of a tag. */
function withDate(line: string, utc: number | null): string {
  if (utc === null) return line
  if (!line.startsWith('#')) return `${line.trim().replace(/#.*$/, '')}#utc=${utc}`
  return line.replace(/([:,]URI="[^"#]*)[^"]*/, `$1#utc=${utc}`)
}

/** rfc8216bis §4.4.3.8: what shaka is configured with while it loads comes too late. */
export function withHoldBack(text: string, seconds: number): string {
  const attribute = `HOLD-BACK=${seconds.toFixed(3)}`
  const others =
    /^#EXT-X-SERVER-CONTROL:(.*)$/m
      .exec(text)?.[1]
      ?.split(',')
      .filter((one) => !one.trim().startsWith('HOLD-BACK=')) ?? []
  const line = `#EXT-X-SERVER-CONTROL:${[...others, attribute].join(',')}`
  return text.replaceAll(/^#EXT-X-SERVER-CONTROL:.*\r?\n?/gm, '').replace(/^#EXTM3U\r?\n/, `#EXTM3U\n${line}\n`)
}

/**
 * Reads the dates of a media playlist (rfc8216bis §4.4.4.6); null for a multivariant playlist or anything else.
 * A segment without PROGRAM-DATE-TIME follows the one before it, a leading one precedes the first that has it.
 */
export function readPlaylist(text: string): MediaPlaylist | null {
  if (!text.includes('#EXTINF:')) return null
  const segments: PlaylistSegment[] = []
  const playlist = { isComplete: false, holdBackSeconds: 0, hasBlockingReload: false, hasParts: false }
  const lines = text.split(/\r?\n/)
  /** Lines that name an address, and the number of the segment that it is of. */
  const naming: { line: number; segment: number }[] = []
  let duration: number | null = null
  let date: number | null = null
  const nextDate = () => {
    const previous = segments.at(-1)
    return date ?? (previous?.utc == null ? null : previous.utc + previous.durationSeconds * 1000)
  }
  for (const [number, raw] of lines.entries()) {
    const line = raw.trim()
    if (line === '') continue
    if (!line.startsWith('#')) {
      if (duration === null) continue
      naming.push({ line: number, segment: segments.length })
      segments.push({ durationSeconds: duration, utc: nextDate() })
      duration = null
      date = null
    } else if (line.startsWith('#EXTINF:')) {
      const seconds = Number.parseFloat(line.slice(8))
      duration = Number.isFinite(seconds) ? Math.max(0, seconds) : 0
    } else if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) {
      const parsed = Date.parse(line.slice(25))
      date = Number.isNaN(parsed) ? null : parsed
    } else if (line.startsWith('#EXT-X-SERVER-CONTROL:')) {
      playlist.holdBackSeconds = Number.parseFloat(/[:,]PART-HOLD-BACK=([\d.]+)/.exec(line)?.[1] ?? '0') || 0
      playlist.hasBlockingReload = /[:,]CAN-BLOCK-RELOAD=YES/.test(line)
    } else if (/^#EXT-X-(?:PART|PRELOAD-HINT):/.test(line)) {
      playlist.hasParts ||= line.startsWith('#EXT-X-PART:')
      if (!/[:,]TYPE=MAP/.test(line)) naming.push({ line: number, segment: segments.length })
    } else if (line.startsWith('#EXT-X-ENDLIST')) playlist.isComplete = true
  }
  const inTheMaking = nextDate()
  dateLeading(segments)
  for (const { line, segment } of naming) {
    const utc = segment === segments.length ? inTheMaking : segments[segment]?.utc
    lines[line] = withDate(lines[line] ?? '', utc ?? null)
  }
  return { ...playlist, segments, dated: lines.join('\n') }
}

/** In a gap at what follows; zero where the playlist has no dates, or starts later. */
export function mediaTimeOf(segments: readonly PlaylistSegment[], utc: number): number {
  let media = 0
  for (const segment of segments) {
    if (segment.utc === null || segment.utc >= utc) return media
    const within = (utc - segment.utc) / 1000
    if (within < segment.durationSeconds) return media + within
    media += segment.durationSeconds
  }
  return media
}

function dateLeading(segments: PlaylistSegment[]): void {
  const first = segments.findIndex((segment) => segment.utc !== null)
  for (let index = first - 1; index >= 0; index -= 1) {
    const [segment, next] = [segments[index], segments[index + 1]]
    if (segment !== undefined && next?.utc != null) segment.utc = next.utc - segment.durationSeconds * 1000
  }
}
