import { expect } from 'playwright/test'
import { type FakeServer, admin, reader, settings, test } from './fake-server.ts'

const warnings = [
  { code: 'LICENSE_EXPIRATION', expiresAt: '2026-12-24T10:00:00.000Z' },
  { code: 'ALLOC_DIR_DISK_SPACE', usedPercent: 92 },
  { code: 'CLUSTER_NODE_DRAINED' },
]

function answerAdministration(server: FakeServer) {
  for (const call of ['admin/stats', 'system/stats', 'system/license']) server.answer(`GET /v1/${call}`, { json: {} })
}

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
  await page.getByRole('button', { name: 'Menu' }).click()
  const names = ['Profile', 'Administration', 'More features', 'Documentation', 'API documentation', 'Log out']
  for (const name of names) await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Switch server' })).toHaveCount(0)
  const [docs] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('menuitem', { name: 'API documentation' }).click(),
  ])
  await expect(docs).toHaveURL('/ui/swagger')
})

test('a regular user of the enterprise edition has a shorter menu', async ({ page, server }) => {
  server.answer('GET /v1/user', { json: reader })
  server.answer('GET /ui/config.json', { json: { pricingUrl: 'https://example.org/pricing' } })
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, isEnterprise: true } })
  await page.goto('/ui/help')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible()
  for (const name of ['Administration', 'More features', 'Documentation', 'API documentation']) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  }
})

test('the language chosen in the menu takes effect at once and is saved', async ({ page, server }) => {
  server.answer('PATCH /v1/user', { json: {} })
  await page.goto('/ui/help')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Русский' }).click()
  await expect(page).toHaveTitle('Справка')
  await expect.poll(() => server.bodies).toEqual([{ call: 'PATCH /v1/user', body: { language: 'ru' } }])
})

test('banners say what the server warns of, and stay dismissed on this browser', async ({ page, server }) => {
  server.answer('GET /v1/system/health', { json: { version: '4.2', warnings } })
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, isLicenseExpired: true } })
  await page.goto('/ui/help')
  const region = page.getByRole('region', { name: 'Warnings' })
  await expect(region.getByText(/License will expire at 24 December 2026|December 24, 2026/)).toBeVisible()
  await expect(region.getByText('The archive directory is running out of memory, more than 92% used.')).toBeVisible()
  await expect(region.getByText('This node is drained. Start the node to return to the cluster.')).toBeVisible()
  await expect(
    region.getByText('License is missing or expired. Addition streams and watching archive has been disabled.'),
  ).toBeVisible()
  await expect(region.getByRole('button', { name: 'Dismiss' })).toHaveCount(2)
  await region.getByRole('button', { name: 'Dismiss' }).first().click()
  await region.getByRole('button', { name: 'Dismiss' }).first().click()
  await expect(region.getByRole('button', { name: 'Dismiss' })).toHaveCount(0)
  await page.reload()
  await expect(region.getByText('This node is drained.')).toBeVisible()
  await expect(region.getByText('The archive directory')).toHaveCount(0)
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

test('every route has its title, and the header says it except on administration and user add', async ({
  page,
  server,
}) => {
  answerAdministration(server)
  const titles: Record<string, [string, string]> = {
    '/ui/mosaics': ['Mosaics', 'Mosaics'],
    '/ui/bookmarks': ['Bookmarks', 'Bookmarks'],
    '/ui/help': ['Help', 'Help'],
    '/ui/profile/me': ['My profile', 'My profile'],
    '/ui/profile/me/tokens': ['My tokens', 'My tokens'],
    '/ui/administration': ['Statistics', ''],
    '/ui/license': ['License', ''],
    '/ui/user/add': ['Add user', ''],
  }
  for (const [path, [title, header]] of Object.entries(titles)) {
    await page.goto(path)
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('banner').getByRole('heading')).toHaveCount(header === '' ? 0 : 1)
  }
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

test('title and logo come from the settings, at once', async ({ page, server }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, appTitle: 'Harbour' } })
  await page.goto('/ui/help')
  await page.getByRole('banner').getByRole('link', { name: 'Harbour' }).click()
  await expect(page).toHaveURL('/ui/streams')
})

test('what leads elsewhere leads there: the main page, a stream, a user, the profile, administration and licence', async ({
  page,
  server,
}) => {
  server.answer('GET /v1/stream/gate', { json: { uid: 'gate', status: 'running' } })
  server.answer('GET /v1/user/bob', { json: { name: 'bob' } })
  answerAdministration(server)
  const leads = {
    '/ui/': '/ui/streams',
    '/ui/profile/me': '/ui/profile/me/info',
    '/ui/user/bob': '/ui/user/bob/info',
    '/ui/stream/gate': '/ui/stream/gate/info',
    '/ui/administration': '/ui/administration/stats',
    '/ui/license': '/ui/administration/license',
  }
  for (const [from, to] of Object.entries(leads)) {
    await page.goto(from)
    await expect(page).toHaveURL(to)
  }
})

test('where one was going is kept in the session storage, by name and params', async ({ page, server }) => {
  server.answer('GET /v1/user', { status: 401, json: { code: 'AuthorizationRequired' } })
  await page.goto('/ui/stream/gate/view?at=2026-11-21T08:00:00.000Z')
  await expect(page).toHaveURL('/ui/auth')
  const kept = await page.evaluate(() => Object.values(sessionStorage).map((value) => JSON.parse(value)))
  expect(kept).toContainEqual({ name: 'streamView', params: { uid: 'gate' }, search: '?at=2026-11-21T08:00:00.000Z' })
})

test('the view of all streams is kept under all-streams', async ({ page, server }) => {
  const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('all-streams') ?? 'null'))
  const questions = () =>
    server.calls
      .filter((call) => call.startsWith('GET /v1/streams?'))
      .map((call) => Object.fromEntries(new URL(call.slice(4), 'http://x').searchParams))
  await page.goto('/ui/streams')
  await expect
    .poll(questions)
    .toContainEqual({ page: '1', groupType: 'none', sortType: 'date', onlyAvailable: 'false' })
  await page.getByRole('button', { name: 'Table view' }).click()
  await page.getByRole('button', { name: 'Group by tag' }).click()
  await page.getByRole('button', { name: 'Only available' }).click()
  await page.getByRole('searchbox', { name: 'Search streams' }).fill('gate')
  await page.keyboard.press('Enter')
  const whole = {
    viewModeKey: 'table',
    groupType: 'tag',
    searchingValues: ['gate'],
    isShownAvailableStreams: true,
    isOpenAside: false,
  }
  await expect.poll(kept).toEqual(whole)
  await page.goto('/ui/help')
  await page.goto('/ui/streams')
  await expect(page.getByRole('button', { name: 'Table view' })).toHaveAttribute('aria-pressed', 'true')
  await expect
    .poll(questions)
    .toContainEqual({ page: '1', groupType: 'tag', sortType: 'date', searchingValues: 'gate', onlyAvailable: 'true' })
})

test('a newer version is told in the menu', async ({ page, server }) => {
  server.answer('GET /ui/config.json', { json: { versionCheckUrl: '/v1/latest' } })
  server.answer('GET /v1/latest', { json: { version: '4.3', url: 'https://versions.example/4.3' } })
  await page.goto('/ui/help')
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Version 4.3 is available' })).toHaveAttribute(
    'href',
    'https://versions.example/4.3',
  )
})

test('a call that nothing answers is told as a server that is not responding', async ({ page, server }) => {
  server.answer('POST /v1/sign-out', 'unreachable')
  await page.goto('/ui/help')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('Server is not responding')).toBeVisible()
})

test('an error is told at the top right', async ({ page, server }) => {
  server.answer('GET /v1/system/health', { status: 500, json: { code: 'InternalServerError' } })
  await page.goto('/ui/help')
  const toast = page.getByRole('alert').filter({ hasText: 'Internal server error' })
  await expect(toast.getByText('Error', { exact: true })).toBeVisible()
  const { x, y, width } = (await toast.boundingBox()) ?? { x: 0, y: 0, width: 0 }
  expect({ isRight: 1440 - (x + width) < 40, isTop: y < 120 }).toEqual({ isRight: true, isTop: true })
})

test.describe('on a phone', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
  })

  test('servers can be switched, and nothing scrolls sideways', async ({ page, server }) => {
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
