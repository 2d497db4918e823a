import type { LivePart, LiveSegment, Parted, PartedSegment } from './live-window.ts'
import type { Variant } from './compatible.ts'
import { isMixed } from './run.ts'
import { gapToleranceMs, type Listed } from './segment.ts'
import { minuteMs } from '../durations.ts'

export const playlistType = 'application/vnd.apple.mpegurl'

const padded = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, '0'))
const two = padded(60, 2)
const three = padded(1000, 3)

/** Seconds and milliseconds within a minute, cached on first use. */
const ends: string[] = []
const endOf = (rest: number): string => {
  const known = ends[rest]
  if (known !== undefined) return known
  const end = `${two[Math.floor(rest / 1000)]}.${three[rest % 1000]}Z`
  ends[rest] = end
  return end
}

/** Formats dates; caches the text up to the minute, as a week has 300,000 dates. */
const createDates = (): ((moment: number) => string) => {
  let minute = Number.NaN
  let beginning = ''
  return (moment) => {
    const rest = moment % minuteMs
    if (moment - rest !== minute) {
      minute = moment - rest
      beginning = `#EXT-X-PROGRAM-DATE-TIME:${new Date(minute).toISOString().slice(0, 17)}`
    }
    return beginning + endOf(rest)
  }
}

/** Formats moments between a prefix and a suffix; caches the part that rarely changes. */
export const createNames = (before: string, after: string): ((moment: number) => string) => {
  const unit = 1_000_000
  const lasts = three.map((digits) => digits + after)
  let begin = Number.NaN
  let beginning = ''
  return (moment) => {
    if (moment < unit) return before + String(moment) + after
    const rest = moment % unit
    if (moment - rest !== begin) {
      begin = moment - rest
      beginning = before + String(begin / unit)
    }
    return `${beginning}${three[Math.floor(rest / 1000)]}${lasts[rest % 1000]}`
  }
}

const maxLengths = 1000
/** Formats EXTINF lines; a camera has few distinct durations. */
const createLengths = (): ((seconds: number) => string) => {
  const lines = new Map<number, string>()
  return (seconds) => {
    const known = lines.get(seconds)
    if (known !== undefined) return known
    const line = `\n#EXTINF:${seconds.toFixed(6)},\n`
    if (lines.size < maxLengths) lines.set(seconds, line)
    return line
  }
}

export type Addresses = { segment: (segment: Listed) => string; init: (run: number) => string }

const joins = (before: Listed, next: Listed): boolean =>
  before.run === next.run && Math.abs(next.start - before.finish) < gapToleranceMs / 2

const createBeginnings = (addresses: Addresses, before?: Listed): ((segment: Listed) => string) => {
  const dateOf = createDates()
  let previous = before
  return (segment) => {
    let lines = ''
    if (previous !== undefined && !joins(previous, segment)) lines += '#EXT-X-DISCONTINUITY\n'
    if (previous?.run !== segment.run) lines += `#EXT-X-MAP:URI="${addresses.init(segment.run)}"\n`
    previous = segment
    return lines + dateOf(segment.start)
  }
}

/** The lines of a range: segments with their dates, DISCONTINUITY and MAP at each run and gap (docs/wire.md §5.3). */
export const segmentLines = (segments: readonly Listed[], addresses: Addresses, before?: Listed): string => {
  const beginningOf = createBeginnings(addresses, before)
  const lengthOf = createLengths()
  let lines = ''
  for (const segment of segments)
    lines += `${beginningOf(segment)}${lengthOf(segment.duration)}${addresses.segment(segment)}\n`
  return lines
}

const head = (targetDuration: number): string =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:${targetDuration}\n#EXT-X-INDEPENDENT-SEGMENTS\n`

/** The live playlist (rfc8216bis §6.2.2). */
export const livePlaylist = (
  segments: readonly LiveSegment[],
  targetDuration: number,
  addresses: Addresses,
): string => {
  const [first] = segments
  return `${head(targetDuration)}#EXT-X-MEDIA-SEQUENCE:${first?.sequence ?? 0}
#EXT-X-DISCONTINUITY-SEQUENCE:${first?.discontinuity ?? 0}
${segmentLines(segments, addresses)}`
}

/** PART-HOLD-BACK in parts; three is the recommended minimum (rfc8216bis §4.4.3.8). */
const partsHeldBack = 3

/**
 * Seconds added to each part's duration. shaka compares the position of a part with its timestamp offset to a
 * millisecond, and rounding uses up one; without the slack it drops parts after a keyframe at random.
 */
const partSlack = 0.000_005

/** The low-latency playlist (rfc8216bis §4.4.4.9 and on), with a hint of the next part. */
export const partedPlaylist = (
  { sequence, discontinuity, whole, making, nextPart, partTarget }: Parted,
  targetDuration: number,
  addresses: Addresses & { part: (number: number) => string },
): string => {
  const beginningOf = createBeginnings(addresses)
  const partLine = ({ number, duration, isIndependent }: LivePart): string =>
    `#EXT-X-PART:DURATION=${(duration + partSlack).toFixed(6)},URI="${addresses.part(number)}"` +
    `${isIndependent ? ',INDEPENDENT=YES' : ''}\n`
  const beginningWithParts = (segment: PartedSegment): string =>
    `${beginningOf(segment)}\n${segment.parts.map(partLine).join('')}`
  const lines = whole.map(
    (segment) =>
      `${beginningWithParts(segment)}#EXTINF:${segment.duration.toFixed(6)},\n${addresses.segment(segment)}\n`,
  )
  const target = Math.ceil((partTarget + partSlack) * 1000) / 1000
  const longest = Math.max(targetDuration, ...whole.map(({ duration }) => Math.round(duration)))
  const holdBack = (partsHeldBack * target).toFixed(3)
  const begun = making === undefined ? '' : beginningWithParts(making)
  return `${head(longest)}#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${holdBack}
#EXT-X-PART-INF:PART-TARGET=${target.toFixed(3)}
#EXT-X-MEDIA-SEQUENCE:${sequence}
#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}
${lines.join('')}${begun}#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${addresses.part(nextPart)}"
`
}

export const recordedHead = (targetDuration: number): string =>
  `${head(targetDuration)}#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:0\n`

export const recordedEnd = '#EXT-X-ENDLIST\n'

/** The multivariant playlist. CODECS covers every run of the range, so that players fail at once. */
export const multivariantPlaylist = ({ runs, bandwidth, path }: Variant): string => {
  const isSilent = isMixed(runs)
  const codecs = new Set(
    runs.flatMap((run) =>
      run.init.tracks.filter((track) => !isSilent || track.kind === 'video').map((track) => track.codec),
    ),
  )
  const width = Math.max(...runs.map((run) => run.width))
  const height = Math.max(...runs.map((run) => run.height))
  const bits = Math.max(1, Math.ceil(bandwidth))
  return `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=${bits},CODECS="${[...codecs].join(',')}",RESOLUTION=${width}x${height}
${path}
`
}
