import { type Locator, type Page, expect } from 'playwright/test'

export interface Reading {
  /** The moment drawn into the frame on the screen, epoch ms. */
  frame: number
  /** The moment that the player shows, epoch ms. */
  shown: number
}

const cells = 32
const unit = 40
const cycle = 2 ** cells * unit

/**
 * Reads, in one task of the page, the strip of 32 black and white cells in the top rows of the frame on the screen (the
 * frame's time in 1/25 s modulo 2^32) and the first `<time>` of the player. Null while there is no picture.
 */
export async function readFrame(player: Locator): Promise<Reading | null> {
  const read = await player.evaluate((region, count) => {
    const video = region.querySelector('video')
    const clock = region.querySelector('time')
    if (video === null || clock === null || video.videoWidth === 0) return null
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = 8
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (context === null) return null
    context.drawImage(video, 0, 0, video.videoWidth, 8, 0, 0, canvas.width, 8)
    const { data } = context.getImageData(0, 4, canvas.width, 1)
    let value = 0
    for (let cell = 0; cell < count; cell += 1) {
      const x = Math.floor(((cell + 0.5) * canvas.width) / count)
      value = value * 2 + ((data[x * 4] ?? 0) > 127 ? 1 : 0)
    }
    return { value, shown: clock.dateTime }
  }, cells)
  if (read === null || read.shown === '') return null
  const shown = Date.parse(read.shown)
  const rest = read.value * unit
  const turns = Math.round((shown - rest) / cycle)
  return { frame: rest + turns * cycle, shown }
}

const frameMs = 40

/** The player shows the time of the frame that is on the screen. */
export const isTrue = ({ frame, shown }: Reading) => Math.abs(frame - shown) <= 2 * frameMs

/** A reading once the picture is one that the predicate wants. */
export async function readingThat(page: Page, wanted: (reading: Reading) => boolean): Promise<Reading> {
  const player = page.getByRole('region', { name: 'Player' })
  const found: { last: Reading | null } = { last: null }
  await expect
    .poll(
      async () => {
        found.last = await readFrame(player)
        return found.last !== null && wanted(found.last)
      },
      { intervals: [50, 100, 200] },
    )
    .toBe(true)
  if (found.last === null) throw new Error('no picture')
  return found.last
}
