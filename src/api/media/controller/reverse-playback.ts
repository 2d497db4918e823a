import { nextEvent } from '../pause.ts'
import { seekNudgeSeconds } from '../seek-nudge.ts'
import type { ControllerState } from './controller-state.ts'
import { keyframesOf } from './keyframes.ts'
import { playBackwards } from './reverse-steps.ts'
import type { VideoAttachment } from './video-attachment.ts'

/** A browser that doesn't report the frame is assumed to have painted it this long after the seek. */
const paintMs = 100
/** How long a painted frame is awaited: longer than the watchdog lets a seek take (`failAfterMs` in progress.ts). */
const maxSeekMs = 10_000

/** Seeks and waits until the frame is painted, as a seek before that would replace it. */
async function show({ video, frames }: VideoAttachment, media: number, signal: AbortSignal): Promise<void> {
  const painted = frames.next(maxSeekMs)
  const sought = nextEvent(video, 'seeked', signal)
  video.currentTime = media + seekNudgeSeconds
  await sought
  if (!signal.aborted) await Promise.race([painted, frames.next(paintMs)])
}

/** Where playback ends, in media seconds: at the start of the loop if it begins after that, else of the source. */
function floorOf({ requested: { loop }, segmentTimeline }: ControllerState, first: number, from: number): number {
  const map = segmentTimeline.map()
  if (map === null || loop === null || loop.from < map.from) return first
  const start = map.toMedia(loop.from) ?? first
  return from >= start ? Math.max(first, start) : first
}

/**
 * Plays the loaded source backwards from `from` (media seconds) at `speed`, a positive multiple of the normal one, to
 * the start of the loop or of the source, or until `signal` aborts. `onEnd`: called at that start, before it is
 * reported.
 */
export async function playSourceBackwards(
  state: ControllerState,
  attached: VideoAttachment,
  { from, speed, onEnd: stop }: { from: number; speed: number; onEnd: () => void },
  signal: AbortSignal,
): Promise<void> {
  const keyframes = keyframesOf(state)
  const floor = floorOf(state, keyframes.first(), from)
  const picture = {
    keyframeAt: keyframes.at,
    floor,
    show: (media: number) => show(attached, media, signal),
    onStalled: () => !signal.aborted && state.observe('engine.stalled'),
    onShown: () => state.observe('engine.played'),
    onEnd() {
      stop()
      state.observe('engine.paused')
      state.report({ type: 'engine.startReached', at: Math.round(state.segmentTimeline.map()?.toUtc(floor) ?? 0) })
    },
  }
  await playBackwards(picture, { from, speed }, signal)
}
