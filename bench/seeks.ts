import { openAt, openLive, repeatableRandom, timelineOf, type Bench, type Measure } from './harness.ts'
import { frameMs } from './strip.ts'

const count = 200
const rapidCount = 50
const rapidForMs = 5000
/** What must be left of a range after a seek. */
const minLeftMs = 15_000

/** A random recorded moment, not within the last seconds of a range. */
function momentOf(recorded: Bench['recorded'], random: () => number): number {
  const whole = recorded.reduce((sum, { from, to }) => sum + to - from, 0)
  let left = random() * whole
  for (const { from, to } of recorded) {
    if (left < to - from) return Math.max(from + 1000, Math.min(from + left, to - 20_000))
    left -= to - from
  }
  return 0
}

/**
 * A random recorded point of the timeline, where a pixel is a minute long: near the end of a range the moment of the
 * nearest pixel may be in a gap, from which playback goes to the next range.
 */
async function pointIn({ page, recorded }: Bench, random: () => number) {
  const { pointOf } = await timelineOf(page)
  for (let tries = 0; tries < 1000; tries += 1) {
    const point = pointOf(momentOf(recorded, random))
    if (recorded.some(({ from, to }) => point.at >= from && point.at < to - minLeftMs)) return point
  }
  throw new Error('no recorded range is long enough')
}

/** Prints what the page shows instead of a frame that never came. */
async function printLost({ page }: Bench, at: number): Promise<void> {
  const found = await page.evaluate(() => {
    const reading = globalThis.bench.read()
    const video = document.querySelector('video')
    const slider = document.querySelector('[role=slider][aria-valuenow]')
    const { currentTime, paused, seeking, readyState, networkState, playbackRate, error, buffered } = video ?? {}
    return {
      shown: reading && new Date(reading.shown).toISOString(),
      frame: reading && new Date(reading.frame).toISOString(),
      video: { currentTime, paused, seeking, readyState, networkState, playbackRate, error: error?.message },
      buffered: Array.from({ length: buffered?.length ?? 0 }, (_, index) => [
        buffered?.start(index),
        buffered?.end(index),
      ]),
      slider: ['min', 'max', 'now'].map((each) => slider?.getAttribute(`aria-value${each}`)),
      mode: document.querySelector('[data-view-mode]')?.getAttribute('data-view-mode'),
      alerts: Array.from(document.querySelectorAll('[role=alert], [role=status]'), (each) => each.textContent),
      address: location.search,
    }
  })
  console.error(`Lost: a seek to ${new Date(at).toISOString()}`, JSON.stringify(found))
}

/** Milliseconds from a click on the timeline to a frame between the clicked moment and where playback can be since. */
async function seekTo(bench: Bench, random: () => number): Promise<number> {
  const { page } = bench
  const point = await pointIn(bench, random)
  await page.evaluate(() => globalThis.bench.forgetClick())
  const arrived = page.evaluate(
    ({ moment, slack }) =>
      globalThis.bench.until(
        ({ frame }, elapsed) => frame > moment - slack && frame <= moment + elapsed + slack,
        15_000,
        'click',
      ),
    { moment: point.at, slack: frameMs },
  )
  await page.mouse.click(point.x, point.y)
  const taken = await arrived
  if (Number.isNaN(taken)) await printLost(bench, point.at)
  return taken
}

/** Fifty clicks in five seconds; returns the time from the last one until its frame was shown and stayed. */
async function seekRapidly(bench: Bench, random: () => number): Promise<number> {
  const { page } = bench
  const began = performance.now()
  let last = 0
  for (let index = 0; index < rapidCount; index += 1) {
    const point = await pointIn(bench, random)
    await page.mouse.click(point.x, point.y)
    last = point.at
    await page.waitForTimeout(Math.max(0, began + ((index + 1) * rapidForMs) / rapidCount - performance.now()))
  }
  const isThere = (patience: number) =>
    page.evaluate(
      ({ moment, wait, slack }) =>
        globalThis.bench.until(
          ({ frame }, elapsed) => frame > moment - slack && frame <= moment + elapsed + slack,
          wait,
          'click',
        ),
      { moment: last, wait: patience, slack: frameMs },
    )
  const taken = await isThere(15_000)
  await page.waitForTimeout(2000)
  const isLost = Number.isNaN(taken) || Number.isNaN(await isThere(0))
  if (isLost) await printLost(bench, last)
  return isLost ? Number.NaN : taken
}

/** Random seeks over the whole archive, each to the right frame, and many in quick succession. */
export const seeks: Measure = async (bench) => {
  const random = repeatableRandom(20_261_121)
  await openLive(bench)
  await bench.page.waitForTimeout(2000)
  await openAt(bench, momentOf(bench.recorded, random))
  const taken: number[] = []
  for (let round = 0; round < count; round += 1) taken.push(await seekTo(bench, random))
  const settled: number[] = []
  for (let round = 0; round < 3; round += 1) settled.push(await seekRapidly(bench, random))
  return [
    { name: `Seek, ${count} random ones`, unit: 'ms', values: taken, goal: { median: 150, p95: 300, lost: 0 } },
    {
      name: `Last of ${rapidCount} seeks in ${rapidForMs / 1000} s`,
      unit: 'ms',
      values: settled,
      goal: { worst: 300, lost: 0 },
    },
  ]
}
