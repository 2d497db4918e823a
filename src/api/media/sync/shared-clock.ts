/** A moment, epoch milliseconds, and how fast it goes on: milliseconds of media a millisecond; 0 while it rests. */
export interface ClockReading {
  readonly at: number
  readonly rate: number
}

/** The one clock that several pictures are played by. Its moment is a function of time: nothing has to wind it. */
export interface SharedClock {
  /** Null `at`: where it is now. It rests at a whole millisecond, the one that is shown. */
  set(at: number | null, rate: number): void
  read(): ClockReading
}

/** `now` is a clock in milliseconds that never steps back. */
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
