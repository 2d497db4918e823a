import type { FrameWatch } from '../frames/frames.ts'

const probe = 1 / 120
/** A time this much before a frame belongs to the frame before it. */
export const epsilonSeconds = 0.004
/** A time this much after a frame's start belongs to it, however a player rounds. */
const insideSeconds = 0.002
/** A frame nearer to the start than this has none before it. */
const startSeconds = 0.002
const waitMs = 400

/** `moved`: another frame is shown. `start`, `end`: there is none in that direction. `lost`: none came in time. */
export type StepOutcome = 'moved' | 'start' | 'end' | 'lost'

type Limits = { readonly start: number; readonly end: number }
type Stepped = Pick<HTMLVideoElement, 'currentTime'>
type Frames = Pick<FrameWatch, 'mediaTime' | 'interval' | 'next' | 'table'>

async function goTo(video: Stepped, frames: Frames, here: number, time: number): Promise<boolean> {
  video.currentTime = Math.max(0, time)
  await frames.next(waitMs)
  return Math.abs((frames.mediaTime() ?? here) - here) > insideSeconds / 2
}

/** Seeks in steps shorter than a frame, from a little before the expected position of the next one. */
async function searchOn(video: Stepped, frames: Frames, here: number, end: number): Promise<StepOutcome> {
  const first = Math.max(1, Math.floor((frames.interval() * 0.6) / probe))
  for (let tried = first; tried < first + 60; tried += 1) {
    if (here + tried * probe >= end) return 'end'
    if (await goTo(video, frames, here, here + tried * probe)) return 'moved'
  }
  return 'lost'
}

async function searchBack(video: Stepped, frames: Frames, here: number, start: number): Promise<StepOutcome> {
  for (const back of [epsilonSeconds, frames.interval() / 2])
    if (await goTo(video, frames, here, here - back)) return 'moved'
  return here < start + frames.interval() ? 'start' : 'lost'
}

/** Uses the segment's frame times if known, else searches. `start` and `end` are media seconds. */
export async function stepFrame(
  video: Stepped,
  frames: Frames,
  direction: 1 | -1,
  { start, end }: Limits,
): Promise<StepOutcome> {
  const here = frames.mediaTime()
  if (here === null) return 'lost'
  if (direction === -1 && here < start + startSeconds) return 'start'
  const next = direction === 1 ? frames.table.after(here) : frames.table.before(here)
  if (next !== undefined && next < end && next >= start - startSeconds) {
    return (await goTo(video, frames, here, next + insideSeconds)) ? 'moved' : 'lost'
  }
  return direction === 1 ? searchOn(video, frames, here, end) : searchBack(video, frames, here, start)
}
