// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { type FakeServer, reader, settings, signedOut } from '../fixtures/fake-server.ts'
import {
  at,
  enter,
  expect,
  field,
  fill,
  holds,
  notifications,
  part,
  press,
  test,
  textsOf,
  titled,
  toast,
  until,
} from './console.tsx'

const warnings = [
  { code: 'LICENSE_EXPIRATION', expiresAt: '2026-12-24T10:00:00.000Z' },
  { code: 'ALLOC_DIR_DISK_SPACE', usedPercent: 92 },
  { code: 'CLUSTER_NODE_DRAINED' },
]

function answerAdministration(server: FakeServer) {
  for (const call of ['admin/stats', 'system/stats', 'system/license']) server.answer(`GET /v1/${call}`, { json: {} })
}

test('a regular user of the enterprise edition has a shorter menu', async ({ server, visit }) => {
  server.answer('GET /v1/user', { json: reader })
  server.answer('GET /ui/config.json', { json: { pricingUrl: 'https://example.org/pricing' } })
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, isEnterprise: true } })
  await visit('/ui/help')
  await press('button', 'Menu')
  await screen.findByRole('menuitem', { name: 'Profile' })
  for (const name of ['Administration', 'More features', 'Documentation', 'API documentation']) {
    expect(screen.queryByRole('menuitem', { name })).toBeNull()
  }
})

test('the language chosen in the menu takes effect at once and is saved', async ({ server, visit }) => {
  server.answer('PATCH /v1/user', { json: {} })
  await visit('/ui/help')
  await press('button', 'Menu')
  await press('menuitemradio', 'Русский')
  await titled('Справка')
  await until(() => expect(server.bodies).toEqual([{ call: 'PATCH /v1/user', body: { language: 'ru' } }]))
})

test('banners say what the server warns of, and stay dismissed on this browser', async ({ server, visit }) => {
  server.answer('GET /v1/system/health', { json: { version: '4.2', warnings } })
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, isLicenseExpired: true } })
  await visit('/ui/help')
  const region = await part('region', 'Warnings')
  await region.findByText(/License will expire at 24 December 2026|December 24, 2026/)
  for (const words of [
    'The archive directory is running out of memory, more than 92% used.',
    'This node is drained. Start the node to return to the cluster.',
    'License is missing or expired. Addition streams and watching archive has been disabled.',
  ])
    await region.findByText(words)
  for (const left of [2, 1]) {
    const dismiss = region.getAllByRole('button', { name: 'Dismiss' })
    expect(dismiss).toHaveLength(left)
    dismiss[0]?.click()
    await until(() => expect(region.queryAllByRole('button', { name: 'Dismiss' })).toHaveLength(left - 1))
  }
  await visit('/ui/help')
  const again = await part('region', 'Warnings')
  await again.findByText(/This node is drained\./)
  expect(again.queryByText(/The archive directory/)).toBeNull()
})

test('every route has its title, and the header says it except on administration and user add', async ({
  server,
  visit,
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
    await visit(path)
    await titled(title)
    const banner = await part('banner')
    await until(() => expect(banner.queryAllByRole('heading')).toHaveLength(header === '' ? 0 : 1))
  }
})

test('title and logo come from the settings, at once', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, appTitle: 'Harbour' } })
  await visit('/ui/help')
  await press('link', 'Harbour', await part('banner'))
  await at('/ui/streams')
})

test('what leads elsewhere leads there: the main page, a stream, a user, the profile, administration and licence', async ({
  server,
  visit,
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
    await visit(from)
    await at(to)
  }
})

test('where one was going is kept in the session storage, by name and params', async ({ server, visit }) => {
  server.answer('GET /v1/user', signedOut)
  await visit('/ui/stream/gate/view?at=2026-11-21T08:00:00.000Z')
  await at('/ui/auth')
  const kept = Object.values(globalThis.sessionStorage).map((value) => JSON.parse(value))
  expect(kept).toContainEqual({ name: 'streamView', params: { uid: 'gate' }, search: '?at=2026-11-21T08:00:00.000Z' })
})

test('the view of all streams is kept under all-streams', async ({ server, visit }) => {
  const kept = () => JSON.parse(globalThis.localStorage.getItem('all-streams') ?? 'null')
  const questions = () =>
    server.calls
      .filter((call) => call.startsWith('GET /v1/streams?'))
      .map((call) => Object.fromEntries(new URL(call.slice(4), 'http://x').searchParams))
  const asked = (question: object) => until(() => expect(questions()).toContainEqual(question))
  await visit('/ui/streams')
  await asked({ page: '1', groupType: 'none', sortType: 'date', onlyAvailable: 'false' })
  for (const name of ['Table view', 'Group by tag', 'Only available']) await press('button', name)
  await fill('Search streams', 'gate')
  enter(await field('Search streams'))
  const whole = {
    viewModeKey: 'table',
    groupType: 'tag',
    searchingValues: ['gate'],
    isShownAvailableStreams: true,
    isOpenAside: false,
  }
  await until(() => expect(kept()).toEqual(whole))
  await visit('/ui/help')
  await visit('/ui/streams')
  const table = await screen.findByRole('button', { name: 'Table view' })
  await until(() => expect(table.getAttribute('aria-pressed')).toBe('true'))
  await asked({ page: '1', groupType: 'tag', sortType: 'date', searchingValues: 'gate', onlyAvailable: 'true' })
})

test('a server may give its version only with its health', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, version: undefined } })
  server.answer('GET /v1/system/health', { json: { version: '4.3', warnings: [] } })
  server.answer('GET /ui/config.json', { json: { versionCheckUrl: '/v1/latest' } })
  server.answer('GET /v1/latest', { json: { version: '4.3', url: 'https://versions.example/4.3' } })
  await visit('/ui/help')
  await screen.findByText('Version 4.3')
  await until(() => expect(server.count('GET /v1/latest')).toBe(1))
  await press('button', 'Menu')
  await screen.findByRole('menuitem', { name: 'Log out' })
  expect(screen.queryByRole('menuitem', { name: /is available/ })).toBeNull()
})

test('a newer version is shown in the menu', async ({ server, visit }) => {
  server.answer('GET /ui/config.json', { json: { versionCheckUrl: '/v1/latest' } })
  server.answer('GET /v1/latest', { json: { version: '4.3', url: 'https://versions.example/4.3' } })
  await visit('/ui/help')
  await press('button', 'Menu')
  const version = await screen.findByRole('menuitem', { name: 'Version 4.3 is available' })
  expect(version.getAttribute('href')).toBe('https://versions.example/4.3')
})

test('an unanswered call is reported as a server that is not responding', async ({ server, visit }) => {
  server.answer('POST /v1/sign-out', 'unreachable')
  await visit('/ui/help')
  await press('button', 'Menu')
  await press('menuitem', 'Log out')
  await toast('Server is not responding')
})

test('Help lists the keys of every page', async ({ visit }) => {
  await visit('/ui/help')
  const group = (await screen.findByRole('heading', { name: 'Anywhere' })).parentElement
  expect(textsOf([...(group?.querySelectorAll('dt') ?? [])])).toEqual(['Ctrl K⌘ K', '?', 'Ctrl Z⌘ Z'])
})

const goTo = 'Where to go'

test('Ctrl K opens the palette by its letter, in a layout without it by its position', async ({ visit }) => {
  await visit('/ui/help')
  await screen.findByRole('button', { name: 'Go to…' })
  const isLeftToBrowser = (key: string, code: string) => fireEvent.keyDown(document.body, { key, code, ctrlKey: true })
  expect([isLeftToBrowser('e', 'KeyK'), isLeftToBrowser('л', 'KeyK')]).toEqual([true, false])
  const box = await screen.findByRole('combobox', { name: goTo })
  expect(isLeftToBrowser('k', 'KeyV')).toBe(false)
  await until(() => expect(box.isConnected).toBe(false))
})

test('a search that fails is reported, and keeps what is typed and the pages', async ({ server, visit }) => {
  server.answer('GET /v1/system/search', { status: 503, json: { code: 'Unavailable' } })
  await visit('/ui/help')
  await press('button', 'Go to…')
  await fill(goTo, 'users')
  const alert = await (await part('dialog')).findByRole('alert')
  expect(alert.textContent).toContain('Unavailable')
  await (await notifications()).findByText(/Unavailable/)
  const options = (...texts: string[]) => until(() => expect(textsOf(screen.getAllByRole('option'))).toEqual(texts))
  await options('Users')
  server.answer('GET /v1/system/search', { json: { users: [{ name: 'users-keeper' }] } })
  await press('button', 'Retry')
  await options('users-keeper', 'Users')
  await holds(goTo, 'users')
})

test('a reader is offered no page of administrators, and no times away from a stream', async ({ server, visit }) => {
  server.answer('GET /v1/user', { json: reader })
  server.answer('GET /v1/system/search', { json: { streams: [], mosaics: [], users: [] } })
  await visit('/ui/help')
  await press('button', 'Go to…')
  for (const words of ['audit', 'yesterday 14:05']) {
    await fill(goTo, words)
    await until(() => expect(textsOf(screen.getAllByRole('status')).join()).toContain('No matches'))
  }
})
