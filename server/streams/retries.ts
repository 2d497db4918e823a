const firstMs = 1000
const longestMs = 30_000
/** After a connection of this length, the next retry is quick again. */
const goodMs = 30_000

/** Delays before reconnecting to a camera, growing with each failure. `random`: 0 to 1, for jitter. */
export const createRetries = (random: () => number) => {
  let failures = 0
  return {
    failures: () => failures,
    /** Registers the end of a connection after `heldMs`; returns the delay in milliseconds. */
    fail: (heldMs: number): number => {
      failures = heldMs > goodMs ? 1 : failures + 1
      return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * (0.7 + 0.6 * random())
    },
    reset: () => {
      failures = 0
    },
  }
}
