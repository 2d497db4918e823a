import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { isClockTrue, readFrame, type Reading, readingThat } from './frame-strip.ts'
import { type Visit, looks, pressTool, visit } from './journey.ts'
import { administrator, hour, openAt, uidOf, waitForArchive } from './session.ts'

const second = 1000

/** The archive of half an hour ago plays; answers a moment that it has passed. */
async function playing({ page, signIn }: Visit): Promise<number> {
  await signIn(administrator.name, administrator.password)
  const at = Math.floor((Date.now() - hour / 2) / second) * second
  const uid = await uidOf(page, 'Gate')
  await waitForArchive(page, uid, at)
  await openAt(page, uid, at)
  return (await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > at + second)).frame
}

/** While another source loads, the last picture covers a `<video>` that has no frame, and so no strip, yet. */
const hasStrip = (reading: Reading | null): reading is Reading =>
  reading !== null && Math.abs(reading.frame - reading.shown) < 60 * second

/** Reads the picture until it is before `end`. A reading that repeats the one before isn't taken within a change. */
async function readBackTo(page: Page, end: number): Promise<Reading[]> {
  const settled: Reading[] = []
  const before: { reading: Reading | null } = { reading: null }
  await expect
    .poll(
      async () => {
        const reading = await readFrame(page.locator('[data-view-mode]'))
        if (!hasStrip(reading)) return Number.POSITIVE_INFINITY
        const { reading: last } = before
        if (reading.frame === last?.frame && reading.shown === last.shown) settled.push(reading)
        before.reading = reading
        return reading.frame
      },
      { intervals: [20] },
    )
    .toBeLessThan(end)
  return settled
}

const inDescendingOrder = (values: readonly number[]) => values.toSorted((a, b) => b - a)

for (const look of looks) {
  test(
    `backwards, picture after picture is shown with its own time, until a pause at one of them, in ${look.language}`,
    { tag: look.language === 'en' ? [] : '@long' },
    async ({ browser, address }) => {
      const visitor = await visit(browser, address, look)
      const { context, page, t, expectClean } = visitor
      const from = await playing(visitor)
      const player = page.getByRole('region', { name: t('Player') })
      const button = (name: string) => player.getByRole('button', { name: t(name), exact: true })
      await page.keyboard.press('<')
      await page.keyboard.press('<')
      await expect(player.getByRole('button', { name: t('Speed {current}', { current: '−2×' }) })).toBeVisible()
      const readings = await readBackTo(page, from - 14 * second)
      const frames = readings.map(({ frame }) => frame)
      expect(new Set(frames).size).toBeGreaterThan(3)
      expect(frames).toEqual(inDescendingOrder(frames))
      expect(readings.filter((reading) => !isClockTrue(reading))).toEqual([])

      await page.keyboard.press('k')
      await expect(button('Play')).toBeVisible()
      const paused = await readingThat(page, isClockTrue)
      await expectClean()
      await pressTool(visitor, 'Previous frame')
      await readingThat(page, (reading) => isClockTrue(reading) && reading.frame < paused.frame)
      await button('Play').click()
      await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > paused.frame + second)
      await expectClean()
      await context.close()
    },
  )

  test(
    `the shuttle plays backwards while it is held, and springs back, in ${look.language}`,
    { tag: '@long' },
    async ({ browser, address }) => {
      const visitor = await visit(browser, address, look)
      const { context, page, t, expectClean } = visitor
      const from = await playing(visitor)
      const player = page.getByRole('region', { name: t('Player') })
      await pressTool(visitor, 'Shuttle')
      const shuttle = player.getByRole('slider', { name: t('Shuttle') })
      await expectClean()
      const box = await shuttle.boundingBox()
      if (box === null) throw new Error('no shuttle')
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2)
      await expect(shuttle).toHaveAttribute('aria-valuetext', t('Backwards {multiple}×', { multiple: 4 }))
      await readBackTo(page, from - 8 * second)
      await page.mouse.up()
      await expect(shuttle).toHaveAttribute('aria-valuenow', '0')
      await expect(player.getByRole('button', { name: t('Play'), exact: true })).toBeVisible()
      await expect(player.getByRole('button', { name: t('Speed {current}', { current: '1×' }) })).toBeVisible()
      await readingThat(page, isClockTrue)
      await expectClean()
      await context.close()
    },
  )

  test(
    `a zoomed timeline shows stills of the archive where they are turned on, in ${look.language}`,
    { tag: '@long' },
    async ({ browser, address }) => {
      const visitor = await visit(browser, address, look)
      const { context, page, t, expectClean } = visitor
      await playing(visitor)
      const player = page.getByRole('region', { name: t('Player') })
      const zoomIn = player.getByRole('button', { name: t('Zoom in'), exact: true })
      while (await zoomIn.isEnabled()) await zoomIn.click()
      const toggle = player.getByRole('button', { name: t('Thumbnails'), exact: true })
      await toggle.click()
      await expect(toggle).toHaveAttribute('aria-pressed', 'true')
      const painted = () =>
        player.locator('canvas[data-strip]').evaluate((canvas: HTMLCanvasElement) => {
          // A copy, as Chromium warns of a canvas that is read again and again.
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')
          copy?.drawImage(canvas, 0, 0)
          const pixels = copy?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
          return pixels.some((value) => value > 0)
        })
      await expect.poll(painted).toBe(true)
      await expectClean()
      await page.reload()
      await expect.poll(painted).toBe(true)
      await expectClean()
      await context.close()
    },
  )
}
