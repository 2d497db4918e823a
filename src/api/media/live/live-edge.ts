/** How to get back to the live edge: keep on, play a little faster, or jump. */
export type LiveCorrection = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' }

/** From which drifts on live is caught up, by what, and until where, so that it doesn't switch to and fro; seconds. */
interface Thresholds {
  readonly catchUp: number
  readonly jump: number
  readonly caughtUp: number
  /** The drift that is worth a rate of 2. */
  readonly doubling: number
}

const usual: Thresholds = { catchUp: 0.5, jump: 8, caughtUp: 0.15, doubling: 20 }
/** Live in parts buffers no more than a second. */
const short: Thresholds = { catchUp: 0.2, jump: 4, caughtUp: 0.05, doubling: 5 }
/** Pictures side by side are no more than a second apart, whichever is ahead. */
const side: Thresholds = { catchUp: 0.3, jump: 8, caughtUp: 0.1, doubling: 10 }
const fastest = 1.1
const slowest = 0.9
/** A picture that is farther ahead of those beside it goes back, rather than to wait for long; seconds. */
const maxAhead = 2

/**
 * `driftSeconds` is how far playing is behind where live should be; more than is seen is caught up by a rate that grows
 * with it to 1.1, more than 8 s by a jump, and less of either where live comes in parts. Beside others it may be ahead,
 * too (below 0), and waits.
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

/** The next segment is there before this is played. */
export const liveHoldBack = (segmentSeconds: number): number => segmentSeconds * 1.5

/**
 * How far behind the end of the first list shaka is to hold its own edge, past which it plays no faster than usual. It
 * stays as late as the first list came, which may be a segment; so it is held nearer than live plays.
 */
export const engineHoldBack = (segmentSeconds: number): number => segmentSeconds * 0.4

/** Counted in media seconds. */
export const bufferingGoal = (rate: number): number => Math.max(10, 4 * rate)

/** Sound above twice the speed is noise, and Chromium doesn't mute it by itself. */
export const isMutedAt = (rate: number): boolean => rate > 2
