/** A moment in epoch milliseconds and its rate in media time per time; 0 while paused. */
export interface ClockReading {
  readonly at: number
  readonly rate: number
}

/** The clock of synchronized playback. Its moment is a function of time, so no timer runs. */
export interface SharedClock {
  /** `at` null: from the current moment. A paused clock stands at a whole millisecond. */
  set(at: number | null, rate: number): void
  read(): ClockReading
}

/** `now`: milliseconds of a clock that never steps back. */
export function createSharedClock(now: () => number): SharedClock {
  let origin = { at: 0, rate: 0, since: now() }
  const read = (): ClockReading => ({ at: origin.at + (now() - origin.since) * origin.rate, rate: origin.rate })
  return {
    read,
    set(at, rate) {
      const wanted = at ?? read().at
      origin = { at: rate === 0 ? Math.round(wanted) : wanted, rate, since: now() }
    },
  }
}
