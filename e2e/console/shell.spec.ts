import { expect } from 'playwright/test'
import { admin, settings } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'

test('the menu holds each entry by its rule', async ({ page, server }) => {
  server.answer('GET /ui/config.json', {
    json: {
      pricingUrl: 'https://example.org/pricing',
      serverSwitcherEnabled: true,
      servers: [{ name: 'B', url: 'https://b.example.org' }],
    },
  })
  server.answer('GET /v1/system/internal/ui/settings', {
    json: { ...settings, documentation: 'https://example.org/docs' },
  })
  await page.goto('/ui/help')
  await page.getByRole('button', { name: 'Go to…' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText(/^Go to…/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.press('ArrowUp')
  await expect(page.getByRole('menuitemradio').last()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await menu.click()
  const names = ['Profile', 'Administration', 'More features', 'Documentation', 'API documentation', 'Log out']
  for (const name of names) await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Switch server' })).toHaveCount(0)
  const [docs] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('menuitem', { name: 'API documentation' }).click(),
  ])
  await expect(docs).toHaveURL('/ui/swagger')
})

test('a page that somebody went to has the focus, so that the keyboard starts there', async ({ page, server }) => {
  server.answer('GET /v1/tokens', { json: { items: [] } })
  await page.goto('/ui/help')
  const main = page.getByRole('main')
  await expect(main).toBeVisible()
  await expect(main).not.toBeFocused()
  await page.getByRole('button', { name: 'Menu' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Profile' }).press('Enter')
  await expect(page).toHaveURL('/ui/profile/me/info')
  await expect(main).toBeFocused()
  await page.goBack()
  await expect(page).toHaveTitle('Help')
  await expect(main).toBeFocused()
})

test('a new page starts at its top', async ({ page, server, problems }) => {
  server.answer('GET /v1/tokens', {
    json: { items: Array.from({ length: 80 }, (_, index) => ({ id: `${index}`, name: `Token ${index}` })) },
  })
  const top = () => page.getByRole('main').evaluate((main) => main.scrollTop)
  await page.goto('/ui/profile/me/tokens')
  await page.getByText('Token 79').scrollIntoViewIfNeeded()
  await expect.poll(top).toBeGreaterThan(500)
  await page.getByRole('link', { name: 'Sessions' }).click()
  await expect(page).toHaveTitle('Sessions')
  await expect.poll(top).toBe(0)
  expect(problems).toEqual([])
})

test('an error is shown at the top right', { tag: '@long' }, async ({ page, server }) => {
  server.answer('GET /v1/system/health', { status: 500, json: { code: 'InternalServerError' } })
  await page.goto('/ui/help')
  const toast = page.getByRole('alert').filter({ hasText: 'Internal server error' })
  await expect(toast.getByText('Error', { exact: true })).toBeVisible()
  const { x, y, width } = (await toast.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  expect({ isRight: 1440 - (x + width) < 40, isTop: y < 120 }).toEqual({ isRight: true, isTop: true })
})

test('a new version is announced, and its reload keeps what was typed', { tag: '@long' }, async ({ page, server }) => {
  await page.clock.install()
  await page.goto('/ui/profile/me/edit')
  const name = page.getByLabel('Full name')
  await name.fill('Somebody')
  server.answer('GET /v1/system/health', { json: { version: '4.3', warnings: [] } })
  await page.clock.fastForward(60_000)
  const reload = page.getByRole('region', { name: 'Warnings' }).getByRole('button', { name: 'Reload' })
  page.once('dialog', (dialog) => void dialog.dismiss())
  await reload.click()
  await expect(name).toHaveValue('Somebody')
  page.once('dialog', (dialog) => void dialog.accept())
  await reload.click()
  await expect(page.getByRole('status').filter({ hasText: 'Your unsaved input was restored' })).toBeVisible()
  await expect(name).toHaveValue('Somebody')
  await expect(reload).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  })

  test('servers can be switched, and nothing scrolls sideways', { tag: '@long' }, async ({ page, server }) => {
    server.answer('GET /ui/config.json', {
      json: { serverSwitcherEnabled: true, servers: [{ name: 'Site B', url: 'https://b.example.org' }] },
    })
    server.answer('GET /v1/user', { json: { ...admin, isAdmin: false } })
    await page.goto('/ui/help')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('menuitem', { name: 'Switch server' }).click()
    await expect(page.getByRole('menuitem', { name: 'Site B' })).toBeVisible()
  })
})
