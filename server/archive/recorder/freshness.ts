/** The next part of a live stream may come this much later than 1.5 target durations. */
const graceMs = 1000
/** A part that comes this much later than it is long after the one before it may be the rest of a silent camera. */
const maxLateMs = 2000

/** By the arrivals of its parts, whether a live stream goes on. */
export const createFreshness = () => {
  let previous = { run: Number.NaN, at: -Infinity }
  let freshAt = -Infinity
  return {
    /** `duration` in seconds, `arrivedAt` in epoch milliseconds. What a silent camera leaves is of its last run. */
    noteArrival: (run: number, duration: number, arrivedAt: number): void => {
      const latest = run === previous.run ? previous.at + duration * 1000 + maxLateMs : Infinity
      freshAt = Math.min(arrivedAt, latest)
      previous = { run, at: arrivedAt }
    },
    /** Whether a part came within `minMs`, or within 1.5 target durations (seconds) and a second if that is more. */
    isFresh: (now: number, targetSeconds: number, minMs: number): boolean =>
      Math.abs(now - freshAt) <= Math.max(minMs, targetSeconds * 1500 + graceMs),
  }
}
