import { partSecondsIn } from './polled-parts.ts'

/** A segment of a media playlist; `utc` is its date in epoch milliseconds, null if the playlist has no dates. */
export interface PlaylistSegment {
  durationSeconds: number
  utc: number | null
}

export interface MediaPlaylist {
  /** The playlist has EXT-X-ENDLIST: it doesn't change any more. */
  isComplete: boolean
  segments: PlaylistSegment[]
  /** PART-TARGET: how often a low-latency playlist grows; 0 without it. */
  partSeconds: number
  /** PART-HOLD-BACK: how far live stays behind the end of a low-latency playlist; 0 without it. */
  holdBackSeconds: number
  /** A third of HOLD-BACK: what the playlist grows by, at most (rfc8216bis §4.4.3.8); 0 without it. */
  growthSeconds: number
  /** The server supports blocking reloads. */
  hasBlockingReload: boolean
  /** The playlist lists parts: it is a low-latency playlist. */
  hasParts: boolean
  /**
   * The text of the playlist with the date of each segment appended to its URL as a fragment, which isn't sent to the
   * server. The URL alone doesn't identify a date, as several segments may have the same one (a slate, a looped clip,
   * byte ranges). A part has the date of its segment.
   */
  dated: string
}

/** The date in a URL of `MediaPlaylist.dated`, in epoch milliseconds; null without one. */
export function dateOf(url: string): number | null {
  const match = /#utc=(-?[\d.]+)$/.exec(url)
  return match === null ? null : Number(match[1])
}

/** How long the segments of a playlist are together, with one that grows by parts. */
export const listedSeconds = (playlist: Pick<MediaPlaylist, 'segments' | 'hasParts'>): number =>
  playlist.segments.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0) +
  (playlist.hasParts ? longestSeconds(playlist) : 0)

/** Whether a multivariant playlist names several media playlists: only their dates say how these fit together. */
export const hasSeveralPlaylists = (text: string): boolean =>
  (text.match(/^#EXT-X-(?:STREAM-INF:|MEDIA:(?:.*,)?URI=)/gm)?.length ?? 0) > 1

/** Appends a date to the URL of a line, which is the whole line or the attribute URI of a tag. */
function withDate(line: string, utc: number | null): string {
  if (utc === null) return line
  if (!line.startsWith('#')) return `${line.trim().replace(/#.*$/, '')}#utc=${utc}`
  return line.replace(/([:,]URI="[^"#]*)[^"]*/, `$1#utc=${utc}`)
}

/**
 * Sets HOLD-BACK, or PART-HOLD-BACK (rfc8216bis §4.4.3.8), as shaka ignores a delay that is configured while it loads.
 */
export function withHoldBack(
  text: string,
  seconds: number,
  name: 'HOLD-BACK' | 'PART-HOLD-BACK' = 'HOLD-BACK',
): string {
  const holdBack = `${name}=${seconds.toFixed(3)}`
  const others =
    /^#EXT-X-SERVER-CONTROL:(.*)$/m
      .exec(text)?.[1]
      ?.split(',')
      .filter((attribute) => !attribute.trim().startsWith(`${name}=`)) ?? []
  const line = `#EXT-X-SERVER-CONTROL:${[...others, holdBack].join(',')}`
  return text.replaceAll(/^#EXT-X-SERVER-CONTROL:.*\r?\n?/gm, '').replace(/^#EXTM3U\r?\n/, `#EXTM3U\n${line}\n`)
}

/**
 * Reads a media playlist; null for a multivariant playlist or anything else. A segment without PROGRAM-DATE-TIME
 * (rfc8216bis §4.4.4.6) starts at the end of the one before; those before the first date count back from it.
 */
export function readPlaylist(text: string): MediaPlaylist | null {
  if (!text.includes('#EXTINF:')) return null
  const segments: PlaylistSegment[] = []
  const playlist = {
    isComplete: false,
    partSeconds: partSecondsIn(text),
    holdBackSeconds: 0,
    growthSeconds: 0,
    hasBlockingReload: false,
    hasParts: false,
  }
  const lines = text.split(/\r?\n/)
  /** The lines with a URL, and the index of its segment. */
  const linesWithUrl: { line: number; segment: number }[] = []
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
      linesWithUrl.push({ line: number, segment: segments.length })
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
      playlist.growthSeconds = (Number.parseFloat(/[:,]HOLD-BACK=([\d.]+)/.exec(line)?.[1] ?? '0') || 0) / 3
      playlist.hasBlockingReload = /[:,]CAN-BLOCK-RELOAD=YES/.test(line)
    } else if (/^#EXT-X-(?:PART|PRELOAD-HINT):/.test(line)) {
      playlist.hasParts ||= line.startsWith('#EXT-X-PART:')
      if (!/[:,]TYPE=MAP/.test(line)) linesWithUrl.push({ line: number, segment: segments.length })
    } else if (line.startsWith('#EXT-X-ENDLIST')) playlist.isComplete = true
  }
  const dateOfUnfinished = nextDate()
  dateLeading(segments)
  for (const { line, segment } of linesWithUrl) {
    const utc = segment === segments.length ? dateOfUnfinished : segments[segment]?.utc
    lines[line] = withDate(lines[line] ?? '', utc ?? null)
  }
  return { ...playlist, segments, dated: lines.join('\n') }
}

/** The duration of the longest segment, in seconds; half a second at least. */
export const longestSeconds = ({ segments }: Pick<MediaPlaylist, 'segments'>): number =>
  Math.max(0.5, ...segments.map(({ durationSeconds }) => durationSeconds))

/** Seconds after the start of the first segment; of a moment in a gap, where the gap ends; 0 without dates. */
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

/** A moment, or the start of the gap that ends there or in which it is; epoch milliseconds. */
export function recordedUpTo(segments: readonly PlaylistSegment[], utc: number): number {
  const last = segments.findLast((segment) => segment.utc !== null && segment.utc < utc)
  return last?.utc == null ? utc : Math.min(utc, last.utc + last.durationSeconds * 1000)
}

/** Where the last segment that begins before a moment starts, in seconds after the start of the first segment. */
export function segmentStartBefore(segments: readonly PlaylistSegment[], utc: number): number {
  let [media, start] = [0, 0]
  for (const segment of segments) {
    if (segment.utc !== null && segment.utc >= utc) break
    start = media
    media += segment.durationSeconds
  }
  return start
}

/** Dates the segments before the first date. */
function dateLeading(segments: PlaylistSegment[]): void {
  const first = segments.findIndex((segment) => segment.utc !== null)
  for (let index = first - 1; index >= 0; index -= 1) {
    const [segment, next] = [segments[index], segments[index + 1]]
    if (segment !== undefined && next?.utc != null) segment.utc = next.utc - segment.durationSeconds * 1000
  }
}
