/** How to get back to the live edge: keep on, play a little faster, or jump. */
export type LiveCorrection = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' }

const driftToCatchUp = 2
const driftToJump = 8
const fastest = 1.1
/** Catching up goes on until the drift is below this, so that it doesn't switch to and fro. */
const caughtUp = 0.3

/**
 * `driftSeconds` is how far playing is behind where live should be; above 2 s it is caught up by a rate of at most 1.1,
 * above 8 s by a jump (issue 3, "Playing").
 */
export function liveCorrection(driftSeconds: number, isCatchingUp: boolean): LiveCorrection {
  if (driftSeconds > driftToJump) return { kind: 'jump' }
  if (driftSeconds > driftToCatchUp || (isCatchingUp && driftSeconds > caughtUp)) {
    return { kind: 'rate', rate: Math.min(fastest, 1 + driftSeconds / 20) }
  }
  return { kind: 'none' }
}

/**
 * How far behind the edge live plays, by its longest segment, in seconds: a segment and a half in all, since shaka holds
 * the edge a segment behind the newest one's end by itself.
 */
export const liveDelay = (segmentSeconds: number): number => Math.max(0.4, segmentSeconds * 0.5)

/** Seconds of media to hold ahead at a playback rate; counted in media seconds (playback.md). */
export const bufferingGoal = (rate: number): number => Math.max(10, 4 * rate)

/** Sound above twice the speed is noise, and Chromium doesn't mute it by itself (playback.md). */
export const isMutedAt = (rate: number): boolean => rate > 2
