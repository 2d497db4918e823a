import { boxesIn } from './boxes.ts'
import { createByteCache } from './byte-cache.ts'
import { h264Arguments, mp4FromPipe } from './encoding.ts'
import { readFragment } from './fragments.ts'
import type { Init } from './init.ts'
import { runTool, type RunOptions } from './run-tool.ts'
import { segmentWithoutSound, withPositiveOffsets, withSoundOf } from './rewrite.ts'
import { matrixOf, unspecifiedMatrix } from './sequence-set.ts'

/** A segment with the init of its run, and the segment before it if that is needed to decode it. */
export type TranscodeSource = { init: Init; segment: Buffer; before?: Buffer | undefined }

/**
 * A filter of ffmpeg that draws into pictures. `size`: of those of an export or a download, which get a better quality.
 */
export type Drawing = { filter: string; size?: Size }

export const nothingDrawn: Drawing = { filter: '' }

/** Pictures closer than this, in seconds, have the same time. */
export const frameTolerance = 0.0005

export type Size = { width: number; height: number }

const maxSize: Size = { width: 1280, height: 720 }
export const maxWatchedBytes = 64 * 1024 * 1024
/** How ffmpeg runs for a transcode that somebody watches; a segment may have a minute of 4K. */
const watched = { wallClockMs: 180_000, maxBytes: maxWatchedBytes, priority: 'encoding' } as const
/** And for a download or an export: in full size and good quality a segment has several times its bytes. */
const drawn = { wallClockMs: 900_000, maxBytes: 512 * 1024 * 1024, priority: 'background' } as const

const level = '4.0'
/** For pictures larger than `maxSize`. */
const highLevel = '5.2'
/** As in CODECS (RFC 6381): what h264Arguments produce at `level`. */
const codec = 'avc1.42c028'

const even = (value: number): number => Math.max(2, 2 * Math.round(value / 2))

/** The size with square pixels, scaled down to fit `within`. */
export const sizeOf = ({ video: { width, height, sampleAspect } }: Init, within = maxSize): Size => {
  const shown = width * sampleAspect
  const factor = Math.min(1, within.width / shown, within.height / height)
  return { width: even(shown * factor), height: even(height * factor) }
}

/** The size of a run's pictures, with square pixels. */
export const fullSizeOf = (init: Init): Size => sizeOf(init, { width: Infinity, height: Infinity })

/** Describes the transcode of a run, for a playlist; `bytes` are still those of the run. */
export const transcoded = (init: Init): Init => {
  const video = { ...init.video, codec, ...sizeOf(init), sampleAspect: 1 }
  return { ...init, video, tracks: init.tracks.map((track) => (track.id === video.id ? video : track)) }
}

const goodQuality = ['-crf', '18']

const colours = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv']

/** From this height on, untagged video is BT.709 (docs/decisions.md); ffmpeg takes all of it as BT.601. */
const minHdHeight = 720

/** An option of ffmpeg's scale filter, with its colon; empty where ffmpeg knows the matrix itself. */
export const inputMatrix = (source: Init | undefined): string => {
  if (source === undefined || source.video.height < minHdHeight) return ''
  return matrixOf(source.video) === unspecifiedMatrix ? 'in_color_matrix=bt709:' : ''
}

/** What is encoded, if it is a recording; filters to follow the scaling; where its subsegments begin, in seconds. */
type Encoded = { source?: Init; filters?: string; starts?: readonly number[] }

const subsegmentArguments = (starts: readonly number[]): string[] =>
  starts.length === 0
    ? ['-g', '50', '-keyint_min', '50']
    : [
        '-g',
        '1000',
        '-force_key_frames',
        starts.map((start) => Math.max(0, start - frameTolerance).toFixed(6)).join(','),
        // The filters hide the frame rate from the encoder, which takes it for the quality.
        '-x264-params',
        'fps=25',
        '-movflags',
        '+frag_keyframe',
        '-flush_packets',
        '1',
      ]

/** The same size and quality give the same init, whatever is encoded. */
const outputArguments = (
  { width, height }: Size,
  quality: readonly string[],
  { source, filters = '', starts = [] }: Encoded = {},
): string[] => [
  '-vf',
  `scale=${width}:${height}:flags=area:${inputMatrix(source)}out_color_matrix=bt709:out_range=tv,setsar=1${filters}`,
  ...h264Arguments,
  ...quality,
  ...colours,
  '-level:v',
  width * height > maxSize.width * maxSize.height ? highLevel : level,
  '-bf',
  '0',
  '-sc_threshold',
  '0',
  '-fps_mode',
  'passthrough',
  '-enc_time_base',
  '1:90000',
  '-avoid_negative_ts',
  'disabled',
  '-video_track_timescale',
  '90000',
  '-movflags',
  '+empty_moov+default_base_moof+frag_discont+delay_moov+skip_trailer',
  '-frag_duration',
  '10000000',
  ...subsegmentArguments(starts),
  '-f',
  'mp4',
  'pipe:1',
]

const onlyBoxes = (bytes: Buffer, ...types: string[]): Buffer =>
  Buffer.concat(
    boxesIn(bytes)
      .filter(({ type }) => types.includes(type))
      .map(({ start, end }) => bytes.subarray(start, end)),
  )

const fragmentsOf = (segment: Buffer): Buffer[] => {
  const boxes = boxesIn(segment)
  return boxes.flatMap((moof, index) => {
    const end = boxes[index + 1]?.end
    return moof.type === 'moof' && end !== undefined ? [segment.subarray(moof.start, end)] : []
  })
}

/** Whether pictures of a segment are shown before its first one: to decode these the segment before may be needed. */
export const hasLeadingPictures = (segment: Buffer, init: Init): boolean => {
  for (const bytes of fragmentsOf(segment)) {
    const fragment = readFragment(bytes, init)
    if (fragment !== undefined) return fragment.hasLeadingPictures
  }
  return false
}

/** Of the picture that is shown first, in seconds. */
export const startOf = (segment: Buffer, init: Init): number => {
  const starts = fragmentsOf(segment).flatMap((bytes) => readFragment(bytes, init)?.start ?? [])
  return Math.min(...starts)
}

/** Runs ffmpeg for a segment. `frames` and `starts`: filters to follow all others, and starts of subsegments. */
export const runTranscode = (
  { init, segment, before }: TranscodeSource,
  { filter, size }: Drawing,
  { frames = '', starts = [], ...run }: RunOptions & { frames?: string; starts?: readonly number[] },
) => {
  const drawing = filter === '' ? '' : `,${filter}`
  const trim = before === undefined ? '' : `,trim=start=${(startOf(segment, init) - 0.001).toFixed(6)}`
  const args = [
    '-nostdin',
    '-v',
    'error',
    ...mp4FromPipe,
    '-copyts',
    '-map',
    '0:v:0',
    '-map',
    '0:a:0?',
    '-c:a',
    'copy',
    ...outputArguments(size ?? sizeOf(init), size === undefined ? [] : goodQuality, {
      source: init,
      filters: `${trim}${drawing}${frames}`,
      starts,
    }),
  ]
  const preceding = before === undefined ? [] : [segmentWithoutSound(before, init)]
  const input = [init.bytes, withPositiveOffsets(Buffer.concat([...preceding, segment]), init)]
  return runTool('ffmpeg', args, { ...(size === undefined ? watched : drawn), input, ...run })
}

/**
 * A segment encoded as H.264, without its init, at the times of the source (docs/decisions.md). Sound is copied.
 * Undefined if the segment can't be decoded, or if aborted.
 */
export const transcodeSegment = async (
  source: TranscodeSource,
  signal: AbortSignal,
  drawing: Drawing = nothingDrawn,
): Promise<Buffer | undefined> => {
  const { output } = await runTranscode(source, drawing, { signal })
  return output === undefined ? undefined : onlyBoxes(output, 'moof', 'mdat')
}

/** Inits of encoded pictures, by size and quality. */
const pictureInits = createByteCache(64 * 1024)

/** The init of a run's transcodes: that of an encoded picture of their size, with the sound of the run. */
export const transcodedInit = async (
  init: Init,
  signal: AbortSignal,
  { size }: Pick<Drawing, 'size'> = nothingDrawn,
): Promise<Buffer | undefined> => {
  const shown = size ?? sizeOf(init)
  const picture = `color=s=${shown.width}x${shown.height}:r=25:d=0.04`
  const quality = size === undefined ? [] : goodQuality
  const key = [shown.width, shown.height, ...quality].join(' ')
  const known = pictureInits.get(key)
  if (known !== undefined) return withSoundOf(known, init)
  const encoding = outputArguments(shown, quality)
  const args = ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', picture, ...encoding]
  const { output } = await runTool('ffmpeg', args, { ...(size === undefined ? watched : drawn), signal })
  if (output === undefined) return undefined
  const pictures = onlyBoxes(output, 'ftyp', 'moov')
  pictureInits.put(key, pictures)
  return withSoundOf(pictures, init)
}
