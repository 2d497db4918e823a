import type { LivePart, LiveSegment, LowLatencyWindow, SegmentWithParts } from '../recorder/live-window.ts'
import type { Variant } from './compatible.ts'
import { hasMixedSound } from '../format/run.ts'
import { isJoined, targetDurationOf, type ListedSegment } from '../format/segment.ts'
import { subsegmentsOf } from '../format/subsegments.ts'

export const playlistType = 'application/vnd.apple.mpegurl'

/** Relative URLs of media. */
export type MediaUrls = { segment: (segment: ListedSegment) => string; init: (run: number) => string }

export const liveUrls: MediaUrls & { part: (number: number) => string } = {
  segment: (segment) => `live/${segment.start}.m4s`,
  part: (number) => `part/${number}.m4s`,
  init: (run) => `init/${run}.mp4`,
}

/**
 * What precedes the lines of a segment: DISCONTINUITY at each gap and run, MAP at each run (docs/wire.md §5.3).
 * `before`: the segment before it in the playlist.
 */
export const breakLines = (before: ListedSegment | undefined, segment: ListedSegment, urls: MediaUrls): string => {
  if (isJoined(before, segment)) return ''
  const { run } = segment
  const discontinuity = before === undefined ? '' : '#EXT-X-DISCONTINUITY\n'
  return before?.run === run ? discontinuity : `${discontinuity}#EXT-X-MAP:URI="${urls.init(run)}"\n`
}

const dateLine = ({ start }: ListedSegment): string => `#EXT-X-PROGRAM-DATE-TIME:${new Date(start).toISOString()}\n`

/** The lines of a segment, with those of its parts. */
export const segmentLines = (segment: ListedSegment, urls: MediaUrls, partLines = ''): string =>
  `${dateLine(segment)}${partLines}#EXTINF:${segment.duration.toFixed(6)},\n${urls.segment(segment)}\n`

export const playlistHead = (targetDuration: number): string =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:${targetDuration}\n#EXT-X-INDEPENDENT-SEGMENTS\n`

const none = { sequence: 0, subsequence: 0, discontinuity: 0 }

/**
 * The live playlist (rfc8216bis §6.2.2). `isSplit`: it lists the subsegments of each segment. They come all at once, so
 * HOLD-BACK says how long a segment may be: a third of it (rfc8216bis §4.4.3.8). It follows what is listed, unlike the
 * target duration, which must not change.
 */
export const livePlaylist = (
  segments: readonly LiveSegment[],
  targetDuration: number,
  { isSplit = false, ...urls }: MediaUrls & { isSplit?: boolean },
): string => {
  const { sequence, subsequence, discontinuity } = segments[0] ?? none
  const entries: readonly ListedSegment[] = isSplit ? segments.flatMap(subsegmentsOf) : segments
  const lines = entries.map((entry, index) => breakLines(entries[index - 1], entry, urls) + segmentLines(entry, urls))
  const holdBack = isSplit ? `#EXT-X-SERVER-CONTROL:HOLD-BACK=${(3 * targetDurationOf(segments)).toFixed(3)}\n` : ''
  return `${playlistHead(targetDuration)}${holdBack}#EXT-X-MEDIA-SEQUENCE:${isSplit ? subsequence : sequence}
#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}
${lines.join('')}`
}

/**
 * PART-HOLD-BACK, in part targets; three is the recommended minimum (rfc8216bis §4.4.3.8), at which a busy machine
 * stalled once in ten minutes. Who polls learns of a part up to a part later.
 */
const partsHeldBack = { waiting: 3.3, polled: 4 }

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
  const partLine = ({ number, duration, isIndependent }: LivePart): string =>
    `#EXT-X-PART:DURATION=${(duration + partSlack).toFixed(6)},URI="${urls.part(number)}"` +
    `${isIndependent ? ',INDEPENDENT=YES' : ''}\n`
  const partLines = ({ parts }: SegmentWithParts): string => parts.map(partLine).join('')
  const lines = whole.map(
    (segment, index) => breakLines(whole[index - 1], segment, urls) + segmentLines(segment, urls, partLines(segment)),
  )
  const target = Math.ceil((partTarget + partSlack) * 1000) / 1000
  const holdBack = (partsHeldBack[mayWait ? 'waiting' : 'polled'] * target).toFixed(3)
  const begun =
    growing === undefined ? '' : `${breakLines(whole.at(-1), growing, urls)}${dateLine(growing)}${partLines(growing)}`
  const begin = playlistHead(targetDurationOf(whole, targetDuration))
  return `${begin}#EXT-X-SERVER-CONTROL:${mayWait ? 'CAN-BLOCK-RELOAD=YES,' : ''}PART-HOLD-BACK=${holdBack}
#EXT-X-PART-INF:PART-TARGET=${target.toFixed(3)}
#EXT-X-MEDIA-SEQUENCE:${sequence}
#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}
${lines.join('')}${begun}${mayWait ? `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${urls.part(nextPart)}"\n` : ''}`
}

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
