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

/** Delays before connecting to a camera again, longer with each failure. `random`: 0 to 1, for jitter. */
export const createRetries = (random = Math.random) => {
  let failures = 0
  let wasStable = false
  const usualMs = (): number => {
    if (wasStable && failures === 1) return atOnceMs
    const isQuick = wasStable && failures <= 1 + quickCount
    const doublings = wasStable ? failures - 2 - quickCount : failures - 1
    return isQuick ? quickMs : Math.min(maxMs, firstMs * 2 ** doublings)
  }
  return {
    /** Failures in a row; the loss of a stable camera is the first. */
    failures: () => failures,
    /** Registers the end of a connection that sent video for `videoMs`. Returns the delay in milliseconds. */
    fail: (videoMs: number, isRejected = false): number => {
      const isStable = videoMs >= stableMs
      failures = isStable ? 1 : failures + 1
      wasStable ||= isStable
      return Math.max(usualMs() * (0.7 + 0.6 * random()), isRejected ? rejectedMs : 0)
    },
    reset: () => {
      failures = 0
      wasStable = false
    },
  }
}
