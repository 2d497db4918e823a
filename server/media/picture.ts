import { beginningOf, onScreenSince } from './cut.ts'
import { mp4FromPipe } from './encoding.ts'
import { maskFilter, type Masks } from './masks.ts'
import { rewriteSegment, withPositiveOffsets } from './rewrite.ts'
import { maxSampleAspect, type Init } from './init.ts'
import { runTool } from './run-tool.ts'
import { createShared, createSlots } from './slots.ts'
import { frameTolerance, inputMatrix, sizeOf } from './transcode.ts'

/** A segment with the init of its run; `mediaStart` is its start in media time. */
type Footage = { init: Init; segment: Buffer; mediaStart: number }

/**
 * Requests with the same key share one picture. `load` is called when the turn comes, so that waiting needs no memory.
 */
export type PictureRequest = {
  key: string
  caller: string
  signal?: AbortSignal
  load: () => Promise<Footage | undefined>
}

const shared = createShared<Buffer | undefined>(
  createSlots({ queue: 'pictures', size: 2, waiting: 256, waitingEach: 64 }),
)

const makePicture = (
  { key, caller, signal, load }: PictureRequest,
  offsetSeconds: number,
  /** Options of ffmpeg; those without an init are part of the key. */
  output: (init?: Init) => string[],
  maxBytes: number,
) =>
  shared(`${key} ${offsetSeconds} ${output().join(' ')}`, { caller, signal }, async (signal) => {
    const footage = await load()
    if (footage === undefined || signal.aborted) return undefined
    const { init, segment, mediaStart } = footage
    // A segment may have a minute of video, of which each step below makes a copy.
    const beginning = beginningOf(segment, init, mediaStart + offsetSeconds)
    const since = onScreenSince(beginning, init, mediaStart + offsetSeconds)
    // ffmpeg takes the first picture from there on.
    const seek = since === undefined ? offsetSeconds : since - mediaStart - frameTolerance
    const { output: bytes } = await runTool(
      'ffmpeg',
      [
        '-nostdin',
        '-v',
        'error',
        // One thread for the decoder; the encoder gets one below.
        '-threads',
        '1',
        ...mp4FromPipe,
        // Else times count from the keyframe, before which an open GOP has pictures.
        '-copyts',
        ...(seek > 0 ? ['-ss', seek.toFixed(4)] : []),
        '-an',
        '-frames:v',
        '1',
        '-threads',
        '1',
        ...output(init),
        'pipe:1',
      ],
      {
        wallClockMs: 10_000,
        maxBytes,
        input: [
          init.bytes,
          withPositiveOffsets(rewriteSegment(beginning, init, { seconds: -mediaStart, dropsSound: false }), init),
        ],
        signal,
      },
    )
    return bytes
  })

const maxWidth = 640
/** As of an init: see {@link maxSampleAspect}. */
const sampleAspect = `if(between(sar,1/${maxSampleAspect},${maxSampleAspect}),sar,1)`
/** The same as {@link sizeOf} for a source without an init, as expressions of ffmpeg. */
const unknownSize = {
  width: `'min(${maxWidth},2*round(iw*${sampleAspect}/2))'`,
  height: `'max(2,2*round(ow*ih/(iw*${sampleAspect})/2))'`,
}

/**
 * Scales to square pixels, at most 640 wide. Readers of a JPEG take its colours for BT.601 in full range (JFIF), and
 * ignore the aspect ratio of its pixels.
 */
export const jpegScale = (init?: Init): string => {
  const { width, height } = init === undefined ? unknownSize : sizeOf(init, { width: maxWidth, height: Infinity })
  return `scale=${width}:${height}:${inputMatrix(init)}out_color_matrix=bt601:out_range=full,setsar=1`
}

/**
 * A JPEG at an offset into a segment, at most 640 pixels wide, with masks burned in. Undefined if it can't be decoded.
 * Rejects with 503 if too many wait.
 */
export const jpegOf = (request: PictureRequest, offsetSeconds: number, masks: Masks): Promise<Buffer | undefined> => {
  const drawn = masks.length > 0 ? `,${maskFilter(masks)}` : ''
  const output = (init?: Init) => ['-vf', `${jpegScale(init)}${drawn}`, '-q:v', '5', '-f', 'mjpeg']
  return makePicture(request, offsetSeconds, output, 4_000_000)
}

export const lumaWidth = 32
export const lumaHeight = 18

/** The first picture of a segment as 32 × 18 bytes of luma, to compare scenes. */
export const lumaOf = (request: PictureRequest): Promise<Buffer | undefined> =>
  makePicture(
    request,
    0,
    () => ['-vf', `scale=${lumaWidth}:${lumaHeight}:flags=area,format=gray`, '-f', 'rawvideo'],
    lumaWidth * lumaHeight,
  )
