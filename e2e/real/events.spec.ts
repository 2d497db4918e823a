import { expect } from 'playwright/test'
import { axeFindings } from '../axe.ts'
import { test } from '../test.ts'
import { hour, momentOf, signIn, uidOf, waitForArchive } from './session.ts'

test('events of a detector: found with pictures, on the timeline with label and score, and opened', async ({
  page,
}) => {
  const origin = await signIn(page)
  const gate = await uidOf(page, 'Gate')
  const at = Math.floor(Date.now() / 1000) * 1000 - hour / 2
  await waitForArchive(page, gate, at)
  const time = new Date(at).toISOString()
  const car = {
    streamId: gate,
    type: 'event',
    time,
    timeEnd: new Date(at + 5000).toISOString(),
    label: 'car',
    score: 0.87,
  }
  const added = await page.request.post('/v1/annotations', { data: { items: [car] }, headers: { origin } })
  expect(added.status()).toBe(200)

  await page.goto('/ui/events?label=car')
  const card = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
  await expect(card).toHaveCount(1)
  await expect(card.getByRole('link').first()).toContainText('car87%Gate')
  await expect
    .poll(() => card.locator('img').evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0))
    .toBe(true)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator(`html[data-theme="${colorScheme}"]`)).toHaveCount(1)
      expect(await axeFindings(page), `${width} ${colorScheme}`).toEqual([])
    }
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
    ).toBe(true)
  }
  await page.setViewportSize({ width: 1280, height: 844 })

  // By the keyboard alone.
  await page.getByLabel('Label').focus()
  await page.getByLabel('Label').fill('person')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'No events found' })).toBeVisible()
  await expect(page).toHaveURL('/ui/events?label=person')
  await page.goBack()
  await page.goto('/ui/events?label=car')
  await card.getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/ui/stream/${gate}/view\\?at=`))
  await expect.poll(async () => Math.abs((await momentOf(page)) - at) < 10_000).toBe(true)
  await page.getByRole('button', { name: 'Events and recordings' }).click()
  await expect(page.getByRole('complementary', { name: 'Events and recordings' }).getByText('87%')).toBeVisible()
})
