import { type Page, expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { isClockTrue, readingThat } from './frame-strip.ts'
import { signInByHand } from './session.ts'

/** What the browser has kept, by path. */
const keptBy = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return kept.flat().map(({ url }) => new URL(url).pathname)
  })

test('a console that was kept opens while the server is away, says so, and goes on by itself once it is back', async ({
  browser,
}) => {
  const server = ownServer(1)
  try {
    await server.start()
    const page = await (
      await browser.newContext({ baseURL: server.address, viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
    ).newPage()
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      if (/policy|trusted|worker/i.test(message.text())) complaints.push(message.text())
    })
    await signInByHand(page)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    const others = (await keptBy(page)).filter(
      (path) => !/^\/ui\/(?:assets\/[\w.-]+-[\w-]{7}\.(?:js|css|woff2))?$/.test(path),
    )
    expect(others).toEqual([])

    await server.kill()
    await page.goto('/ui/administration/cluster')
    await expect(
      page.getByRole('region', { name: 'Notifications' }).getByText('Server is not responding'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()

    await server.start()
    await expect(page).toHaveURL('/ui/administration/cluster')
    await expect(page.getByRole('heading', { name: 'Cluster' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Server is not responding')).toHaveCount(
      0,
    )

    await page.goto('/ui/streams')
    await page.getByRole('link', { name: /Gate/ }).first().click()
    await readingThat(page, isClockTrue)
    expect(complaints).toEqual([])
    await page.context().close()
  } finally {
    await server.dispose()
  }
})

test('the browser finds all that it asks of a console that is to be installed', async ({ page }) => {
  await page.goto('/ui/')
  const cdp = await page.context().newCDPSession(page)
  const { errors, data = '{}' } = await cdp.send('Page.getAppManifest')
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors')
  /* The test's own window is one of those that keep nothing. */
  expect([errors, installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')]).toEqual([
    [],
    [],
  ])
  const { icons }: { icons: { src: string; type: string; sizes: string }[] } = JSON.parse(data)
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (source) =>
          createImageBitmap(await (await fetch(source)).blob()).then(({ width, height }) => `${width}x${height}`),
        ),
      ),
    icons.filter(({ type }) => type === 'image/png').map(({ src }) => src),
  )
  expect(sizes).toEqual(['192x192', '512x512', '512x512'])
  const answer = await page.request.get('/ui/manifest.webmanifest')
  expect([answer.headers()['content-type'], answer.headers()['cache-control']]).toEqual([
    expect.stringContaining('application/manifest+json'),
    'no-cache',
  ])
})
