import type { FrameWatch } from '../frames/frames.ts'

/** The step of a search by seeks, a frame at 120 fps; and how many steps to try. */
const searchSeconds = 1 / 120
const maxSearchSteps = 60
/** A seek to this much before a frame shows the frame before it. */
export const epsilonSeconds = 0.004
/** A seek to this much after a frame's start shows the frame, however the browser rounds. */
export const insideSeconds = 0.002
/** A frame nearer to the start than this is the first one. */
const startSeconds = 0.002
/** How long to wait for the frame of a seek. */
const waitMs = 400

/** `moved`: another frame is shown. `start`, `end`: no frame in that direction. `lost`: no frame came in time. */
export type StepOutcome = 'moved' | 'start' | 'end' | 'lost'

type Limits = { readonly start: number; readonly end: number }
type SeekableVideo = Pick<HTMLVideoElement, 'currentTime'>
type Frames = Pick<FrameWatch, 'mediaTime' | 'soughtFrame' | 'interval' | 'next' | 'table'>

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= insideSeconds / 2

/**
 * Seeks to `time`; true if that shows another frame than the one at `here`. Some browsers report the sought time and
 * not the frame's (frames.ts): such a report doesn't count within a frame's duration of `here`.
 */
async function seekTo(video: SeekableVideo, frames: Frames, here: number, time: number): Promise<boolean> {
  video.currentTime = Math.max(0, time)
  await frames.next(waitMs)
  const shown = frames.mediaTime() ?? here
  const isFrameTime = !isSame(shown, time) || Math.abs(time - here) >= frames.interval() - insideSeconds / 2
  return isFrameTime && !isSame(shown, here)
}

/** Seeks on in steps shorter than a frame, starting a little before the expected next frame. */
async function searchForward(video: SeekableVideo, frames: Frames, here: number, end: number): Promise<StepOutcome> {
  const first = Math.max(1, Math.floor((frames.interval() * 0.6) / searchSeconds))
  for (let steps = first; steps < first + maxSearchSteps; steps += 1) {
    const time = here + steps * searchSeconds
    if (time >= end) return 'end'
    if (await seekTo(video, frames, here, time)) return 'moved'
  }
  return 'lost'
}

async function searchBack(video: SeekableVideo, frames: Frames, here: number, start: number): Promise<StepOutcome> {
  for (const back of [epsilonSeconds, frames.interval() / 2, frames.interval()])
    if (await seekTo(video, frames, here, here - back)) return 'moved'
  return here < start + frames.interval() ? 'start' : 'lost'
}

/** Steps one frame, by the frame table if it has the frame, else by a search. `start` and `end` are media seconds. */
export async function stepFrame(
  video: SeekableVideo,
  frames: Frames,
  direction: 1 | -1,
  { start, end }: Limits,
): Promise<StepOutcome> {
  // The frame of the last seek may be on the screen before the browser reports it.
  const here = frames.soughtFrame() ?? frames.mediaTime()
  if (here === null) return 'lost'
  if (direction === -1 && here < start + startSeconds) return 'start'
  const next = direction === 1 ? frames.table.after(here) : frames.table.before(here)
  if (next !== undefined && next < end && next >= start - startSeconds) {
    return (await seekTo(video, frames, here, next + insideSeconds)) ? 'moved' : 'lost'
  }
  return direction === 1 ? searchForward(video, frames, here, end) : searchBack(video, frames, here, start)
}
