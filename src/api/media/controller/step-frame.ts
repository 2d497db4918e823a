import type { FrameWatch } from '../frames/frames.ts'

/** The step of a search by seeks. */
const searchSeconds = 1 / 120
/** A seek to this much before a frame shows the frame before it. */
export const epsilonSeconds = 0.004
/** A seek to this much after a frame's start shows the frame, however the browser rounds. */
export const insideSeconds = 0.002
/** A frame nearer to the start than this is the first one. */
const startSeconds = 0.002
const waitMs = 400

/** `moved`: another frame is shown. `start`, `end`: no frame in that direction. `lost`: no frame came in time. */
export type StepOutcome = 'moved' | 'start' | 'end' | 'lost'

type Limits = { readonly start: number; readonly end: number }
type Stepped = Pick<HTMLVideoElement, 'currentTime'>
type Frames = Pick<FrameWatch, 'mediaTime' | 'soughtFrame' | 'interval' | 'next' | 'table'>

const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= insideSeconds / 2

/**
 * Seeks to `time`; whether a frame other than the one at `here` came. Some browsers report the sought time itself as
 * that of a frame (frames.ts): it isn't taken for another frame nearer than the next one can be.
 */
async function seekTo(video: Stepped, frames: Frames, here: number, time: number): Promise<boolean> {
  video.currentTime = Math.max(0, time)
  await frames.next(waitMs)
  const shown = frames.mediaTime() ?? here
  const isOfFrame = !isSame(shown, time) || Math.abs(time - here) >= frames.interval() - insideSeconds / 2
  return isOfFrame && !isSame(shown, here)
}

/** Seeks on in steps shorter than a frame, starting a little before the expected next frame. */
async function searchForward(video: Stepped, frames: Frames, here: number, end: number): Promise<StepOutcome> {
  const first = Math.max(1, Math.floor((frames.interval() * 0.6) / searchSeconds))
  for (let tried = first; tried < first + 60; tried += 1) {
    if (here + tried * searchSeconds >= end) return 'end'
    if (await seekTo(video, frames, here, here + tried * searchSeconds)) return 'moved'
  }
  return 'lost'
}

async function searchBack(video: Stepped, frames: Frames, here: number, start: number): Promise<StepOutcome> {
  for (const back of [epsilonSeconds, frames.interval() / 2, frames.interval()])
    if (await seekTo(video, frames, here, here - back)) return 'moved'
  return here < start + frames.interval() ? 'start' : 'lost'
}

/** Steps one frame, by the frame table if it has the frame, else by a search. `start` and `end` are media seconds. */
export async function stepFrame(
  video: Stepped,
  frames: Frames,
  direction: 1 | -1,
  { start, end }: Limits,
): Promise<StepOutcome> {
  // A frame that was sought may be on the screen before the browser reports it.
  const here = frames.soughtFrame() ?? frames.mediaTime()
  if (here === null) return 'lost'
  if (direction === -1 && here < start + startSeconds) return 'start'
  const next = direction === 1 ? frames.table.after(here) : frames.table.before(here)
  if (next !== undefined && next < end && next >= start - startSeconds) {
    return (await seekTo(video, frames, here, next + insideSeconds)) ? 'moved' : 'lost'
  }
  return direction === 1 ? searchForward(video, frames, here, end) : searchBack(video, frames, here, start)
}
