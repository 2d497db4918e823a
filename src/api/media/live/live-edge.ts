/** How to return to the live edge: do nothing, play a little faster, or jump. */
export type LiveCorrection = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' }

/** Drifts in seconds. Correction starts at `catchUp` and ends at `caughtUp`; beyond `jump` the picture jumps. */
interface Thresholds {
  readonly catchUp: number
  readonly jump: number
  readonly caughtUp: number
  /** The rate is 1 + drift / `doubling`, within `slowest` and `fastest`. */
  readonly doubling: number
}

const usual: Thresholds = { catchUp: 0.25, jump: 8, caughtUp: 0.15, doubling: 20 }
/** Smaller, as low latency buffers a second at most. */
const lowLatency: Thresholds = { catchUp: 0.2, jump: 4, caughtUp: 0.05, doubling: 5 }
/** For live groups, whose pictures stay within a second of each other. */
const group: Thresholds = { catchUp: 0.3, jump: 8, caughtUp: 0.1, doubling: 10 }
const fastest = 1.1
const slowest = 0.9
/** A picture farther ahead of its group than this jumps back instead of slowing down. */
const maxAheadSeconds = 2

/**
 * The correction of a drift: the seconds that a picture is behind its target, negative if it is ahead. Only a picture
 * in a group slows down if it is ahead.
 */
export function liveCorrection(
  driftSeconds: number,
  isCorrecting: boolean,
  { isLowLatency, isInGroup }: { isLowLatency: boolean; isInGroup: boolean },
): LiveCorrection {
  const { catchUp, jump, caughtUp, doubling } = isInGroup ? group : isLowLatency ? lowLatency : usual
  if (driftSeconds > jump || (isInGroup && driftSeconds < -maxAheadSeconds)) return { kind: 'jump' }
  if (isInGroup && (driftSeconds < -catchUp || (isCorrecting && driftSeconds < -caughtUp))) {
    return { kind: 'rate', rate: Math.max(slowest, 1 + driftSeconds / doubling) }
  }
  if (driftSeconds > catchUp || (isCorrecting && driftSeconds > caughtUp)) {
    return { kind: 'rate', rate: Math.min(fastest, 1 + driftSeconds / doubling) }
  }
  return { kind: 'none' }
}

/**
 * The distance of live from the end of a playlist, in seconds: the next segment arrives before it has played.
 * `growthSeconds`: what the playlist grows by, 0 if that is unknown. Of several segments that come at once live begins
 * with the first one, which a server that transcodes has first.
 */
export const liveHoldBack = (segmentSeconds: number, growthSeconds: number): number =>
  comeAtOnce(segmentSeconds, growthSeconds) ? growthSeconds * 1.95 : segmentSeconds * 1.6

/** Whether a playlist grows by several segments at once. */
export const comeAtOnce = (segmentSeconds: number, growthSeconds: number): boolean =>
  growthSeconds > 1.5 * segmentSeconds

/**
 * How far shaka's own live edge is before the end of the playlist if live is `holdBack` before it, in seconds; negative
 * if it is after the end. shaka undoes a rate above 1× once the playhead is in the same second as its edge, so its edge
 * is two seconds after live: the first playlist, from which shaka takes it, may be late by a segment.
 */
export function engineHoldBack(holdBack: number): number {
  const seconds = holdBack - 2
  // shaka takes 0 for a playlist without a hold-back.
  return Math.abs(seconds) < 0.001 ? -0.001 : seconds
}

/** How much video the engine buffers ahead, in media seconds. */
export const bufferingGoal = (rate: number): number => Math.max(10, 4 * rate)

/** Above 2×, sound is only noise, and Chromium doesn't mute it. Backwards there is none. */
export const isMutedAt = (rate: number): boolean => rate > 2 || rate < 0
