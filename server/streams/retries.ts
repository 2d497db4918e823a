const firstMs = 1000
const longestMs = 30_000
/** A connection that held this long was a good one: the next retry is quick again. */
const goodMs = 30_000

/**
 * How long to wait before a camera is connected to again: longer each time in vain. `random` is between 0 and 1, for
 * the jitter.
 */
export const createRetries = (random: () => number) => {
  let failures = 0
  return {
    failures: () => failures,
    /** A connection that held for `heldMs` ended; answers the milliseconds to wait. */
    fail: (heldMs: number): number => {
      failures = heldMs > goodMs ? 1 : failures + 1
      return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.7 + 0.6 * random())
    },
    reset: () => {
      failures = 0
    },
  }
}
