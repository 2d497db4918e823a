import { nextEvent } from '../pause.ts'
import { seekNudgeSeconds } from '../seek-nudge.ts'
import type { ControllerState } from './controller-state.ts'
import { keyframesOf } from './keyframes.ts'
import { playBackwards } from './reverse-steps.ts'
import type { VideoAttachment } from './video-attachment.ts'

/** A browser that doesn't report the frame is assumed to have painted it this long after the seek. */
const paintMs = 100
/** Longer than the watchdog waits for a seek. */
const maxSeekMs = 10_000

/** Seeks and waits until the frame is painted, as a seek before that would replace it. */
async function show({ video, frames }: VideoAttachment, media: number, signal: AbortSignal): Promise<void> {
  const painted = frames.next(maxSeekMs)
  const sought = nextEvent(video, 'seeked', signal)
  video.currentTime = media + seekNudgeSeconds
  await sought
  if (!signal.aborted) await Promise.race([painted, frames.next(paintMs)])
}

/** Media seconds: the start of the loop if playback is in it, else of the source. */
function floorAt({ requested: { loop }, segmentTimeline }: ControllerState, first: number, from: number): number {
  const map = segmentTimeline.map()
  if (map === null || loop === null || loop.from < map.from) return first
  const start = map.toMedia(loop.from) ?? first
  return from >= start ? Math.max(first, start) : first
}

/** Plays the loaded source backwards from a position in media seconds, to its start or until `signal` aborts. */
export async function playSourceBackwards(
  state: ControllerState,
  attached: VideoAttachment,
  { from, speed, onEnd }: { from: number; speed: number; onEnd: () => void },
  signal: AbortSignal,
): Promise<void> {
  const keyframes = keyframesOf(state)
  const floor = floorAt(state, keyframes.first(), from)
  const picture = {
    keyframeAt: keyframes.at,
    floor,
    show: (media: number) => show(attached, media, signal),
    onStalled: () => !signal.aborted && state.observe('engine.stalled'),
    onShown: () => state.observe('engine.played'),
    onEnd() {
      onEnd()
      state.observe('engine.paused')
      state.report({ type: 'engine.startReached', at: Math.round(state.segmentTimeline.map()?.toUtc(floor) ?? 0) })
    },
  }
  await playBackwards(picture, { from, speed }, signal)
}
