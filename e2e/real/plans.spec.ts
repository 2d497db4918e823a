import { expect } from 'playwright/test'
import { floorPlanPng } from '../../tests/fixtures/floor-plan.ts'
import { axeFindings } from '../axe.ts'
import { test } from '../test.ts'
import { signIn } from './session.ts'

test.use({ hasDemo: false })

test(
  'a floor plan gets an image and a camera, which is dragged, turned and saved, and opens the player from the plan',
  { tag: '@long' },
  async ({ page }) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    const origin = await signIn(page)
    const data = { name: 'Gate', streamSource: 'demo:gate', archive: { isEnable: true, depthHours: 1 } }
    const { uid } = await (await page.request.post('/v1/stream', { headers: { origin }, data })).json()

    await page.goto('/ui/plans')
    await page.getByRole('button', { name: 'Add floor plan' }).click()
    await page.getByRole('dialog').getByLabel('Title').fill('Warehouse')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    const file = { name: 'plan.png', mimeType: 'image/png', buffer: floorPlanPng() }
    await page.locator('input[type=file]').setInputFiles(file)
    const sheet = page.getByRole('region', { name: 'Plan' }).locator('img')
    await expect(sheet).toBeVisible()
    const box = await sheet.boundingBox()
    if (box === null) throw new Error('no picture')
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const

    const row = page.getByRole('button', { name: 'Add Gate to the plan' })
    await row.dragTo(page.getByRole('group', { name: 'Cameras on the plan' }), {
      targetPosition: { x: box.width * 0.25, y: box.height * 0.25 },
    })
    const camera = page.getByRole('button', { name: /^Gate: left 25%, top 25%/ })
    await expect(camera).toBeVisible()
    await page.mouse.move(...at(0.25, 0.25))
    await page.mouse.down()
    await page.mouse.move(...at(0.4, 0.4))
    await page.mouse.move(...at(0.5, 0.5))
    await page.mouse.up()
    await page.getByRole('button', { name: /^Gate: left 50%, top 50%/ }).press('Shift+BracketRight')
    await expect(page.getByRole('button', { name: 'Gate: left 50%, top 50%, direction 25°' })).toBeFocused()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The floor plan Warehouse has been saved')).toBeVisible()

    await page.getByRole('link', { name: 'Warehouse' }).click()
    const sign = page.getByRole('link', { name: 'Gate: Running' })
    await expect(sign).toBeVisible({ timeout: 60_000 })
    const sizeOf = async () => (await sign.boundingBox())?.width
    const size = await sizeOf()
    const shown = page.getByRole('region', { name: 'Plan' }).locator('img').first()
    const before = (await shown.boundingBox())?.width ?? 0
    await page.getByRole('region', { name: 'Plan' }).press('+')
    expect(Math.round((((await shown.boundingBox())?.width ?? 0) / before) * 10)).toBe(15)
    expect(await sizeOf()).toBeCloseTo(size ?? 0, 0)
    await sign.hover()
    await expect(page.getByRole('list', { name: 'Cameras on the plan' }).locator('li img')).toBeVisible({
      timeout: 60_000,
    })
    expect(await axeFindings(page)).toEqual([])
    await sign.click()
    await expect(page).toHaveURL(new RegExp(`/ui/stream/${uid}/view`))
    expect(problems).toEqual([])
  },
)
