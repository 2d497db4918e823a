/**
 * `at`: the moment in epoch milliseconds; `rate`: the speed of playback, 0 while paused, negative backwards. Backwards
 * the moment stands until it is set again, as all pictures of a moment are shown before the next one.
 */
export interface ClockReading {
  readonly at: number
  readonly rate: number
}

/** The clock of synchronized playback. It runs without a timer: a reading is calculated from the time. */
export interface SharedClock {
  /** `at` null: from the current moment. The moment of a clock that stands is rounded to a millisecond. */
  set(at: number | null, rate: number): void
  read(): ClockReading
}

/** `now`: milliseconds of a clock that never steps back. */
export function createSharedClock(now: () => number): SharedClock {
  let origin = { at: 0, rate: 0, since: now() }
  const read = (): ClockReading => ({
    at: origin.at + (now() - origin.since) * Math.max(0, origin.rate),
    rate: origin.rate,
  })
  return {
    read,
    set(at, rate) {
      const start = at ?? read().at
      origin = { at: rate > 0 ? start : Math.round(start), rate, since: now() }
    },
  }
}
