import { expect } from 'playwright/test'
import { axeFindings } from '../axe.ts'
import { test } from '../test.ts'
import { momentOf, signIn } from './session.ts'

test.use({ hasDemo: false })

test(
  'a mask is drawn on the picture, saved, and covers that part of it in the player, zoomed too',
  { tag: '@long' },
  async ({ page }) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    const origin = await signIn(page)
    const data = { name: 'Masked', streamSource: 'demo:gate' }
    const { uid } = await (await page.request.post('/v1/stream', { headers: { origin }, data })).json()
    await page.goto(`/ui/stream/${uid}/masks`)
    const canvas = page.getByRole('group', { name: 'Picture with masks' })
    await expect(canvas.locator('img')).toBeVisible({ timeout: 60_000 })
    expect(await axeFindings(page)).toEqual([])
    const box = await canvas.boundingBox()
    if (box === null) throw new Error('no picture')
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
    await page.mouse.move(...at(0.25, 0.25))
    await page.mouse.down()
    await page.mouse.move(...at(0.5, 0.4))
    await page.mouse.move(...at(0.75, 0.5))
    await page.mouse.up()
    await expect(canvas.getByRole('button', { name: /^Mask 1:/ })).toBeVisible()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The privacy masks have been saved')).toBeVisible()
    const [mask] = (await (await page.request.get(`/v1/stream/${uid}`)).json()).masks
    expect([mask.x, mask.y, mask.w, mask.h].map((share) => Math.round(share * 100))).toEqual([25, 25, 50, 25])

    await page.goto(`/ui/stream/${uid}/view`)
    await expect.poll(() => momentOf(page)).toBeGreaterThan(0)
    /** Where the mask lies, in fractions of the picture that is shown. */
    const covered = () =>
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
    expect(await covered()).toEqual([25, 25, 50, 25])
    await page.getByRole('button', { name: 'Magnify' }).click()
    expect(await covered()).toEqual([25, 25, 50, 25])
    expect(problems).toEqual([])
  },
)
