import { expect } from 'playwright/test'
import { floorPlanPng } from '../../tests/fixtures/floor-plan.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'

test.use({ hasDemo: false })

for (const look of looks) {
  test(
    `a floor plan gets an image and a camera, which is dragged, turned, saved and opens the player, in ${look.language}`,
    { tag: '@long' },
    async ({ browser, address }) => {
      const { context, page, t, press, signIn, expectClean } = await visit(browser, address, look)
      const camera = { name: `Gate ${look.language}`, uid: '' }
      const title = `Warehouse ${look.language}`
      const handle = page.getByRole('button', { name: `${camera.name}:` })
      /** Where the camera is by its name: left and top in whole percents, and its direction in degrees. */
      const placed = async () =>
        ((await handle.getAttribute('aria-label')) ?? '')
          .match(/\d+(?:[.,]\d+)?/g)
          ?.map((number) => Math.round(Number(number.replace(',', '.'))))
      await signIn(administrator.name, administrator.password)
      const data = { name: camera.name, streamSource: 'demo:gate', archive: { isEnable: true, depthHours: 1 } }
      camera.uid = (await (await page.request.post('/v1/stream', { headers: { origin: address }, data })).json()).uid

      await page.goto('/ui/plans')
      await press('Add floor plan')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t('Title')).fill(title)
      await expectClean()
      await dialog.getByRole('button', { name: t('Add'), exact: true }).click()
      const file = { name: 'plan.png', mimeType: 'image/png', buffer: floorPlanPng() }
      await page.locator('input[type=file]').first().setInputFiles(file)
      const plan = page.getByRole('region', { name: t('Plan'), exact: true })
      const sheet = plan.locator('img')
      await expect(sheet).toBeVisible()
      const sizes = async () => {
        const box = await sheet.first().boundingBox()
        if (box === null) throw new Error('no picture')
        return box
      }

      const box = await sizes()
      await page
        .getByRole('button', { name: t('Add {shown} to the plan', { shown: camera.name }) })
        .dragTo(page.getByRole('group', { name: t('Cameras on the plan') }), {
          targetPosition: { x: box.width * 0.25, y: box.height * 0.25 },
        })
      await expect.poll(placed).toEqual([25, 25])
      const from = await sizes()
      const at = (share: number) => [from.x + from.width * share, from.y + from.height * share] as const
      await page.mouse.move(...at(0.25))
      await page.mouse.down()
      await page.mouse.move(...at(0.4))
      await page.mouse.move(...at(0.5))
      await page.mouse.up()
      await expect.poll(placed).toEqual([50, 50])
      await handle.press('Shift+BracketRight')
      await expect.poll(placed).toEqual([50, 50, 25])
      await expect(handle).toBeFocused()
      await expectClean()
      await press('Save')
      await expect(page.getByText(t('The floor plan {name} has been saved', { name: title }))).toBeVisible()

      await page.getByRole('link', { name: title }).click()
      const sign = page.getByRole('link', { name: `${camera.name}: ${t('Running')}` })
      await expect(sign).toBeVisible({ timeout: 60_000 })
      const [sizeOfSign, before] = [(await sign.boundingBox())?.width ?? 0, (await sizes()).width]
      await plan.press('+')
      expect(Math.round(((await sizes()).width / before) * 10)).toBe(15)
      expect((await sign.boundingBox())?.width).toBeCloseTo(sizeOfSign, 0)
      await sign.hover()
      await expect(page.getByRole('list', { name: t('Cameras on the plan') }).locator('li img')).toBeVisible({
        timeout: 60_000,
      })
      await expectClean()
      await sign.click()
      await expect(page).toHaveURL(new RegExp(`/ui/stream/${camera.uid}/view`))
      await expect(page.getByRole('region', { name: t('Player') })).toBeVisible()
      await expectClean()
      await context.close()
    },
  )
}
