/** Milliseconds of a monotonic clock, for ages within this process: the system's clock may be set back. */
export const monotonicNow = (): number => performance.now()
