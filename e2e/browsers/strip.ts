import { expect } from 'playwright/test'
import { type Reading, lookAtPlayer, readingOf } from '../real/frame-strip.ts'
import type { Hand } from './hand.ts'

export const frameMs = 40

const errorOf = ({ frame, shown }: Reading) => Math.abs(frame - shown)

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

/** Of so many pictures that follow each other, most are no farther from the clock than may be; how far, is told. */
export async function expectTrueClock(hand: Hand, what: string, mostMs: number): Promise<Reading> {
  let last = await readingThat(
    hand,
    (reading) => errorOf(reading) <= mostMs,
    `${what}: the clock shows the time of the picture`,
  )
  const errors: number[] = []
  while (errors.length < 15) {
    const { frame } = last
    last = await readingThat(hand, (reading) => reading.frame !== frame, `${what}: the picture moves`)
    errors.push(errorOf(last))
  }
  errors.sort((one, other) => one - other)
  process.stdout.write(`${hand.engine.name}, ${what}: clock and picture ${errors.join(', ')} ms apart\n`)
  // On a machine that has more to do than it can, single pictures are late.
  expect(errors[7], `${what}: ${errors.join(', ')}`).toBeLessThanOrEqual(mostMs)
  return last
}

/** A picture at rest: the clock shows its very time. */
export const readingAtRest = (hand: Hand, isWanted: (reading: Reading) => boolean, what: string): Promise<Reading> =>
  readingThat(
    hand,
    (reading) => reading.shown >= reading.frame && reading.shown < reading.frame + frameMs && isWanted(reading),
    what,
  )
