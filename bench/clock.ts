import type { Page } from 'playwright'
import type { Figure } from './figures.ts'
import { chooseSpeed, openAt, openLive, timelineOf, type Bench, type Measure } from './harness.ts'
import { frameMs } from './strip.ts'

/** Of the golden ratio: its multiples never come close to each other. */
const spread = 0.381_966
const goal = { median: frameMs, worst: 2 * frameMs, lost: 0 }

interface Errors {
  /** How far the shown time is from the strip, in milliseconds. */
  found: number[]
  /** How many other readings were dropped, as they changed. */
  dropped: number
}

/** Read at random moments. Readings without a picture and those that change are skipped, unless that lasts. */
function errors(page: Page, count: number): Promise<Errors> {
  return page.evaluate(async (wanted) => {
    const found: number[] = []
    let dropped = 0
    for (let skipped = 0; found.length < wanted;) {
      const reading = await globalThis.bench.readSteady(60 + (((found.length + dropped) * 7) % 43))
      if (reading === 'changed') dropped += 1
      if (reading === 'changed' || reading === null) skipped += 1
      else {
        found.push(Math.abs(reading.frame - reading.shown))
        skipped = 0
      }
      if (skipped > 100) return { found: [...found, Number.NaN], dropped }
    }
    return { found, dropped }
  }, count)
}

async function afterSeeks(bench: Bench): Promise<Errors> {
  const rounds: Errors[] = []
  for (let round = 0; round < 12; round += 1) {
    const { from, to } = bench.recorded[round % bench.recorded.length] ?? { from: 0, to: 0 }
    const point = (await timelineOf(bench.page)).pointOf(from + (to - from) * ((0.1 + round * spread) % 0.8))
    await bench.page.mouse.click(point.x, point.y)
    rounds.push(await errors(bench.page, 8))
  }
  return {
    found: rounds.flatMap(({ found }) => found),
    dropped: rounds.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}

/** Plays from a few seconds before the end of a range into the next one. */
async function acrossGap(bench: Bench): Promise<Errors> {
  const end = bench.recorded[0]?.to ?? 0
  await openAt(bench, end - 4000)
  const { found, dropped } = await errors(bench.page, 100)
  const after = await bench.page.evaluate(() => globalThis.bench.read()?.frame ?? Number.NaN)
  if (!(after >= (bench.recorded[1]?.from ?? 0))) found.push(Number.NaN)
  return { found, dropped }
}

/**
 * Frame steps forward and back, also across a gap: the clock's error, and how much each step differed from one frame.
 */
async function steps(bench: Bench): Promise<Figure[]> {
  const { page, recorded } = bench
  const [before, after] = [recorded[0]?.to ?? 0, recorded[1]?.from ?? 0]
  const misses: number[] = []
  const found: number[] = []
  const step = async (name: 'Next frame' | 'Previous frame') => {
    const was = await page.evaluate(() => globalThis.bench.read()?.frame ?? Number.NaN)
    await page.getByRole('button', { name }).click()
    const moved = await page.evaluate((from) => globalThis.bench.until(({ frame }) => frame !== from, 3000, 'now'), was)
    await page.waitForTimeout(60)
    const reading = await page.evaluate(() => globalThis.bench.read())
    const is = reading?.frame ?? Number.NaN
    const wanted = was + (name === 'Next frame' ? frameMs : -frameMs)
    const isOverGap = Math.abs(is - was) > 1000
    const aimed = isOverGap ? (name === 'Next frame' ? after : before - frameMs) : wanted
    misses.push(Number.isNaN(moved) ? Number.NaN : Math.abs(is - aimed))
    found.push(Math.abs(is - (reading?.shown ?? Number.NaN)))
    return is
  }
  const pause = async (at: number) => {
    await openAt(bench, at)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.waitForTimeout(500)
  }
  await pause(before - 60_000)
  for (let index = 0; index < 30; index += 1) await step('Next frame')
  for (let index = 0; index < 30; index += 1) await step('Previous frame')
  await pause(before - 1500)
  for (let index = 0; index < 60; index += 1) if ((await step('Next frame')) >= after + 3 * frameMs) break
  for (let index = 0; index < 60; index += 1) if ((await step('Previous frame')) <= before - 3 * frameMs) break
  return [
    { name: 'Clock after frame steps', unit: 'ms', values: found, goal },
    { name: 'Frame steps, off by', unit: 'ms', values: misses, goal: { worst: 0, lost: 0 } },
  ]
}

/** Compares the shown time with the strip of the frame on the screen in all difficult situations. */
export const clock: Measure = async (bench) => {
  const { page, recorded } = bench
  const middle = ((recorded[0]?.from ?? 0) + (recorded[0]?.to ?? 0)) / 2
  const figures: Figure[] = []
  const shares: number[] = []
  const add = (name: string, { found, dropped }: Errors) => {
    figures.push({ name, unit: 'ms', values: found, goal })
    shares.push((100 * dropped) / (found.length + dropped))
    process.stdout.write(`${name}: ${found.length} readings, ${dropped} more were dropped, as they changed\n`)
  }
  await openLive(bench)
  await page.waitForTimeout(3000)
  add('Clock, live', await errors(page, 100))
  add('Clock after seeks', await afterSeeks(bench))
  await openAt(bench, middle)
  add('Clock, archive', await errors(page, 100))
  await chooseSpeed(page, '16×')
  await page.waitForTimeout(2000)
  add('Clock at 16×', await errors(page, 200))
  add('Clock across a gap', await acrossGap(bench))
  figures.push(...(await steps(bench)))
  figures.push({ name: 'Clock readings dropped, as they changed', unit: '%', values: shares, goal: {} })
  return figures
}
