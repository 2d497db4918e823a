/** How to return to the live edge: do nothing, play a little faster, or jump. */
export type LiveCorrection = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' }

/** Drifts at which correction starts, jumps and ends, with hysteresis; seconds. */
interface Thresholds {
  readonly catchUp: number
  readonly jump: number
  readonly caughtUp: number
  /** The drift that is corrected at twice the speed. */
  readonly doubling: number
}

const usual: Thresholds = { catchUp: 0.5, jump: 8, caughtUp: 0.15, doubling: 20 }
/** Live in parts buffers no more than a second. */
const short: Thresholds = { catchUp: 0.2, jump: 4, caughtUp: 0.05, doubling: 5 }
/** For live groups: pictures stay within a second of each other, in either direction. */
const side: Thresholds = { catchUp: 0.3, jump: 8, caughtUp: 0.1, doubling: 10 }
const fastest = 1.1
const slowest = 0.9
/** A picture farther ahead of its group than this seeks back instead of waiting; seconds. */
const maxAhead = 2

/**
 * The correction for a drift in seconds behind the target: a rate that grows with the drift up to 1.1, a jump beyond 8
 * s, and smaller limits for low-latency streams. In a group the drift may be negative; the picture then waits.
 */
export function liveCorrection(
  driftSeconds: number,
  isCorrecting: boolean,
  { isLowLatency, isShared }: { isLowLatency: boolean; isShared: boolean },
): LiveCorrection {
  const { catchUp, jump, caughtUp, doubling } = isShared ? side : isLowLatency ? short : usual
  if (driftSeconds > jump || (isShared && driftSeconds < -maxAhead)) return { kind: 'jump' }
  if (isShared && (driftSeconds < -catchUp || (isCorrecting && driftSeconds < -caughtUp))) {
    return { kind: 'rate', rate: Math.max(slowest, 1 + driftSeconds / doubling) }
  }
  if (driftSeconds > catchUp || (isCorrecting && driftSeconds > caughtUp)) {
    return { kind: 'rate', rate: Math.min(fastest, 1 + driftSeconds / doubling) }
  }
  return { kind: 'none' }
}

/** The next segment arrives before this much is played. */
export const liveHoldBack = (segmentSeconds: number): number => segmentSeconds * 1.5

/**
 * The distance from the end of the first playlist at which shaka has its own live edge, past which it plays at 1×. The
 * first playlist may be late by a segment, so this is less than our own distance.
 */
export const engineHoldBack = (segmentSeconds: number): number => segmentSeconds * 0.4

/** Counted in media seconds. */
export const bufferingGoal = (rate: number): number => Math.max(10, 4 * rate)

/** Sound above twice the speed is noise, and Chromium doesn't mute it by itself. */
export const isMutedAt = (rate: number): boolean => rate > 2
