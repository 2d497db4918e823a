import { createBoxCutter } from './boxes.ts'
import {
  frameTolerance,
  maxWatchedBytes,
  nothingDrawn,
  runTranscode,
  startOf,
  transcodeSegment,
  type Drawing,
  type TranscodeSource,
} from './transcode.ts'

/** How many subsegments a segment has, and its duration in seconds. */
type Subsegments = { count: number; duration: number }
type Take = (index: number, bytes: Buffer) => void

/**
 * Repeats at each start of a subsegment the picture that is on the screen then, unless a picture begins there: shaka
 * positions what it appends by its first picture, and without one a subsegment couldn't be shown.
 */
const withPicturesAt = (start: number, { count, duration }: Subsegments): string => {
  const from = start.toFixed(6)
  const copies = [
    `setpts=PTS-(${from}+${frameTolerance})/TB`,
    `fps=${count}/${duration.toFixed(6)}:round=up`,
    // The last picture may be shown for several subsegments.
    'tpad=stop=-1:stop_mode=clone',
    `trim=end_frame=${count}`,
    'settb=1/90000',
    `setpts=PTS+round(${from}/TB)`,
  ].join(',')
  const once = `select=isnan(prev_selected_t)+gt(t-prev_selected_t\\,${frameTolerance})`
  return `,split[all][copied];[copied]${copies}[starts];[all][starts]interleave,${once}`
}

/**
 * Encodes a segment in its subsegments, each of which begins with a keyframe, and calls `take` as soon as one is
 * complete; without those that can't be decoded.
 */
export const transcodeSubsegments = async (
  source: TranscodeSource,
  subsegments: Subsegments,
  { take, drawing = nothingDrawn, signal }: { take: Take; drawing?: Drawing; signal: AbortSignal },
): Promise<void> => {
  const { count, duration } = subsegments
  if (count === 1) {
    const whole = await transcodeSegment(source, signal, drawing)
    if (whole !== undefined) take(0, whole)
    return
  }
  const start = startOf(source.segment, source.init)
  const starts = Array.from({ length: count }, (_, index) => start + (duration * index) / count)
  const cut = createBoxCutter(maxWatchedBytes)
  let index = 0
  let moof: Buffer = Buffer.of()
  const onOutput = (bytes: Buffer): void => {
    for (const box of cut(bytes)) {
      const type = box.toString('latin1', 4, 8)
      if (type === 'moof') moof = box
      if (type === 'mdat') {
        take(index, Buffer.concat([moof, box]))
        index += 1
      }
    }
  }
  await runTranscode(source, drawing, { frames: withPicturesAt(start, subsegments), starts, signal, onOutput })
}
