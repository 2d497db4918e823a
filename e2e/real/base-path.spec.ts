import { expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { failedRequests } from '../problems.ts'
import { test } from '../test.ts'
import { isClockTrue, readingThat } from './frame-strip.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'

const server = ownServer(9, { env: { BASE_PATH: '/cameras' } })

test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

for (const look of looks) {
  test(`below the path of a proxy one signs in, watches, reloads and shares, in ${look.language}`, async ({
    browser,
  }) => {
    const { page, context, t, field, press, expectClean } = await visit(browser, server.address, look)
    const elsewhere = new Set<string>()
    page.on('request', (request) => {
      const { protocol, pathname } = new URL(request.url())
      if (protocol === 'http:' && !pathname.startsWith('/cameras/')) elsewhere.add(pathname)
    })
    await page.goto('/cameras/ui/')
    await field('Login').fill(administrator.name)
    await field('Password').fill(administrator.password)
    await press('Sign in')
    await expect(page).toHaveURL('/cameras/ui/streams')
    await page.getByRole('link', { name: /Gate/ }).first().click()
    await expect(page).toHaveURL(/\/cameras\/ui\/stream\/[^/]+\/view$/)
    await readingThat(page, isClockTrue)
    await page.reload()
    await readingThat(page, isClockTrue)

    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    const { scope, kept } = await page.evaluate(async () => {
      const [registration] = await navigator.serviceWorker.getRegistrations()
      const names = await caches.keys()
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return { scope: registration?.scope, kept: all.flat().map(({ url }) => new URL(url).pathname) }
    })
    expect(scope).toBe(`${server.address}/cameras/ui/`)
    expect(kept.filter((path) => !path.startsWith('/cameras/ui/'))).toEqual([])

    await page.goto(page.url().replace(/view$/, 'info'))
    const panel = page.getByRole('region', { name: t('Share'), exact: true })
    await panel.getByRole('button', { name: t('Share'), exact: true }).click()
    const link = await field('Link').inputValue()
    expect(link).toMatch(new RegExp(`^${server.address}/cameras/ui/stream/`))
    await expectClean()
    expect([...elsewhere]).toEqual([])
    const visitor = await visit(browser, server.address, look, failedRequests)
    await visitor.page.goto(link)
    await readingThat(visitor.page, isClockTrue)
    const [, uid = ''] = /\/stream\/([^/]+)/.exec(link) ?? []
    await page.request.delete(`/cameras/v1/stream/${uid}/share`, { headers: { origin: server.address } })
    await expect(visitor.page.getByRole('heading', { name: t('This link was withdrawn') })).toBeVisible()
    await Promise.all([context.close(), visitor.context.close()])
  })
}

test('who asks the server itself, without the path, gets the console, too', async ({ page }) => {
  await page.goto('/ui/streams')
  await page.getByLabel('Login').fill(administrator.name)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/ui/streams')
  await expect(page.getByRole('link', { name: /Gate/ }).first()).toBeVisible()
})
