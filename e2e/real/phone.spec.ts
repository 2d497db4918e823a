import { type Locator, type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { hour, openAt, signIn, uidOf, waitForArchive } from './session.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** What a finger can't get at because something else lies over its middle, by its name. */
const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    type Point = readonly [number, number]
    const centreOf = (one: Element): Point => {
      const { left, top, width, height } = one.getBoundingClientRect()
      return [left + width / 2, top + height / 2]
    }
    const isWithin = ({ left, right, top, bottom }: DOMRect, [x, y]: Point) =>
      x > left && x < right && y > top && y < bottom
    const isScrolledTo = (one: Element, point: Point): boolean => {
      const parent = one.parentElement
      if (parent === null) return isWithin(new DOMRect(0, 0, innerWidth, innerHeight), point)
      const isClipping = getComputedStyle(parent).overflow !== 'visible'
      return (!isClipping || isWithin(parent.getBoundingClientRect(), point)) && isScrolledTo(parent, point)
    }
    const shown = [...document.querySelectorAll('a, button, input')].filter(
      (one) => one.checkVisibility() && isScrolledTo(one, centreOf(one)),
    )
    const isCovered = (one: Element) => {
      const top = document.elementFromPoint(...centreOf(one))
      return top === null || !(one.contains(top) || top.contains(one) || one.closest('label')?.contains(top) === true)
    }
    return shown
      .filter(isCovered)
      .map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? one.outerHTML)
  })

/** Taps where the button to pause is once the controls have left: they come back, and nothing else happens. */
async function tapUnseen(player: Locator): Promise<void> {
  const pause = player.getByRole('button', { name: 'Pause' })
  const isSeen = () => pause.evaluate((button) => button.checkVisibility({ checkOpacity: true }))
  await expect.poll(isSeen).toBe(false)
  await pause.tap()
  await expect.poll(isSeen).toBe(true)
  await expect(pause).toBeVisible()
  await expect(pause).not.toBeFocused()
}

test('list, player and mosaic are worked by a finger on a phone, and nothing lies over a control', async ({ page }) => {
  const origin = await signIn(page)
  await page.goto('/ui/streams')
  const uid = await uidOf(page, 'Gate')
  await waitForArchive(page, uid, Date.now() - hour)
  await expect(page.getByRole('link', { name: 'Gate' })).toBeVisible()
  expect(await outOfReach(page)).toEqual([])

  await page.getByRole('link', { name: 'Gate' }).tap()
  const player = page.getByRole('region', { name: 'Player' })
  const video = player.locator('video')
  const isShown = () => video.evaluate((one) => one instanceof HTMLVideoElement && one.readyState >= 2)
  await expect.poll(isShown).toBe(true)
  expect(await outOfReach(page)).toEqual([])
  await openAt(page, uid, Date.now() - hour)
  await expect.poll(isShown).toBe(true)
  /** How many rows the middles of these buttons stand in. */
  const rows = async (...names: string[]) => {
    const boxes = await Promise.all(names.map((name) => player.getByRole('button', { name }).boundingBox()))
    return new Set(boxes.map((box) => box !== null && Math.round((box.y + box.height / 2) / 4))).size
  }
  const tools = await rows('Pause', 'Go live', 'Speed', 'Mute', 'Show more', 'Snapshot', 'Download', 'Full screen')
  const timelineTools = await rows('Earlier', 'Zoom in', 'Calendar', 'Mark in', 'Time zone', 'Events and recordings')
  expect([tools, timelineTools]).toEqual([1, 1])
  await tapUnseen(player)
  await player.getByRole('button', { name: 'Pause' }).tap()
  const position = () => video.evaluate((one) => (one instanceof HTMLVideoElement ? one.currentTime : 0))
  await expect(player.getByRole('button', { name: 'Play' })).toBeVisible()
  const step = async () => {
    const before = await position()
    await player.getByRole('button', { name: 'Show more' }).tap()
    await page.getByRole('menuitem', { name: 'Next frame' }).tap()
    await expect.poll(position).not.toBe(before)
    return (await position()) - before
  }
  // When it was paused, time was ahead of the frame that is shown.
  await step()
  expect(await step()).toBeGreaterThan(0)

  const cells = [0, 1, 2, 3].map((index) => ({ streamUid: uid, x: index % 2, y: Math.floor(index / 2), w: 1, h: 1 }))
  const { id } = await (
    await page.request.post('/v1/mosaic', { data: { name: 'Four', columns: 2, rows: 2, cells }, headers: { origin } })
  ).json()
  await page.goto(`/ui/mosaic/${id}`)
  const wall = page.getByRole('region', { name: 'Four' })
  await expect(wall.getByRole('article')).toHaveCount(4)
  expect(await outOfReach(page)).toEqual([])
  const enlarge = wall.getByRole('button', { name: 'Enlarge Gate' }).last()
  const isSeen = () => enlarge.evaluate((one) => one.checkVisibility({ checkOpacity: true }))
  await expect.poll(isSeen).toBe(false)
  await enlarge.tap()
  await expect.poll(isSeen).toBe(true)
  await expect(wall.getByRole('article')).toHaveCount(4)
  await enlarge.tap()
  await expect(wall.getByRole('article')).toHaveCount(1)
  await wall.getByRole('button', { name: 'Gate', exact: true }).tap()
  await expect(wall.getByRole('article')).toHaveCount(4)
})

test('a notch covers no control, and a long tag makes no panel wider', async ({ page }) => {
  const origin = await signIn(page)
  const cdp = await page.context().newCDPSession(page)
  const insets = async (left: number, top: number) =>
    cdp.send('Emulation.setSafeAreaInsetsOverride', { insets: { left, right: left, top, bottom: 21 } })
  const edgesOf = async (name: string) => {
    const box = await page.getByRole('banner').getByRole('button', { name }).boundingBox()
    return box === null ? null : { right: (page.viewportSize()?.width ?? 0) - box.x - box.width, top: box.y }
  }
  await page.request.post('/v1/stream', {
    data: { name: 'Tagged', streamSource: 'demo:gate', tags: ['A long tag '.repeat(8).trim()] },
    headers: { origin },
  })
  await page.goto('/ui/streams')
  await expect(page.getByRole('link', { name: 'Gate' })).toBeVisible()
  await insets(0, 47)
  await expect.poll(async () => (await edgesOf('Menu'))?.top).toBeGreaterThanOrEqual(47)
  await page.setViewportSize({ width: 844, height: 390 })
  await insets(47, 0)
  await expect.poll(async () => (await edgesOf('Menu'))?.right).toBeGreaterThanOrEqual(47)
  expect((await page.getByRole('navigation', { name: 'Toolbar' }).boundingBox())?.x).toBeGreaterThanOrEqual(47)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Filters' }).tap()
  const tag = page.getByRole('button', { name: /^A long tag/ })
  await expect(tag).toBeVisible()
  const end = await tag.boundingBox()
  expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual(390)
  await page.request.delete(`/v1/stream/${await uidOf(page, 'Tagged')}?purge=true`, { headers: { origin } })
})
