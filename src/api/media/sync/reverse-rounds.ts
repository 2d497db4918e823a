import { pause } from '../pause.ts'
import type { SharedClock } from './shared-clock.ts'

/** A round waits this long for the slowest picture, as the readiness barrier of synchronized playback does. */
const maxRoundMs = 1000
/** A round lasts at least this long, so that many pictures don't take the whole machine. */
const minRoundMs = 100
/** How often to look whether all pictures are there. */
const lookMs = 20
/** A picture that was sought is painted within this; the next seek would replace it before. */
const paintMs = 20

/**
 * Plays pictures with a shared clock backwards, in rounds: sets the clock to a moment and waits until all pictures are
 * there, for a second at most. The next moment follows from the time that has passed, so that the speed holds: slow
 * pictures show fewer moments, but all show the same one. The clock is read in each round: another moment or speed
 * applies at once.
 */
export async function playRoundsBackwards(
  clock: SharedClock,
  areReady: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  let since = performance.now()
  const lasted = () => performance.now() - since
  while (!signal.aborted) {
    const isOver = () => lasted() >= maxRoundMs - paintMs || (lasted() >= minRoundMs - paintMs && areReady())
    while (!signal.aborted && !isOver()) await pause(lookMs, signal)
    await pause(paintMs, signal)
    const { at, rate } = clock.read()
    if (signal.aborted || rate >= 0) return
    clock.set(at + rate * Math.min(lasted(), maxRoundMs), rate)
    since = performance.now()
  }
}
