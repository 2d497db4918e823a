/** A segment of a media playlist. `key` names it apart from its query; `utc` is epoch milliseconds, null when the playlist has no dates. */
export interface PlaylistSegment {
  key: string
  durationSeconds: number
  utc: number | null
}

export interface MediaPlaylist {
  targetSeconds: number
  isComplete: boolean
  segments: PlaylistSegment[]
  /** How far behind its end one should play, where it has parts. */
  holdBackSeconds: number
  /** The server lets a reload wait until what is asked for is there. */
  hasBlockingReload: boolean
  /** Pieces of the newest segments, the one in the making too; a playlist that has them is one of low latency. */
  parts: PlaylistSegment[]
}

/** What tells one segment from another: its address and, for parts of a file, its first byte. */
export const segmentKey = (uri: string, startByte: number): string => `${uri}@${startByte}`

interface Range {
  length: number
  offset: number | null
}

function rangeOf(value: string): Range | null {
  const match = /^(\d+)(?:@(\d+))?/.exec(value)
  if (match === null) return null
  return { length: Number(match[1]), offset: match[2] === undefined ? null : Number(match[2]) }
}

function partOf(attributes: string): { uri: string; seconds: number } {
  const seconds = Number.parseFloat(/(?:^|,)DURATION=([\d.]+)/.exec(attributes)?.[1] ?? '')
  return { uri: /(?:^|,)URI="([^"]*)"/.exec(attributes)?.[1] ?? '', seconds: Number.isFinite(seconds) ? seconds : 0 }
}

function resolve(uri: string, base: string): string {
  return URL.canParse(uri, base) ? new URL(uri, base).href : uri
}

/** A live playlist that recommends to play so far behind its end (rfc8216bis §4.4.3.8): what shaka is configured with while it loads comes too late. */
export function withHoldBack(text: string, seconds: number): string {
  const attribute = `HOLD-BACK=${seconds.toFixed(3)}`
  const others = /^#EXT-X-SERVER-CONTROL:(.*)$/m.exec(text)?.[1]?.split(',').filter((one) => !one.trim().startsWith('HOLD-BACK=')) ?? []
  const line = `#EXT-X-SERVER-CONTROL:${[...others, attribute].join(',')}`
  return text.replaceAll(/^#EXT-X-SERVER-CONTROL:.*\r?\n?/gm, '').replace(/^#EXTM3U\r?\n/, `#EXTM3U\n${line}\n`)
}

/**
 * Reads the dates of a media playlist (rfc8216bis §4.4.4.6); null for a multivariant playlist or anything else.
 * A segment without PROGRAM-DATE-TIME follows the one before it, a leading one precedes the first that has it.
 */
export function readPlaylist(text: string, base: string): MediaPlaylist | null {
  if (!text.includes('#EXTINF:')) return null
  const segments: PlaylistSegment[] = []
  const parts: PlaylistSegment[] = []
  const playlist = { targetSeconds: 0, isComplete: false, holdBackSeconds: 0, hasBlockingReload: false, segments, parts }
  let duration: number | null = null
  let date: number | null = null
  let range: Range | null = null
  let lastEnd = { uri: '', byte: 0 }
  let beforePart = 0
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim()
    if (line === '') continue
    if (!line.startsWith('#')) {
      if (duration === null) continue
      const uri = resolve(line, base)
      const start = range === null ? 0 : (range.offset ?? (lastEnd.uri === uri ? lastEnd.byte : 0))
      const previous = segments.at(-1)
      const follows = previous?.utc == null ? null : previous.utc + previous.durationSeconds * 1000
      segments.push({ key: segmentKey(uri, start), durationSeconds: duration, utc: date ?? follows })
      lastEnd = { uri, byte: start + (range?.length ?? 0) }
      duration = null
      beforePart = 0
      date = null
      range = null
    } else if (line.startsWith('#EXTINF:')) {
      const seconds = Number.parseFloat(line.slice(8))
      duration = Number.isFinite(seconds) ? Math.max(0, seconds) : 0
    } else if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) {
      const parsed = Date.parse(line.slice(25))
      date = Number.isNaN(parsed) ? null : parsed
    } else if (line.startsWith('#EXT-X-BYTERANGE:')) range = rangeOf(line.slice(17))
    else if (line.startsWith('#EXT-X-SERVER-CONTROL:')) {
      playlist.holdBackSeconds = Number.parseFloat(/[:,]PART-HOLD-BACK=([\d.]+)/.exec(line)?.[1] ?? '0') || 0
      playlist.hasBlockingReload = /[:,]CAN-BLOCK-RELOAD=YES/.test(line)
    } else if (line.startsWith('#EXT-X-PART:')) {
      const part = partOf(line.slice(12))
      const previous = segments.at(-1)
      const begun = date ?? (previous?.utc == null ? null : previous.utc + previous.durationSeconds * 1000)
      parts.push({ key: segmentKey(resolve(part.uri, base), 0), durationSeconds: part.seconds, utc: begun === null ? null : begun + beforePart * 1000 })
      beforePart += part.seconds
    } else if (line.startsWith('#EXT-X-TARGETDURATION:')) playlist.targetSeconds = Number.parseInt(line.slice(22), 10) || 0
    else if (line.startsWith('#EXT-X-ENDLIST')) playlist.isComplete = true
  }
  dateLeading(segments)
  return playlist
}

/**
 * Where on the media timeline, which starts at zero with the first segment, the moment `utc` lies: within its segment, in
 * a gap at what follows. Zero where the playlist has no dates, or starts later.
 */
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
