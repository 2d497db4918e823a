/** After video of this length the camera counts as good, and is asked again at once when it is lost. */
const goodMs = 10_000
const atOnceMs = 100
/** Then it may be restarting, and is asked often for some seconds. */
const quickMs = 500
const quickCount = 6
const firstMs = 1000
const maxMs = 30_000
/** Cameras lock out who repeats a wrong password. */
const rejectedMs = 10_000

/** Delays before connecting to a camera again, longer with each failure. `random`: 0 to 1, for jitter. */
export const createRetries = (random: () => number) => {
  let failures = 0
  let wasGood = false
  const usualMs = (): number => {
    if (wasGood && failures === 1) return atOnceMs
    const isQuick = wasGood && failures <= 1 + quickCount
    const doublings = wasGood ? failures - 2 - quickCount : failures - 1
    return isQuick ? quickMs : Math.min(maxMs, firstMs * 2 ** doublings)
  }
  return {
    /** In a row; the loss of a good camera is the first. */
    failures: () => failures,
    /** Registers the end of a connection that brought video for `videoMs`; returns the delay in milliseconds. */
    fail: (videoMs: number, isRejected = false): number => {
      const isGood = videoMs >= goodMs
      failures = isGood ? 1 : failures + 1
      wasGood ||= isGood
      return Math.max(usualMs(), isRejected ? rejectedMs : 0) * (0.7 + 0.6 * random())
    },
    reset: () => {
      failures = 0
      wasGood = false
    },
  }
}
