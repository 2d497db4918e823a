import { type Page, expect } from 'playwright/test'
import { momentOfStrip } from './frame-strip.ts'

export interface TileReading {
  /** The accessible names of the tiles, with their states. */
  labels: string[]
  /**
   * The moments that are drawn into the frames on the screen, in epoch milliseconds, by tile; null without a picture.
   */
  frames: (number | null)[]
  /** The moment of the shared clock, in epoch milliseconds; NaN while all tiles are live. */
  shown: number
}

/** Runs in the page, in one task: the strips of all tiles of a mosaic and the moment that its archive shows. */
export function lookAtTiles() {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  const read = (video: HTMLVideoElement | null) => {
    if (pen === null || video === null || video.videoWidth === 0 || getComputedStyle(video).visibility === 'hidden')
      return null
    canvas.width = video.videoWidth
    canvas.height = 8
    pen.drawImage(video, 0, 0, video.videoWidth, 8, 0, 0, canvas.width, 8)
    const { data } = pen.getImageData(0, 4, canvas.width, 1)
    let value = 0
    for (let cell = 0; cell < 32; cell += 1)
      value = value * 2 + ((data[Math.floor(((cell + 0.5) * canvas.width) / 32) * 4] ?? 0) > 127 ? 1 : 0)
    return value
  }
  return {
    shown: document.querySelector('[data-view-mode] time')?.getAttribute('datetime') ?? '',
    tiles: Array.from(document.querySelectorAll('article'), (tile) => ({
      label: tile.getAttribute('aria-label') ?? '',
      strip: read(tile.querySelector('video')),
    })),
  }
}

/** The moments of a reading of the tiles. */
export function tilesOf({ shown: time, tiles }: ReturnType<typeof lookAtTiles>): TileReading {
  const shown = Date.parse(time)
  const near = Number.isNaN(shown) ? Date.now() : shown
  return {
    shown,
    labels: tiles.map(({ label }) => label),
    frames: tiles.map(({ strip }) => (strip === null ? null : momentOfStrip(strip, near))),
  }
}

export const readTiles = async (page: Page): Promise<TileReading> => tilesOf(await page.evaluate(lookAtTiles))

/** Waits for a reading as expected. */
export async function tilesThat(page: Page, wanted: (reading: TileReading) => boolean): Promise<TileReading> {
  const found: { last: TileReading | null } = { last: null }
  await expect
    .poll(
      async () => {
        found.last = await readTiles(page)
        return wanted(found.last) || found.last
      },
      { intervals: [50, 100, 200], timeout: 80_000 },
    )
    .toBe(true)
  if (found.last === null) throw new Error('no tiles')
  return found.last
}

/**
 * Whether all archive pictures are within `most` milliseconds of each other and near the clock; live ones are ignored.
 */
export function areTogether({ frames, labels, shown }: TileReading, count: number, most: number): boolean {
  const moments = frames.filter((frame, tile) => frame !== null && !labels[tile]?.includes(': Live')).map(Number)
  return (
    moments.length === count &&
    Math.max(...moments) - Math.min(...moments) <= most &&
    moments.every((moment) => Math.abs(moment - shown) < 1000)
  )
}

/** Records the accessible names that the tiles of a mosaic get from now on; returns a function that reads them. */
export async function recordTileLabels(page: Page): Promise<() => Promise<string[]>> {
  const labels = await page.evaluateHandle(() => {
    const labels: string[] = []
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes)
        if (target instanceof Element) labels.push(target.getAttribute('aria-label') ?? '')
    })
    for (const tile of document.querySelectorAll('article')) observer.observe(tile, { attributeFilter: ['aria-label'] })
    return labels
  })
  return () => labels.jsonValue()
}
