import type { Page } from 'playwright'
import type { Figure } from './figures.ts'
import { chooseSpeed, type Bench, type Measure } from './harness.ts'
import type { RecordedRange } from './server.ts'
import { countSegments, withSubstreams } from './substreams.ts'

/** Tiles are together if their frames are this close. */
const togetherMs = 100
const cameraNames = ['Gate', 'Yard', 'Warehouse']
/** What the largest mosaic plays at 1×, seeks and plays at 4×, on a slow machine. */
const recordedMs = 7 * 60_000
/** The first moment, as seeks go back, too. */
const beginMs = 30_000

/** Creates a square mosaic of the recorded demo cameras, in turn; returns its id. */
export async function mosaicOf(page: Page, tiles: number): Promise<string> {
  const arrange = async ({ count, names }: { count: number; names: readonly string[] }) => {
    const { items }: { items: { uid: string; name: string }[] } = await (await fetch('/v1/streams')).json()
    const uids = names.map((name) => items.find((stream) => stream.name === name)?.uid)
    const side = Math.ceil(Math.sqrt(count))
    const cells = Array.from({ length: count }, (_, tile) => ({
      streamUid: uids[tile % uids.length],
      x: tile % side,
      y: Math.floor(tile / side),
      w: 1,
      h: 1,
    }))
    const made = await fetch('/v1/mosaic', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: `${count} tiles`, columns: side, rows: side, cells }),
    })
    const { id }: { id: string } = await made.json()
    return id
  }
  return page.evaluate(arrange, { count: tiles, names: cameraNames })
}

/**
 * The spread of the strips of all tiles at one instant, in milliseconds of media, at random moments. Readings are rare,
 * as reading nine pictures costs as much as playing them. NaN if a tile has no picture.
 */
async function spreads(page: Page, count: number): Promise<number[]> {
  return page.evaluate(async (wanted) => {
    const found: number[] = []
    while (found.length < wanted) {
      await new Promise((resolve) => {
        setTimeout(resolve, 240 + ((found.length * 7) % 43))
      })
      const frames = globalThis.bench.readAll().frames.map((frame) => frame ?? Number.NaN)
      found.push(Math.max(...frames) - Math.min(...frames))
    }
    return found
  }, count)
}

/** Milliseconds from a key on the timeline until all tiles are near its target and each other. */
async function seekTimes(page: Page, keys: readonly string[]): Promise<number[]> {
  const found: number[] = []
  for (const key of keys) {
    await page.getByRole('slider', { name: 'Timeline' }).focus()
    const arrived = page.evaluate(
      ({ maxSpread, patience }) =>
        new Promise<number>((resolve) => {
          const before = globalThis.bench.readAll().shown
          const pressed = { at: Number.NaN }
          addEventListener('keydown', ({ timeStamp }) => (pressed.at = timeStamp), { capture: true, once: true })
          const asked = performance.now()
          const look = () => {
            const { shown, frames } = globalThis.bench.readAll()
            const moments = frames.map((frame) => frame ?? Number.NaN)
            const hasMoved = !Number.isNaN(pressed.at) && Math.abs(shown - before) > 5000
            if (
              hasMoved &&
              Math.max(...moments) - Math.min(...moments) <= maxSpread &&
              moments.every((moment) => Math.abs(moment - shown) < 1000)
            )
              resolve(performance.now() - pressed.at)
            else if (performance.now() - asked > patience) resolve(Number.NaN)
            else requestAnimationFrame(look)
          }
          look()
        }),
      { maxSpread: togetherMs, patience: 10_000 },
    )
    await page.waitForTimeout(50)
    await page.keyboard.press(key)
    found.push(await arrived)
    await page.waitForTimeout(1500)
  }
  return found
}

/** A mosaic in the archive: the spread of its tiles, and how soon they are together after a seek. */
async function together({ page, address }: Bench, { from }: RecordedRange, tiles: number): Promise<Figure[]> {
  const at = new Date(from + beginMs).toISOString()
  await page.goto(`${address}/ui/mosaic/${await mosaicOf(page, tiles)}?at=${at}`)
  await page.waitForTimeout(8000)
  const atOne = await spreads(page, 100)
  const sought = await seekTimes(page, [
    'ArrowRight',
    'ArrowLeft',
    'ArrowRight',
    'Shift+ArrowRight',
    'ArrowRight',
    'Shift+ArrowLeft',
    'Shift+ArrowLeft',
    'ArrowRight',
    'Shift+ArrowRight',
    'ArrowLeft',
  ])
  await chooseSpeed(page, '4×')
  await page.waitForTimeout(4000)
  const segments = countSegments(page)
  const atFour = await spreads(page, 100)
  const { main, sub } = segments.stop()
  if (main > 0 || sub === 0)
    throw new Error(`${tiles} tiles at 4× requested ${main} segments of the main rendition, ${sub} of the substream`)
  return [
    { name: `Spread of ${tiles} tiles at 1×`, unit: 'ms', values: atOne, goal: { median: 40, p95: 100, lost: 0 } },
    { name: `Spread of ${tiles} tiles at 4×`, unit: 'ms', values: atFour, goal: { p95: 100, lost: 0 } },
    { name: `Seek → ${tiles} tiles together`, unit: 'ms', values: sought, goal: { worst: 1000, lost: 0 } },
  ]
}

/** A small, a usual and a large mosaic of cameras with substreams. */
export const mosaic: Measure = (bench) =>
  withSubstreams(bench, cameraNames, recordedMs, async (recorded) => {
    const figures: Figure[] = []
    for (const tiles of [4, 9, 16]) figures.push(...(await together(bench, recorded, tiles)))
    return figures
  })
