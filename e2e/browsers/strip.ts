import { expect } from 'playwright/test'
import { type Reading, lookAtPlayer, readingOf } from '../real/frame-strip.ts'
import type { Driver } from './driver.ts'

export const frameMs = 40
/** How many consecutive frames are compared with the clock. */
const frameCount = 15

/**
 * How late the picture is, in ms; negative if it is ahead of its clock. In whole frames: dates in playlists are rounded
 * to milliseconds, so the clock may be a millisecond ahead.
 */
const latenessOf = ({ frame, shown }: Reading) => Math.round((shown - frame) / frameMs) * frameMs

/** Waits for a reading as expected. */
export async function readingThat(
  driver: Driver,
  isExpected: (reading: Reading) => boolean,
  what: string,
): Promise<Reading> {
  const reading = await driver.waitFor(
    async () => readingOf(await driver.tab.evaluate(lookAtPlayer, null)),
    (one) => one !== null && isExpected(one),
    what,
  )
  if (reading === null) throw new Error(what)
  return reading
}

/**
 * Expects that most frames are within `maxMs` of the clock, and prints the differences. A busy machine draws some frames
 * late, or the clock beside them; a wrong clock is wrong in most of them.
 */
export async function expectTrueClock(driver: Driver, what: string, maxMs: number): Promise<Reading> {
  let last = await readingThat(
    driver,
    (reading) => Math.abs(latenessOf(reading)) <= maxMs,
    `${what}: the clock shows the time of the picture`,
  )
  const readings: Reading[] = []
  while (readings.length < frameCount) {
    const { frame } = last
    last = await readingThat(driver, (reading) => reading.frame !== frame, `${what}: the picture moves`)
    readings.push(last)
  }
  const differences = readings.map(({ frame, shown }) => shown - frame)
  process.stdout.write(`${driver.tab.name}, ${what}: the clock is ${differences.join(', ')} ms ahead of the picture\n`)
  const atTheClock = readings.filter((reading) => Math.abs(latenessOf(reading)) <= maxMs)
  expect(atTheClock.length, `${what}: frames within ${maxMs} ms of the clock`).toBeGreaterThan(frameCount / 2)
  return last
}

/** How many equal readings in a row count as still: a busy machine draws for a while after a pause. */
const stillReadings = 4

/** Waits for an expected reading that doesn't change any more. */
export async function stillReading(
  driver: Driver,
  isExpected: (reading: Reading) => boolean,
  what: string,
): Promise<Reading> {
  let last: Reading | null = null
  let count = 0
  const readAgain = async () => {
    const reading = readingOf(await driver.tab.evaluate(lookAtPlayer, null))
    count = reading !== null && reading.frame === last?.frame && reading.shown === last.shown ? count + 1 : 1
    last = reading
    return { reading, isStill: count >= stillReadings }
  }
  const { reading } = await driver.waitFor(
    readAgain,
    (one) => one.reading !== null && one.isStill && isExpected(one.reading),
    what,
  )
  if (reading === null) throw new Error(what)
  return reading
}

/** Whether the clock shows the time of the frame. */
export const isExact = ({ frame, shown }: Reading): boolean => shown >= frame && shown < frame + frameMs

/** Waits for an expected reading of a paused picture, whose clock shows the time of the frame exactly. */
export const readingWhilePaused = (
  driver: Driver,
  isExpected: (reading: Reading) => boolean,
  what: string,
): Promise<Reading> => readingThat(driver, (reading) => isExact(reading) && isExpected(reading), what)
