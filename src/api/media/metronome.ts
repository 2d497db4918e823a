/** A moment, epoch milliseconds, and how fast it goes on: milliseconds of media a millisecond; 0 while it rests. */
export interface Beat {
  readonly at: number
  readonly rate: number
}

/** The one clock that several pictures are played by. Its moment is a function of time: nothing has to wind it. */
export interface Metronome {
  /** Puts it at a moment (null: where it is now) and lets it go on at a rate; it rests at a whole millisecond, the one that is shown. */
  set(at: number | null, rate: number): void
  read(): Beat
}

/** `now` is a clock in milliseconds that never steps back. */
export function createMetronome(now: () => number): Metronome {
  let origin = { at: 0, rate: 0, since: now() }
  const read = (): Beat => ({ at: origin.at + (now() - origin.since) * origin.rate, rate: origin.rate })
  return {
    read,
    set(at, rate) {
      const wanted = at ?? read().at
      origin = { at: rate === 0 ? Math.round(wanted) : wanted, rate, since: now() }
    },
  }
}
