import type { Page } from 'playwright'
import type { Figure } from './figures.ts'
import type { Bench } from './harness.ts'
import { mosaicOf } from './mosaic.ts'

const forMs = 8000
const arrivingMs = 10_000

interface Watched {
  /** Pictures of each tile. */
  readonly painted: readonly number[]
  /** Milliseconds of media, and those that passed. */
  readonly moved: number
  readonly lasted: number
  /** Between the first and the last tile, in milliseconds of media, of those that aren't seeking; NaN if all are. */
  readonly spreads: readonly number[]
}

/** Counts the pictures that each tile paints. Strips are read rarely, as reading them costs as much as playing. */
const watch = (page: Page): Promise<Watched> =>
  page.evaluate(async (duration) => {
    const videos = [...document.querySelectorAll('video')]
    const painted = videos.map(() => 0)
    for (const [tile, video] of videos.entries()) {
      const count = () => {
        painted[tile] = (painted[tile] ?? 0) + 1
        video.requestVideoFrameCallback(count)
      }
      video.requestVideoFrameCallback(count)
    }
    const spreads: number[] = []
    const [began, from] = [performance.now(), globalThis.bench.readAll().shown]
    while (performance.now() - began < duration) {
      await new Promise((resolve) => {
        setTimeout(resolve, 790)
      })
      const frames = globalThis.bench.readAll().frames.filter((frame) => frame !== null)
      spreads.push(frames.length < 2 ? Number.NaN : Math.max(...frames) - Math.min(...frames))
    }
    const [lasted, to] = [performance.now() - began, globalThis.bench.readAll().shown]
    return { painted, moved: from - to, lasted, spreads }
  }, forMs)

/** A mosaic that plays backwards: how many pictures its tiles show, whether the speed holds, and how far they are apart. */
async function backwards({ page, address, recorded }: Bench, tiles: number, speed: number): Promise<Figure[]> {
  const { from, to } = recorded.at(-1) ?? { from: 0, to: 0 }
  const at = new Date(from + (to - from) * 0.7).toISOString()
  await page.goto(`${address}/ui/mosaic/${await mosaicOf(page, tiles)}?at=${at}`)
  await page.waitForTimeout(arrivingMs)
  for (let rate = 1; rate <= speed; rate *= 2) await page.keyboard.press('<')
  await page.waitForTimeout(2500)
  const { painted, moved, lasted, spreads } = await watch(page)
  const name = `${tiles} tiles backwards ${speed}×`
  return [
    {
      name: `${name}, pictures a second of a tile`,
      unit: '1/s',
      values: painted.map((count) => count / (lasted / 1000)),
      goal: {},
    },
    { name: `${name}, of that speed`, unit: '%', values: [(100 * moved) / (lasted * speed)], goal: {} },
    { name: `${name}, spread of the tiles`, unit: 'ms', values: spreads, goal: {} },
  ]
}

/** A usual and the largest mosaic, at the two highest speeds. */
export async function reverseMosaics(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const tiles of [9, 36]) {
    for (const speed of [8, 16]) figures.push(...(await backwards(bench, tiles, speed)))
  }
  return figures
}
