import { type Locator, type Page, expect } from 'playwright/test'

export interface Reading {
  /** The moment that is drawn into the frame on the screen, in epoch milliseconds. */
  frame: number
  /** The moment on the player's clock, in epoch milliseconds. */
  shown: number
}

/** After so many milliseconds a strip repeats itself: 2^32 units of 40 ms. */
const cycle = 2 ** 32 * 40

/** The moment of a strip that is nearest to `near`; both in epoch milliseconds. */
export const momentOfStrip = (strip: number, near: number): number =>
  strip * 40 + Math.round((near - strip * 40) / cycle) * cycle

/**
 * Runs in the page, in one task: the strip of 32 black and white cells in the top rows of the frame on the screen (the
 * frame's time in 1/25 s modulo 2^32) and the first `<time>` of the player. Null while there is no picture.
 */
export function lookAtPlayer(region: Element | null): { strip: number; shown: string } | null {
  const player = region ?? document.querySelector('[data-view-mode]')
  const video = player?.querySelector('video') ?? null
  const clock = player?.querySelector('time') ?? null
  if (video === null || clock === null || clock.dateTime === '' || video.videoWidth === 0) return null
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = 8
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) return null
  context.drawImage(video, 0, 0, video.videoWidth, 8, 0, 0, canvas.width, 8)
  const { data } = context.getImageData(0, 4, canvas.width, 1)
  let strip = 0
  for (let cell = 0; cell < 32; cell += 1)
    strip = strip * 2 + ((data[Math.floor(((cell + 0.5) * canvas.width) / 32) * 4] ?? 0) > 127 ? 1 : 0)
  return { strip, shown: clock.dateTime }
}

/** The moments of a reading of the player. */
export function readingOf(seen: ReturnType<typeof lookAtPlayer>): Reading | null {
  if (seen === null) return null
  const shown = Date.parse(seen.shown)
  return { frame: momentOfStrip(seen.strip, shown), shown }
}

export const readFrame = async (player: Locator): Promise<Reading | null> =>
  readingOf(await player.evaluate(lookAtPlayer))

const frameMs = 40

/** Whether the clock shows the time of the frame on the screen, within two frames. */
export const isClockTrue = ({ frame, shown }: Reading) => Math.abs(frame - shown) <= 2 * frameMs

/** Waits for a reading as expected. */
export async function readingThat(page: Page, wanted: (reading: Reading) => boolean): Promise<Reading> {
  const player = page.locator('[data-view-mode]')
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
