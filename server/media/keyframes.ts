import { boxesIn, makeBox } from './boxes.ts'
import { readFragment, type Init } from './fragments.ts'
import { runTool } from './run-tool.ts'
import { initWithoutSound } from './rewrite.ts'

const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** Flags of the boxes of a fragment (ISO/IEC 14496-12, 8.8.7 and 8.8.8). */
const [baseIsMoof, hasDataOffset, hasDuration, hasSize, hasFlags] = [0x20000, 0x1, 0x100, 0x200, 0x400]
/** Sample flags of a keyframe: it depends on no other. */
const isKeyframe = 0x2000000

/** A fragment with one keyframe, which is shown for a second. */
export const fragmentOf = (picture: Buffer, second: number, { id, timescale }: Init['video']): Buffer => {
  const moofOf = (dataOffset: number): Buffer =>
    makeBox(
      'moof',
      makeBox('mfhd', uint32(0, second + 1)),
      makeBox(
        'traf',
        makeBox('tfhd', uint32(baseIsMoof, id)),
        makeBox('tfdt', uint32(0, second * timescale)),
        makeBox(
          'trun',
          uint32(
            hasDataOffset | hasDuration | hasSize | hasFlags,
            1,
            dataOffset,
            timescale,
            picture.length,
            isKeyframe,
          ),
        ),
      ),
    )
  const moof = moofOf(moofOf(0).length + 8)
  return Buffer.concat([moof, makeBox('mdat', picture)])
}

/** As much of a segment as has the boxes before its first picture, and most pictures of substreams. */
const beginningBytes = 64 * 1024

/** Where the keyframe is that a segment begins with; undefined if it begins with none. */
const keyframeIn = (beginning: Buffer, init: Init): { from: number; to: number } | undefined => {
  for (const moof of boxesIn(beginning).filter(({ type }) => type === 'moof')) {
    const fragment = readFragment(beginning.subarray(moof.start), init)
    if (fragment === undefined) continue
    const { offset, length } = fragment.picture
    const from = moof.start + offset
    return fragment.isIndependent && length > 0 ? { from, to: from + length } : undefined
  }
  return undefined
}

/**
 * Reads the keyframe that a segment of `length` bytes begins with, and little else of it; undefined if it begins with
 * none. `read` gets the position and the size of a part of the segment.
 */
export const readKeyframe = async (
  length: number,
  init: Init,
  read: (offset: number, bytes: number) => Promise<Buffer>,
): Promise<Buffer | undefined> => {
  const beginning = await read(0, Math.min(length, beginningBytes))
  const found = keyframeIn(beginning, init)
  if (found === undefined || found.to > length) return undefined
  const { from, to } = found
  const restFrom = Math.max(from, beginning.length)
  const rest = to > restFrom ? [await read(restFrom, to - restFrom)] : []
  // Copied, as a slice would keep the whole buffer.
  return Buffer.concat([beginning.subarray(from, to), ...rest])
}

const wallClockMs = 120_000
const decoderArguments =
  '-nostdin -v error -threads 1 -flags low_delay -skip_loop_filter all -f mp4 -protocol_whitelist pipe -i pipe:0'.split(
    ' ',
  )
const outputArguments = '-an -fps_mode passthrough -threads 1 -f rawvideo pipe:1'.split(' ')

/**
 * Decodes keyframes to luma of a size, at the lowest priority. Undefined if one of them can't be decoded, as it then
 * isn't known which.
 */
export const decodeKeyframes = async (
  pictures: readonly Buffer[],
  init: Init,
  { width, height }: { width: number; height: number },
  signal: AbortSignal,
): Promise<Buffer[] | undefined> => {
  const size = width * height
  const { output } = await runTool(
    'ffmpeg',
    [...decoderArguments, '-vf', `scale=${width}:${height}:flags=area,format=gray`, ...outputArguments],
    {
      wallClockMs,
      maxBytes: pictures.length * size,
      input: [
        initWithoutSound(init).bytes,
        ...pictures.map((picture, second) => fragmentOf(picture, second, init.video)),
      ],
      priority: 'background',
      signal,
    },
  )
  if (output?.length !== pictures.length * size) return undefined
  return pictures.map((_, index) => output.subarray(index * size, (index + 1) * size))
}
