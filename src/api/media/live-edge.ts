/** How to get back to the live edge: keep on, play a little faster, or jump. */
export type LiveCorrection = { kind: 'none' } | { kind: 'rate'; rate: number } | { kind: 'jump' }

/** From which drifts on live is caught up, by what, and until where, so that it doesn't switch to and fro; seconds. */
interface Leash {
  readonly catchUp: number
  readonly jump: number
  readonly caughtUp: number
  /** The drift that is worth a rate of 2. */
  readonly doubling: number
}

const usual: Leash = { catchUp: 2, jump: 8, caughtUp: 0.3, doubling: 20 }
/** Of live in parts, whose buffer holds no more than a second. */
const short: Leash = { catchUp: 0.4, jump: 4, caughtUp: 0.1, doubling: 5 }
const fastest = 1.1

/**
 * `driftSeconds` is how far playing is behind where live should be; above 2 s it is caught up by a rate of at most 1.1,
 * above 8 s by a jump (issue 3, "Playing"), and sooner where live comes in parts.
 */
export function liveCorrection(driftSeconds: number, isCatchingUp: boolean, isLowLatency: boolean): LiveCorrection {
  const { catchUp, jump, caughtUp, doubling } = isLowLatency ? short : usual
  if (driftSeconds > jump) return { kind: 'jump' }
  if (driftSeconds > catchUp || (isCatchingUp && driftSeconds > caughtUp)) {
    return { kind: 'rate', rate: Math.min(fastest, 1 + driftSeconds / doubling) }
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
