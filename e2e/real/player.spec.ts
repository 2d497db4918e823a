import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { isClockTrue, readFrame, readingThat } from './frame-strip.ts'
import { hour, openAt, regionOf, signIn, uidOf, waitForArchive } from './session.ts'

const frameMs = 40

const instantIn = (page: Page, name: string) => Date.parse(new URL(page.url()).searchParams.get(name) ?? '')

/** A paused picture of half an hour ago, or of another moment; answers the moment. */
async function pausedAt(page: Page, at = Math.floor((Date.now() - hour / 2) / 1000) * 1000): Promise<number> {
  const uid = await uidOf(page, 'Gate')
  await waitForArchive(page, uid, at)
  await openAt(page, uid, at)
  await readingThat(page, (reading) => isClockTrue(reading) && reading.frame >= at)
  await regionOf(page).getByRole('button', { name: 'Pause' }).click()
  await expect(regionOf(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  return at
}

test('a link opens the same frame, at the same speed, with the same selection and span, for whoever follows it', async ({
  page,
  browser,
}) => {
  await signIn(page)
  await pausedAt(page)
  const player = regionOf(page)
  await player.getByRole('button', { name: 'Zoom in' }).click()
  await player.getByRole('button', { name: 'Mark in' }).click()
  await player.getByRole('button', { name: 'Next frame' }).click()
  for (let step = 0; step < 4; step += 1) {
    const before = await readFrame(player)
    await player.getByRole('button', { name: 'Next frame' }).click()
    await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > (before?.frame ?? 0))
  }
  await player.getByRole('button', { name: 'Mark out' }).click()
  await player.getByRole('button', { name: /Speed/ }).click()
  await page.getByRole('menuitemradio', { name: '0.5×', exact: true }).click()
  const shown = await readingThat(page, isClockTrue)
  await expect.poll(() => instantIn(page, 'at')).toBe(shown.shown)
  await expect(page).toHaveURL(/speed=0\.5/)
  await expect(page).toHaveURL(/span=/)
  await expect(page).toHaveURL(/in=.*out=/)

  const colleague = await (await browser.newContext()).newPage()
  await colleague.goto(page.url())
  await colleague.getByLabel('Login').fill('admin')
  await colleague.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await colleague.getByRole('button', { name: 'Sign in' }).click()
  await readingThat(
    colleague,
    (reading) => isClockTrue(reading) && reading.frame >= shown.frame && reading.frame < shown.frame + 5000,
  )
  await expect(regionOf(colleague).getByRole('button', { name: 'Speed 0.5×' })).toBeVisible()
  await expect(regionOf(colleague).getByRole('region', { name: 'Selection' })).toBeVisible()
  const spanOf = async (on: Page) => {
    const slider = regionOf(on).getByRole('slider', { name: 'Timeline' })
    return Math.round(
      Number(await slider.getAttribute('aria-valuemax')) - Number(await slider.getAttribute('aria-valuemin')),
    )
  }
  expect(await spanOf(colleague)).toBe(await spanOf(page))
  await colleague.context().close()
})

test('back and forward lead to the moments that were picked, and playing makes no steps', async ({ page }) => {
  await signIn(page)
  const at = await pausedAt(page)
  const player = regionOf(page)
  const steps = await page.evaluate(() => history.length)
  await player.getByRole('button', { name: 'Play', exact: true }).click()
  await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > at + 4000)
  expect(await page.evaluate(() => history.length)).toBe(steps)
  await player.getByRole('button', { name: 'Go live' }).click()
  await expect(player).toHaveAttribute('data-view-mode', 'live')
  await page.goBack()
  await expect(player).toHaveAttribute('data-view-mode', 'archive')
  await readingThat(page, (reading) => isClockTrue(reading) && Math.abs(reading.frame - at) < 60_000)
  await page.goForward()
  await expect(player).toHaveAttribute('data-view-mode', 'live')
})

test('frame steps go to the very next and the very previous frame', async ({ page }) => {
  await signIn(page)
  await pausedAt(page)
  const player = regionOf(page)
  const first = await readingThat(page, isClockTrue)
  for (const [button, count] of [
    ['Next frame', 3],
    ['Previous frame', 5],
  ] as const) {
    for (let step = 0; step < count; step += 1) {
      const before = await readingThat(page, isClockTrue)
      await player.getByRole('button', { name: button }).click()
      const after = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame !== before.frame)
      expect(after.frame - before.frame).toBe(button === 'Next frame' ? frameMs : -frameMs)
    }
  }
  expect((await readingThat(page, isClockTrue)).frame - first.frame).toBe(-2 * frameMs)
})

test('a selection is marked by keys, measured, looped and left', async ({ page }) => {
  await signIn(page)
  await pausedAt(page)
  const first = await readingThat(page, isClockTrue)
  const player = regionOf(page)
  await player.getByRole('button', { name: 'Play', exact: true }).focus()
  await page.keyboard.press('i')
  const selection = player.getByRole('region', { name: 'Selection' })
  await expect(selection).toContainText('Press O to mark the end')
  await page.keyboard.press('k')
  await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > first.frame + 2500)
  await page.keyboard.press('o')
  await expect(selection).toContainText('no gaps')
  await expect(selection).toContainText('about')
  await page.keyboard.press('r')
  await expect(selection.getByRole('button', { name: 'Loop' })).toHaveAttribute('aria-pressed', 'true')
  const [from, to] = [instantIn(page, 'in'), instantIn(page, 'out')]
  expect(to - from).toBeGreaterThan(2000)
  /** How many frames late a loop turns is a matter of the machine's speed; that it turns, and where to, is not. */
  for (let round = 0; round < 2; round += 1) {
    const late = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > to - 1000)
    expect(late.frame).toBeLessThan(to + (to - from))
    const early = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame < from + 1000)
    expect(early.frame).toBeGreaterThan(from - 2 * frameMs)
  }
  await selection.getByRole('button', { name: 'Clear selection' }).click()
  await expect(selection).toBeHidden()
  await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > to + 500)
})

test('a range is drawn on the timeline, and its edges moved', async ({ page }) => {
  await signIn(page)
  await pausedAt(page)
  const player = regionOf(page)
  const box = await player.getByRole('slider', { name: 'Timeline' }).boundingBox()
  if (box === null) throw new Error('the timeline has no box')
  const y = box.y + box.height / 2
  const dragTo = async (from: number, to: number) => {
    await page.mouse.move(box.x + from, y)
    await page.mouse.down()
    await page.mouse.move(box.x + (from + to) / 2, y, { steps: 3 })
    await page.mouse.move(box.x + to, y, { steps: 3 })
    await page.mouse.up()
  }
  await player.getByRole('button', { name: 'Select by dragging' }).click()
  await dragTo(600, 700)
  await expect(page).toHaveURL(/in=.*out=/)
  const marked = { from: instantIn(page, 'in'), to: instantIn(page, 'out') }
  await player.getByRole('button', { name: 'Select by dragging' }).click()
  await dragTo(700, 800)
  await expect.poll(() => instantIn(page, 'out') - marked.from).toBeGreaterThan(1.9 * (marked.to - marked.from))
  expect(instantIn(page, 'in')).toBe(marked.from)
})

test('the next event and the one before it are found, beyond what is shown too', async ({ page }) => {
  await signIn(page)
  const at = await pausedAt(page)
  const uid = await uidOf(page, 'Gate')
  const days = 3
  const query = new URLSearchParams({
    streamId: uid,
    from: new Date(at - days * 24 * hour).toISOString(),
    to: new Date().toISOString(),
  })
  const marks = async (): Promise<number[]> => {
    const { items } = await (await page.request.get(`/v1/annotations?${query}`)).json()
    return items.map(({ time }: { time: string }) => Date.parse(time))
  }
  await expect.poll(async () => (await marks()).some((time) => time < at - 60_000)).toBe(true)
  const { shown } = await readingThat(page, isClockTrue)
  /** One that is nearly shown may count as shown. */
  const known = await marks()
  const before = [0, 5000].map((near) => Math.max(...known.filter((time) => time < shown - near)))
  const player = regionOf(page)
  await player.getByRole('button', { name: 'Play', exact: true }).focus()
  await page.keyboard.press('{')
  await readingThat(
    page,
    (reading) => isClockTrue(reading) && before.some((time) => Math.abs(reading.frame - time) <= 2 * frameMs),
  )
})
