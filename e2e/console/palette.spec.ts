import { expect } from 'playwright/test'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerPlayer, answerPreviews, expectAccessible } from './stream-fixture.ts'

test.beforeEach(async ({ page, server }) => {
  server.answer('GET /v1/stream/gate', { json: gate })
  server.answer('GET /v1/system/search', (request) => {
    const query = new URL(request.url()).searchParams.get('query') ?? ''
    const named = (name: string) => name.toLowerCase().includes(query.toLowerCase())
    return {
      json: {
        streams: [
          { uid: 'gate', name: 'Gate' },
          { uid: 'yard', name: 'Yard' },
        ].filter(({ name }) => named(name)),
        mosaics: [{ id: '7', name: 'Yard and gate' }].filter(({ name }) => named(name)),
        users: [{ name: 'gateman' }].filter(({ name }) => named(name)),
      },
    }
  })
  await answerPreviews(page, server)
})

test('Ctrl K finds streams, mosaics, users and pages, and the keyboard goes there', async ({
  page,
  server,
  problems,
}) => {
  await page.goto('/ui/help')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Where to go' })
  await expect(box).toBeFocused()
  await expectAccessible(page)
  await box.fill('gat')
  const options = page.getByRole('listbox', { name: 'Where to go' }).getByRole('option')
  await expect(options).toHaveText(['Gate', 'Yard and gate', 'gateman'])
  await expect(page.getByRole('group')).toHaveCount(3)
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  expect(await box.getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(box).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await box.fill('audit')
  await expect(options).toHaveText(['Audit logs'])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/ui/administration/audit-logs')
  await page.getByRole('button', { name: 'Go to…' }).click()
  await expect(options).toHaveText(['Audit logs'])
  expect(server.calls.filter((call) => call.includes('/search')).every((call) => /query=(gat|audit)$/.test(call))).toBe(
    true,
  )
  expect(problems).toEqual([])
})

test(
  'on a stream a time in words opens its archive then, in English and in Russian',
  { tag: '@long' },
  async ({ page, server }) => {
    answerPlayer(server, 'gate')
    await page.goto('/ui/stream/gate/info')
    await expect(page.getByRole('heading', { name: 'Stream info' })).toBeVisible()
    const box = page.getByRole('combobox', { name: 'Where to go' })
    for (const words of ['yesterday 14:05', 'вчера в 14:05']) {
      await page.keyboard.press('Control+k')
      await box.fill(words)
      const option = page.getByRole('group', { name: 'Time' }).getByRole('option')
      await expect(option).toContainText('14:05:00')
      const moment = (await option.locator('time').getAttribute('datetime')) ?? ''
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(`/ui/stream/gate/view?at=${moment}`)
      await page.goto('/ui/stream/gate/info')
      await expect(page.getByRole('heading', { name: 'Stream info' })).toBeVisible()
    }
  },
)
