import type { LivePart, LiveSegment, LowLatencyWindow, SegmentWithParts } from '../recorder/live-window.ts'
import type { Variant } from './compatible.ts'
import { hasMixedSound } from '../format/run.ts'
import { gapToleranceMs, type ListedSegment } from '../format/segment.ts'
import { minuteMs } from '../../durations.ts'

export const playlistType = 'application/vnd.apple.mpegurl'

/** The numbers from 0 on, with leading zeros. */
const padded = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, '0'))
const twoDigits = padded(60, 2)
const threeDigits = padded(1000, 3)

/** The end of a date: seconds and milliseconds within a minute, cached on first use. */
const dateEnds: string[] = []
const dateEndOf = (millisecondsInMinute: number): string => {
  const known = dateEnds[millisecondsInMinute]
  if (known !== undefined) return known
  const end = `${twoDigits[Math.floor(millisecondsInMinute / 1000)]}.${threeDigits[millisecondsInMinute % 1000]}Z`
  dateEnds[millisecondsInMinute] = end
  return end
}

/** Formats EXT-X-PROGRAM-DATE-TIME; caches the text up to the minute, as a week has 300,000 segments. */
const createDateFormat = (): ((moment: number) => string) => {
  let minute = Number.NaN
  let beginning = ''
  return (moment) => {
    const rest = moment % minuteMs
    if (moment - rest !== minute) {
      minute = moment - rest
      beginning = `#EXT-X-PROGRAM-DATE-TIME:${new Date(minute).toISOString().slice(0, 17)}`
    }
    return beginning + dateEndOf(rest)
  }
}

/** Formats `<before><moment><after>`, a segment's URL; caches the digits that rarely change. */
export const createUrlFormat = (before: string, after: string): ((moment: number) => string) => {
  const unit = 1_000_000
  const endings = threeDigits.map((digits) => digits + after)
  let begin = Number.NaN
  let beginning = ''
  return (moment) => {
    if (moment < unit) return before + String(moment) + after
    const rest = moment % unit
    if (moment - rest !== begin) {
      begin = moment - rest
      beginning = before + String(begin / unit)
    }
    return `${beginning}${threeDigits[Math.floor(rest / 1000)]}${endings[rest % 1000]}`
  }
}

const maxDurationsCached = 1000
/** Formats EXTINF; caches the lines, as a camera has few distinct durations. */
const createDurationFormat = (): ((seconds: number) => string) => {
  const lines = new Map<number, string>()
  return (seconds) => {
    const known = lines.get(seconds)
    if (known !== undefined) return known
    const line = `\n#EXTINF:${seconds.toFixed(6)},\n`
    if (lines.size < maxDurationsCached) lines.set(seconds, line)
    return line
  }
}

/** Relative URLs of media. */
export type MediaUrls = { segment: (segment: ListedSegment) => string; init: (run: number) => string }

export const liveUrls: MediaUrls & { part: (number: number) => string } = {
  segment: (segment) => `live/${segment.start}.m4s`,
  part: (number) => `part/${number}.m4s`,
  init: (run) => `init/${run}.mp4`,
}

/** The same URLs with a query, such as `?masked=1`. */
export const withQuery = ({ segment, init }: MediaUrls, query: string): MediaUrls => ({
  segment: (each) => segment(each) + query,
  init: (run) => init(run) + query,
})

const joins = (before: ListedSegment, next: ListedSegment): boolean =>
  before.run === next.run && Math.abs(next.start - before.finish) < gapToleranceMs / 2

/** Formats what precedes EXTINF. `before`: the segment before the first one. */
const createSegmentHeadFormat = (urls: MediaUrls, before?: ListedSegment): ((segment: ListedSegment) => string) => {
  const dateOf = createDateFormat()
  let previous = before
  return (segment) => {
    let lines = ''
    if (previous !== undefined && !joins(previous, segment)) lines += '#EXT-X-DISCONTINUITY\n'
    if (previous?.run !== segment.run) lines += `#EXT-X-MAP:URI="${urls.init(segment.run)}"\n`
    previous = segment
    return lines + dateOf(segment.start)
  }
}

/**
 * The lines of segments, each with its date; DISCONTINUITY at each gap and run, MAP at each run (docs/wire.md §5.3).
 * `before`: the segment before them in the playlist.
 */
export const segmentLines = (segments: readonly ListedSegment[], urls: MediaUrls, before?: ListedSegment): string => {
  const headOf = createSegmentHeadFormat(urls, before)
  const durationOf = createDurationFormat()
  let lines = ''
  for (const segment of segments) lines += `${headOf(segment)}${durationOf(segment.duration)}${urls.segment(segment)}\n`
  return lines
}

const head = (targetDuration: number): string =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:${targetDuration}\n#EXT-X-INDEPENDENT-SEGMENTS\n`

/** The live playlist (rfc8216bis §6.2.2). */
export const livePlaylist = (segments: readonly LiveSegment[], targetDuration: number, urls: MediaUrls): string => {
  const [first] = segments
  return `${head(targetDuration)}#EXT-X-MEDIA-SEQUENCE:${first?.sequence ?? 0}
#EXT-X-DISCONTINUITY-SEQUENCE:${first?.discontinuity ?? 0}
${segmentLines(segments, urls)}`
}

/**
 * PART-HOLD-BACK, in part targets; three is the recommended minimum (rfc8216bis §4.4.3.8). Who polls learns of
 * a part up to a part later.
 */
const partsHeldBack = { waiting: 3, polled: 4 }

/**
 * Seconds added to each part's duration. shaka compares the position of a part with its timestamp offset to a
 * millisecond, and rounding uses up one; without the slack it drops parts after a keyframe at random.
 */
const partSlack = 0.000_005

/**
 * The low-latency playlist, with a hint of the next part (rfc8216bis §4.4.4.9, §4.4.5.3). `mayWait`: whether reloads
 * and requests of the next part wait for it; else the playlist is polled.
 */
export const lowLatencyPlaylist = (
  { sequence, discontinuity, whole, growing, nextPart, partTarget }: LowLatencyWindow,
  targetDuration: number,
  { mayWait, ...urls }: MediaUrls & { part: (number: number) => string; mayWait: boolean },
): string => {
  const headOf = createSegmentHeadFormat(urls)
  const partLine = ({ number, duration, isIndependent }: LivePart): string =>
    `#EXT-X-PART:DURATION=${(duration + partSlack).toFixed(6)},URI="${urls.part(number)}"` +
    `${isIndependent ? ',INDEPENDENT=YES' : ''}\n`
  const headWithParts = (segment: SegmentWithParts): string =>
    `${headOf(segment)}\n${segment.parts.map(partLine).join('')}`
  const lines = whole.map(
    (segment) => `${headWithParts(segment)}#EXTINF:${segment.duration.toFixed(6)},\n${urls.segment(segment)}\n`,
  )
  const target = Math.ceil((partTarget + partSlack) * 1000) / 1000
  const longest = Math.max(targetDuration, ...whole.map(({ duration }) => Math.round(duration)))
  const holdBack = (partsHeldBack[mayWait ? 'waiting' : 'polled'] * target).toFixed(3)
  const begun = growing === undefined ? '' : headWithParts(growing)
  return `${head(longest)}#EXT-X-SERVER-CONTROL:${mayWait ? 'CAN-BLOCK-RELOAD=YES,' : ''}PART-HOLD-BACK=${holdBack}
#EXT-X-PART-INF:PART-TARGET=${target.toFixed(3)}
#EXT-X-MEDIA-SEQUENCE:${sequence}
#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}
${lines.join('')}${begun}${mayWait ? `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${urls.part(nextPart)}"\n` : ''}`
}

export const recordedHead = (targetDuration: number): string =>
  `${head(targetDuration)}#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:0\n`

export const recordedEnd = '#EXT-X-ENDLIST\n'

/** A multivariant playlist of one variant. CODECS has those of every run: a player that lacks one fails at once. */
export const multivariantPlaylist = ({ runs, bandwidth, path }: Variant): string => {
  const withoutSound = hasMixedSound(runs)
  const codecs = new Set(
    runs.flatMap((run) =>
      run.init.tracks.filter((track) => !withoutSound || track.kind === 'video').map((track) => track.codec),
    ),
  )
  const width = Math.max(...runs.map((run) => run.width))
  const height = Math.max(...runs.map((run) => run.height))
  const bitsPerSecond = Math.max(1, Math.ceil(bandwidth))
  return `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=${bitsPerSecond},CODECS="${[...codecs].join(',')}",RESOLUTION=${width}x${height}
${path}
`
}
