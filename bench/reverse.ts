import type { Page } from 'playwright'
import type { Figure } from './figures.ts'
import { openAt, type Bench, type Measure } from './harness.ts'
import { reverseMosaics } from './reverse-mosaic.ts'
import { frameMs } from './strip.ts'

const forMs = 8000
const previews = 40
const previewsAtOnce = 3

interface Watched {
  /** Milliseconds of a clock that never steps back. */
  readonly time: number
  readonly frame: number
  readonly shown: number
}

/** A reading of each new picture. */
const watch = (page: Page): Promise<Watched[]> =>
  page.evaluate(async (duration) => {
    const found: Watched[] = []
    const end = performance.now() + duration
    while (performance.now() < end) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const reading = globalThis.bench.read()
      if (reading !== null && reading.frame !== found.at(-1)?.frame) found.push({ ...reading, time: performance.now() })
    }
    return found
  }, forMs)

/**
 * How far each picture is from a clock that runs backwards at the speed and fits all of them best, in ms of real time.
 */
function errorsOf(watched: readonly Watched[], speed: number): number[] {
  const offsets = watched.map(({ time, frame }) => frame / speed + time)
  const middle = offsets.toSorted((a, b) => a - b)[Math.floor(offsets.length / 2)] ?? 0
  return offsets.map((offset) => Math.abs(offset - middle))
}

async function backwards(bench: Bench, speed: number): Promise<Figure[]> {
  const { page, recorded } = bench
  const { from, to } = recorded[0] ?? { from: 0, to: 0 }
  await openAt(bench, (from + to) / 2)
  for (let rate = 1; rate <= speed; rate *= 2) await page.keyboard.press('<')
  await page.waitForTimeout(2500)
  const watched = await watch(page)
  const late = watched.map(({ frame, shown }) => Math.abs(frame - shown)).filter((error) => error > 2 * frameMs)
  return [
    {
      name: `Backwards ${speed}×, pictures a second`,
      unit: '1/s',
      values: [watched.length / (forMs / 1000)],
      goal: {},
    },
    { name: `Backwards ${speed}×, off the clock`, unit: 'ms', values: errorsOf(watched, speed), goal: {} },
    { name: `Backwards ${speed}×, changes before the time`, unit: '', values: [late.length], goal: {} },
  ]
}

/** How many pictures of keyframes the server makes: the other way to play backwards. */
async function byPreviews({ page, uid, recorded }: Bench): Promise<Figure> {
  const { from, to } = recorded[0] ?? { from: 0, to: 0 }
  const took = await page.evaluate(
    async ({ stream, end, count, atOnce }) => {
      const began = performance.now()
      const moments = Array.from({ length: count }, (_, index) => end - index * 1000)
      const next = async (): Promise<void> => {
        const at = moments.shift()
        if (at === undefined) return
        await (await fetch(`/v1/stream/preview?stream_id=${stream}&time=${new Date(at).toISOString()}`)).blob()
        await next()
      }
      await Promise.all(Array.from({ length: atOnce }, next))
      return performance.now() - began
    },
    { stream: uid, end: (from + to) / 2 - 600_000, count: previews, atOnce: previewsAtOnce },
  )
  return { name: 'Previews a second, three at a time', unit: '1/s', values: [previews / (took / 1000)], goal: {} }
}

/** Backward playback at each speed: by seeks, as the player does, and by previews; and of mosaics. */
export const reverse: Measure = async (bench) => {
  const figures: Figure[] = []
  for (const speed of [1, 2, 4, 8, 16]) figures.push(...(await backwards(bench, speed)))
  return [...figures, await byPreviews(bench), ...(await reverseMosaics(bench))]
}
