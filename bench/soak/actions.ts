import type { BrowserContext, Page } from 'playwright'
import { expect } from 'playwright/test'
import { hour, momentOf, uidOf } from '../../e2e/real/session.ts'
import { chooseSpeed, timelineOf } from '../harness.ts'
import { mosaicOf } from '../mosaic.ts'

const tiles = 9

/** Two pages of one browser: a mosaic that stays open, and a busy player. */
export interface Watched {
  readonly mosaic: Page
  readonly player: Page
}

const patience = { timeout: 120_000 }
const region = (page: Page) => page.getByRole('region', { name: 'Player' })
const press = (page: Page, name: string) => region(page).getByRole('button', { name, exact: true }).click(patience)

/** Waits until every picture of a page has moved, though not at the same moment on a busy machine. */
async function moves(page: Page, count: number): Promise<void> {
  const times = () =>
    page
      .locator('video')
      .evaluateAll((videos) =>
        videos.map((video) =>
          video instanceof HTMLVideoElement && video.readyState > 1 ? video.currentTime : Number.NaN,
        ),
      )
  const moved = new Set<number>()
  let before = await times()
  const look = async () => {
    const now = await times()
    for (const [index, time] of now.entries()) if (Math.abs(time - (before[index] ?? Number.NaN)) > 0) moved.add(index)
    before = now
    return now.length === count && moved.size === count
  }
  await expect.poll(look, patience).toBe(true)
}

/** Waits until the player shows about a moment and plays on from there. */
async function plays(page: Page, around: number, slackMs: number): Promise<void> {
  await expect
    .poll(async () => Math.abs((await momentOf(page).catch(() => Number.NaN)) - around) < slackMs, patience)
    .toBe(true)
  await moves(page, 1)
}

/** Opens both with the demo cameras; `page`, which is signed in, shows the mosaic. */
export async function openWatched(context: BrowserContext, page: Page): Promise<Watched> {
  await page.goto('/ui/streams')
  await page.goto(`/ui/mosaic/${await mosaicOf(page, tiles)}`)
  const player = await context.newPage()
  for (const one of [page, player]) one.setDefaultTimeout(patience.timeout)
  await player.goto(`/ui/stream/${await uidOf(page, 'Gate')}/view`)
  return { mosaic: page, player }
}

async function pressTimeline(page: Page, at: number): Promise<void> {
  const point = (await timelineOf(page)).pointOf(at)
  await page.mouse.click(point.x, point.y)
  await plays(page, point.at, 5 * 60_000)
}

/**
 * One round of everything that users do with a player: live, archive, seeks, speeds, zooms, live again, to the list and
 * back.
 */
export async function doAll({ mosaic, player }: Watched): Promise<void> {
  await moves(player, 1)
  await pressTimeline(player, Date.now() - hour / 2)
  for (const minutes of [50, 20, 40]) await pressTimeline(player, Date.now() - minutes * 60_000)
  await player.getByRole('slider', { name: 'Timeline' }).focus()
  for (const key of ['ArrowLeft', 'ArrowRight', 'Shift+ArrowLeft', 'ArrowRight']) await player.keyboard.press(key)
  await moves(player, 1)
  for (const speed of ['4×', '1×']) {
    await chooseSpeed(player, speed)
    await moves(player, 1)
  }
  for (const zoom of ['Zoom in', 'Zoom in', 'Zoom out', 'Zoom out']) await press(player, zoom)
  await press(player, 'Go live')
  await plays(player, Date.now(), 5 * 60_000)
  const address = new URL(player.url()).pathname
  await player.getByRole('navigation', { name: 'Toolbar' }).getByRole('link', { name: 'All streams' }).click(patience)
  await player
    .locator(`a[href*="${address.split('/')[3]}"]`)
    .first()
    .click(patience)
  await moves(player, 1)
  await moves(mosaic, tiles)
}
