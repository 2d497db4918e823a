/** Milliseconds of a clock that is never set, for ages within this process: the system's clock may be set back. */
export const monotonicNow = (): number => performance.now()
