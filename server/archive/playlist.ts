import type { LivePart, LiveSegment, Parted, PartedSegment } from './live-window.ts'
import type { Variant } from './compatible.ts'
import { isMixed } from './run.ts'
import { gapToleranceMs, type Listed } from './segment.ts'
import { hourMs, minuteMs } from '../durations.ts'

export const playlistType = 'application/vnd.apple.mpegurl'

const padded = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => String(index).padStart(length, '0'))
const two = padded(60, 2)
const three = padded(1000, 3)

/** Formats dates; the part up to the hour is cached, as a week has 300,000 of them. */
const createDates = (): ((moment: number) => string) => {
  let hour = Number.NaN
  let beginning = ''
  return (moment) => {
    const rest = moment % hourMs
    if (moment - rest !== hour) {
      hour = moment - rest
      beginning = `#EXT-X-PROGRAM-DATE-TIME:${new Date(hour).toISOString().slice(0, 14)}`
    }
    const [minutes, seconds] = [Math.floor(rest / minuteMs), Math.floor((rest % minuteMs) / 1000)]
    return `${beginning}${two[minutes]}:${two[seconds]}.${three[rest % 1000]}Z`
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
  let lines = ''
  let duration = Number.NaN
  let length = ''
  for (const segment of segments) {
    if (segment.duration !== duration) {
      duration = segment.duration
      length = `\n#EXTINF:${duration.toFixed(6)},\n`
    }
    lines += `${beginningOf(segment)}${length}${addresses.segment(segment)}\n`
  }
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

/** PART-HOLD-BACK in parts; three are the least recommended (rfc8216bis §4.4.3.8). */
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
