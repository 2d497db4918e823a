import { expect } from 'playwright/test'
import { type Reading, lookAtPlayer, readingOf } from '../real/frame-strip.ts'
import type { Hand } from './hand.ts'

export const frameMs = 40
/** So many pictures that follow each other are compared with the clock. */
const pictures = 15

/** In whole frames: a playlist's dates are of whole milliseconds, which leaves the clock one ahead of some. */
const errorOf = ({ frame, shown }: Reading) => Math.round(Math.abs(frame - shown) / frameMs) * frameMs

/** A reading once it is one that is wanted. */
export async function readingThat(hand: Hand, isWanted: (reading: Reading) => boolean, what: string): Promise<Reading> {
  const reading = await hand.until(
    async () => readingOf(await hand.engine.evaluate(lookAtPlayer, null)),
    (one) => one !== null && isWanted(one),
    what,
  )
  if (reading === null) throw new Error(what)
  return reading
}

/**
 * Of pictures that follow each other none is farther from the clock than may be; how far, is printed. A busy machine
 * draws a picture late, or two: of three in a row the nearest counts, as a clock that is wrong is wrong in all.
 */
export async function expectTrueClock(hand: Hand, what: string, maxMs: number): Promise<Reading> {
  let last = await readingThat(
    hand,
    (reading) => errorOf(reading) <= maxMs,
    `${what}: the clock shows the time of the picture`,
  )
  const readings: Reading[] = []
  while (readings.length < pictures) {
    const { frame } = last
    last = await readingThat(hand, (reading) => reading.frame !== frame, `${what}: the picture moves`)
    readings.push(last)
  }
  const delays = readings.map(({ frame, shown }) => shown - frame)
  process.stdout.write(`${hand.engine.name}, ${what}: the clock is ${delays.join(', ')} ms ahead of the picture\n`)
  const errors = readings.map(errorOf)
  const nearest = errors.slice(2).map((error, index) => Math.min(error, ...errors.slice(index, index + 2)))
  expect(Math.max(...nearest), `${what}: ${delays.join(', ')}`).toBeLessThanOrEqual(maxMs)
  return last
}

/** So many readings in a row are alike: a busy machine draws and reports for a while after a pause. */
const stillReadings = 4

/** A wanted reading that doesn't change any more. */
export async function stillReading(
  hand: Hand,
  isWanted: (reading: Reading) => boolean,
  what: string,
): Promise<Reading> {
  let last: Reading | null = null
  let count = 0
  const readAgain = async () => {
    const reading = readingOf(await hand.engine.evaluate(lookAtPlayer, null))
    count = reading !== null && reading.frame === last?.frame && reading.shown === last.shown ? count + 1 : 1
    last = reading
    return { reading, isStill: count >= stillReadings }
  }
  const { reading } = await hand.until(
    readAgain,
    (one) => one.reading !== null && one.isStill && isWanted(one.reading),
    what,
  )
  if (reading === null) throw new Error(what)
  return reading
}

/** A picture at rest: the clock shows its very time. */
export const readingAtRest = (hand: Hand, isWanted: (reading: Reading) => boolean, what: string): Promise<Reading> =>
  readingThat(
    hand,
    (reading) => reading.shown >= reading.frame && reading.shown < reading.frame + frameMs && isWanted(reading),
    what,
  )
