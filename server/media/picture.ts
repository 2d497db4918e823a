import { rewriteSegment } from './rewrite.ts'
import type { Init } from './fragments.ts'
import { createSlots, runTool } from './process.ts'

const slots = createSlots(2)

type Source = { init: Init; segment: Buffer; mediaStart: number }

const still = async (source: Source, offsetSeconds: number, output: string[], maxBytes: number, signal?: AbortSignal) =>
  slots(async () => {
    if (signal?.aborted === true) return undefined
    const { init, segment, mediaStart } = source
    const { output: bytes } = await runTool(
      'ffmpeg',
      [
        '-nostdin', '-v', 'error', '-threads', '1', '-f', 'mp4', '-protocol_whitelist', 'pipe',
        ...(offsetSeconds > 0 ? ['-ss', offsetSeconds.toFixed(3)] : []),
        '-i', 'pipe:0', '-an', '-frames:v', '1', '-threads', '1', ...output, 'pipe:1',
      ],
      {
        wallClockMs: 10_000,
        maxBytes,
        input: [init.bytes, rewriteSegment(segment, init, { seconds: -mediaStart, silent: false })],
        ...(signal === undefined ? {} : { signal }),
      },
    )
    return bytes
  })

/** The picture at an offset into a segment as JPEG, at most 640 wide; undefined where none can be read. */
export const jpegOf = (source: Source, offsetSeconds: number, signal?: AbortSignal): Promise<Buffer | undefined> =>
  still(source, offsetSeconds, ['-vf', "scale='min(640,iw)':-2", '-q:v', '5', '-f', 'mjpeg'], 4_000_000, signal)

export const lumaWidth = 32
export const lumaHeight = 18

/** A segment's first picture as 32 × 18 grey bytes, for telling one scene from another. */
export const lumaOf = (source: Source): Promise<Buffer | undefined> =>
  still(
    source,
    0,
    ['-vf', `scale=${lumaWidth}:${lumaHeight}:flags=area,format=gray`, '-f', 'rawvideo'],
    lumaWidth * lumaHeight,
  )
