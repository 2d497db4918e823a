import type { FailureReason } from '../media/failures.ts'

/** A camera that sent this much video is stable: when the connection is lost, it is tried again at once. */
const stableMs = 10_000
const atOnceMs = 100
/** A stable camera may be restarting: it is tried often for some seconds. */
const quickMs = 500
const quickCount = 6
const firstMs = 1000
const maxMs = 30_000
/** The least delay after a rejected password: cameras lock out a client that repeats one. */
const rejectedMs = 10_000

/** Failures in a row, about two minutes, after which the tracks of a source that is away are forgotten. */
const maxFailuresAway = 15

/** Delays before connecting to a camera again, longer with each failure. `random`: 0 to 1, for jitter. */
export const createRetries = (random = Math.random) => {
  let failures = 0
  let wasStable = false
  let isAway = false
  const usualMs = (): number => {
    if (wasStable && failures === 1) return atOnceMs
    const isQuick = wasStable && failures <= 1 + quickCount
    const doublings = wasStable ? failures - 2 - quickCount : failures - 1
    return isQuick ? quickMs : Math.min(maxMs, firstMs * 2 ** doublings)
  }
  return {
    /** Failures in a row; the loss of a stable camera is the first. */
    failures: () => failures,
    /**
     * Whether the source must be probed again, from the second failure on. One that is away, or has nothing at its path
     * while it starts, says nothing of its tracks: it is probed only after more failures.
     */
    needsProbe: (): boolean => failures > (isAway ? maxFailuresAway : 1),
    /**
     * Registers the end of a connection that sent video for `videoMs`, and why it failed, if it did. Returns the delay
     * in milliseconds.
     */
    fail: (videoMs: number, reason?: FailureReason): number => {
      const isStable = videoMs >= stableMs
      isAway =
        reason === 'EHOSTUNREACH' ||
        reason === 'HTTP_NOT_FOUND' ||
        (reason === 'The connection was lost' && videoMs > 0)
      failures = isStable ? 1 : failures + 1
      wasStable ||= isStable
      return Math.max(usualMs() * (0.7 + 0.6 * random()), reason === 'HTTP_UNAUTHORIZED' ? rejectedMs : 0)
    },
    reset: () => {
      failures = 0
      wasStable = false
    },
  }
}
