import { type CDPSession, type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { isClockTrue, readingThat } from './frame-strip.ts'
import { hour, openAt, signIn, uidOf, waitForArchive } from './session.ts'

test.use({ hasTouch: true })

type Point = { x: number; y: number }

/**
 * Fingers that go down, move together in steps of 16 ms, and lift. The events carry these times, so that the gesture is
 * as fast on a busy machine.
 */
async function touch(cdp: CDPSession, path: (share: number) => Point[], steps = 12): Promise<void> {
  const begin = Date.now()
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number, points: Point[]) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
      timestamp: (begin + step * 16) / 1000,
    })
  await send('touchStart', 0, path(0))
  for (let step = 1; step <= steps; step += 1) await send('touchMove', step, path(step / steps))
  await send('touchEnd', steps + 1, [])
}

async function opened(page: Page): Promise<{ cdp: CDPSession; at: number }> {
  await signIn(page)
  const uid = await uidOf(page, 'Gate')
  const at = Math.floor((Date.now() - hour / 2) / 1000) * 1000
  await waitForArchive(page, uid, at)
  await openAt(page, uid, at)
  await readingThat(page, (reading) => isClockTrue(reading) && reading.frame >= at)
  return { cdp: await page.context().newCDPSession(page), at }
}

async function timelineOf(page: Page) {
  const slider = page.getByRole('slider', { name: 'Timeline' })
  const box = await slider.boundingBox()
  if (box === null) throw new Error('the timeline has no box')
  const period = () =>
    slider.evaluate((element) => ({
      from: Number(element.getAttribute('aria-valuemin')) * 1000,
      to: Number(element.getAttribute('aria-valuemax')) * 1000,
    }))
  return { box, y: box.y + box.height / 2, period }
}

test('a finger pans the timeline, which glides on, and a tap picks', async ({ page }) => {
  const { cdp } = await opened(page)
  const { box, y, period } = await timelineOf(page)
  const before = await period()
  const pixel = (before.to - before.from) / box.width
  await touch(cdp, (share) => [{ x: box.x + 600 - 120 * share, y }])
  await expect.poll(async () => ((await period()).from - before.from) / pixel).toBeGreaterThan(130)
  const shown = await period()
  expect(shown.to - shown.from).toBeCloseTo(before.to - before.from, -1)

  const wanted = Date.now() - 1.5 * hour
  const seen = { from: Number.NaN }
  await expect
    .poll(
      async () => {
        const previous = seen.from
        seen.from = (await period()).from
        return seen.from === previous
      },
      // While the timeline moves, its values are written every 100 ms.
      { intervals: [200] },
    )
    .toBe(true)
  const { from, to } = await period()
  await page.touchscreen.tap(box.x + ((wanted - from) / (to - from)) * box.width, y)
  await readingThat(page, (reading) => isClockTrue(reading) && Math.abs(reading.frame - wanted) < 2 * pixel + 20_000)
})

test('two fingers zoom the timeline about what is between them', async ({ page }) => {
  const { cdp } = await opened(page)
  const { box, y, period } = await timelineOf(page)
  const before = await period()
  const middle = box.x + box.width / 2
  const momentAt = ({ from, to }: { from: number; to: number }) => from + ((middle - box.x) / box.width) * (to - from)
  await touch(cdp, (share) => [
    { x: middle - 60 - 180 * share, y },
    { x: middle + 60 + 180 * share, y },
  ])
  await expect
    .poll(async () => (before.to - before.from) / ((await period()).to - (await period()).from))
    .toBeGreaterThan(3)
  const after = await period()
  expect(Math.abs(momentAt(after) - momentAt(before))).toBeLessThan((after.to - after.from) / 50)
})

test('two fingers magnify the picture, and one moves it', async ({ page }) => {
  const { cdp } = await opened(page)
  const player = page.getByRole('region', { name: 'Player' })
  const box = await player.locator('video').boundingBox()
  if (box === null) throw new Error('there is no picture')
  const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await touch(cdp, (share) => [
    { x: centre.x - 50 - 100 * share, y: centre.y },
    { x: centre.x + 50 + 100 * share, y: centre.y },
  ])
  await expect
    .poll(async () => ((await player.locator('video').boundingBox())?.width ?? 0) / box.width)
    .toBeGreaterThan(2)
  const large = await player.locator('video').boundingBox()
  await touch(cdp, (share) => [{ x: centre.x + 80 * share, y: centre.y }])
  await expect
    .poll(async () => ((await player.locator('video').boundingBox())?.x ?? 0) - (large?.x ?? 0))
    .toBeGreaterThan(60)
  await player.getByRole('button', { name: 'Shrink' }).click()
})
