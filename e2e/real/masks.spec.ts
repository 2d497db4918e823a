import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { looks, pressTool, visit } from './journey.ts'
import { administrator, momentOf } from './session.ts'

test.use({ hasDemo: false })

/** Where the mask lies, in hundredths of the picture that is shown. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const video = document.querySelector('video')
    const rect = document.querySelector('[data-view-mode] rect')?.getBoundingClientRect()
    if (video === null || rect === undefined) return null
    const outer = video.getBoundingClientRect()
    const scale = Math.min(outer.width / video.videoWidth, outer.height / video.videoHeight)
    const [width, height] = [video.videoWidth * scale, video.videoHeight * scale]
    const [left, top] = [outer.left + (outer.width - width) / 2, outer.top + (outer.height - height) / 2]
    return [(rect.left - left) / width, (rect.top - top) / height, rect.width / width, rect.height / height].map(
      (share) => Math.round(share * 100),
    )
  })

for (const look of looks) {
  test(
    `a mask is drawn on the picture, saved, and covers that part of the player, zoomed too, in ${look.language}`,
    { tag: '@long' },
    async ({ browser, address }) => {
      const visitor = await visit(browser, address, look)
      const { context, page, t, press, signIn, expectClean } = visitor
      await signIn(administrator.name, administrator.password)
      const data = { name: 'Masked', streamSource: 'demo:gate' }
      const { uid } = await (await page.request.post('/v1/stream', { headers: { origin: address }, data })).json()
      await page.goto(`/ui/stream/${uid}/masks`)
      const canvas = page.getByRole('group', { name: t('Picture with masks') })
      await expect(canvas.locator('img')).toBeVisible({ timeout: 60_000 })
      await expectClean()
      const box = await canvas.boundingBox()
      if (box === null) throw new Error('no picture')
      const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
      await page.mouse.move(...at(0.25, 0.25))
      await page.mouse.down()
      await page.mouse.move(...at(0.5, 0.4))
      await page.mouse.move(...at(0.75, 0.5))
      await page.mouse.up()
      await expect(canvas.getByRole('button', { name: `${t('Mask {0}', { 0: 1 })}:` })).toBeVisible()
      await expectClean()
      await press('Save')
      await expect(page.getByText(t('The privacy masks have been saved'))).toBeVisible()
      const [mask] = (await (await page.request.get(`/v1/stream/${uid}`)).json()).masks
      expect([mask.x, mask.y, mask.w, mask.h].map((share) => Math.round(share * 100))).toEqual([25, 25, 50, 25])

      await page.goto(`/ui/stream/${uid}/view`)
      await expect.poll(() => momentOf(page, t('Player'))).toBeGreaterThan(0)
      expect(await covered(page)).toEqual([25, 25, 50, 25])
      await pressTool(visitor, 'Magnify')
      expect(await covered(page)).toEqual([25, 25, 50, 25])
      await pressTool(visitor, 'Statistics')
      const statistics = page.getByRole('region', { name: t('Statistics') })
      await expect(statistics).toContainText(t('{masks}, over the picture', { masks: 1 }))
      await expectClean()
      await context.close()
    },
  )
}
