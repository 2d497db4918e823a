import { expect } from 'playwright/test'
import { axeFindings } from '../axe.ts'
import { test } from '../test.ts'
import { hour, signIn, uidOf, waitForArchive } from './session.ts'

test('what is marked is locked, shown on the timeline, listed and unlocked', async ({ page }) => {
  await signIn(page)
  const gate = await uidOf(page, 'Gate')
  const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
  await waitForArchive(page, gate, at)
  const iso = (seconds: number) => new Date(at + seconds * 1000).toISOString()
  const address = `/ui/stream/${gate}/view?at=${iso(0)}`

  await page.route('**/v1/system/internal/ui/settings', async (route) => {
    const response = await route.fetch()
    const settings: { features: string[] } = await response.json()
    const features = settings.features.filter((feature) => feature !== 'locks')
    await route.fulfill({ response, json: { ...settings, features } })
  })
  await page.goto(`${address}&in=${iso(0)}&out=${iso(300)}`)
  const selection = page.getByRole('region', { name: 'Selection' })
  await expect(selection.getByRole('button', { name: 'Download selection' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Lock/ })).toHaveCount(0)
  await page.unrouteAll()

  await page.goto(`${address}&in=${iso(0)}&out=${iso(300)}`)
  await selection.getByRole('button', { name: 'Lock' }).focus()
  await page.keyboard.press('Enter')
  const draft = page.getByRole('dialog', { name: 'Lock the recording' })
  await expect(draft.getByLabel('Reason')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(draft.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator(`html[data-theme="${colorScheme}"]`)).toHaveCount(1)
    expect(await axeFindings(page), colorScheme).toEqual([])
  }
  await draft.getByLabel('Reason').fill('Theft')
  await draft.getByLabel('Expires').selectOption('30')
  await draft.getByRole('button', { name: 'Lock' }).click()
  await expect(page.getByText('The recording is locked')).toBeVisible()
  const { items } = await (await page.request.get(`/v1/stream/${gate}/archive/locks`)).json()
  expect(items).toMatchObject([{ startTime: iso(0), endTime: iso(300), reason: 'Theft', login: 'admin' }])

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Locked recordings' }).click()
  const list = page.getByRole('dialog', { name: 'Locked recordings' })
  await expect(list.getByRole('listitem')).toHaveText(/Theft.*By admin, until .*Unlock/)
  expect(await axeFindings(page)).toEqual([])
  await list.getByRole('button', { name: 'Unlock Theft' }).click()
  const asking = page.getByRole('alertdialog', { name: 'Unlock “Theft”?' })
  await asking.getByRole('button', { name: 'Unlock' }).click()
  await expect(list.getByRole('heading', { name: 'Nothing is locked' })).toBeVisible()
})
