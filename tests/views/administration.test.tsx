// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react'
import { settings } from '../fixtures/fake-server.ts'
import { at, bodyOf, expect, fill, holds, part, press, test, until } from './console.tsx'

const nodes = [
  { id: 'a', name: 'North', available: true, drained: false, version: '4.2' },
  { id: 'b', name: 'South', available: false, drained: false, version: '4.2' },
]

test('every call of the administration is made where it belongs', async ({ server, visit }) => {
  let tunnel: object = { status: 'stopped' }
  server.answer('GET /v1/system/internal/ui/settings', {
    json: { ...settings, clusterEnabled: true, tunnelLocations: ['eu', 'us'] },
  })
  server.answer('GET /v1/system/stats', { json: { cpuPercent: 12 } })
  server.answer('GET /v1/admin/stats', { json: { series: [] } })
  server.answer('GET /v1/admin/configuration', {
    json: { values: { title: 'A' }, schema: { properties: { title: { type: 'string' } } } },
  })
  server.answer('GET /v1/admin/audit-logs', {
    json: { items: [{ id: '1', login: 'ann', action: 'sign-in', outcome: 'ok' }], total: 1 },
  })
  server.answer('GET /v1/system/logs', {
    json: { items: [{ id: '1', time: '2026-11-21T08:00:00.000Z', level: 'info', message: 'started' }] },
  })
  server.answer('GET /v1/system/cluster/nodes', { json: { items: nodes } })
  server.answer('POST /v1/system/cluster/node/a/drain', {})
  server.answer('DELETE /v1/system/cluster/node/b', {})
  server.answer('GET /v1/tunnel/status', () => ({ json: tunnel }))
  server.answer('POST /v1/tunnel/start', () => {
    tunnel = { status: 'running', url: 'https://a.example', location: 'us' }
    return {}
  })
  server.answer('POST /v1/tunnel/stop', () => {
    tunnel = { status: 'stopped' }
    return {}
  })
  const asked: Record<string, string[]> = {}
  const open = async (path: string, ...calls: string[]) => {
    const before = server.calls.length
    await visit(`/ui/administration/${path}`)
    const made = () => [...new Set(server.calls.slice(before).map((call) => call.split('?')[0] ?? ''))]
    await until(() => expect(calls.filter((call) => !made().includes(call))).toEqual([]))
    asked[path] = made()
      .filter((call) => /\/v1\/(?:admin|tunnel|system\/(?:stats|logs|license|cluster))/.test(call))
      .toSorted()
  }
  await open('stats', 'GET /v1/admin/stats', 'GET /v1/system/stats')
  await open('config', 'GET /v1/admin/configuration')
  await open('audit-logs', 'GET /v1/admin/audit-logs')
  await open('server-debug', 'GET /v1/system/logs')
  expect(asked).toEqual({
    stats: ['GET /v1/admin/stats', 'GET /v1/system/stats'],
    config: ['GET /v1/admin/configuration'],
    'audit-logs': ['GET /v1/admin/audit-logs'],
    'server-debug': ['GET /v1/system/logs'],
  })

  await open('cluster', 'GET /v1/system/cluster/nodes')
  await press('button', 'Drain', await part('region', 'North'))
  await press('button', 'Drain', await part('alertdialog', 'Drain North?'))
  await until(() =>
    expect(server.bodies).toContainEqual({ call: 'POST /v1/system/cluster/node/a/drain', body: { drained: true } }),
  )
  await press('button', 'Remove', await part('region', 'South'))
  await press('button', 'Remove', await part('alertdialog', 'Remove South?'))
  await until(() => expect(server.count('DELETE /v1/system/cluster/node/b')).toBe(1))

  await open('tunnel', 'GET /v1/tunnel/status')
  await fill('Location', 'us')
  await press('button', 'Start')
  await screen.findByRole('link', { name: 'https://a.example' })
  expect(server.bodies.at(-1)).toEqual({ call: 'POST /v1/tunnel/start', body: { location: 'us' } })
  await press('button', 'Stop')
  await until(() => expect(server.count('POST /v1/tunnel/stop')).toBe(1))
})

test('a tunnel that the licence lacks is neither requested nor offered', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, isLicenseExpired: true } })
  server.answer('GET /v1/tunnel/status', { status: 403, json: { code: 'FeatureNotFound' } })
  await visit('/ui/administration/tunnel')
  await screen.findByText('The tunnel requires a valid license with this feature.')
  expect(screen.queryByRole('button', { name: 'Start' })).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(server.count('GET /v1/tunnel/status')).toBe(0)
})

test('the tunnel of another node is shown with its name, and can only be stopped there', async ({ server, visit }) => {
  const tunnel = { status: 'running', url: 'https://a.example', location: 'us', node: 'North' }
  server.answer('GET /v1/tunnel/status', { json: tunnel })
  await visit('/ui/administration/tunnel')
  await screen.findByRole('link', { name: 'https://a.example' })
  await screen.findByText('North')
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
})

test('a choice of numbers that is not set can be set, and is sent as a number', async ({ server, visit }) => {
  const properties = { speed: { type: 'integer', enum: [10, 100], title: 'Speed' } }
  server.answer('GET /v1/admin/configuration', { json: { values: {}, schema: { type: 'object', properties } } })
  server.answer('PUT /v1/admin/configuration', { json: {} })
  await visit('/ui/administration/config')
  await holds('Speed', '')
  await fill('Speed', '10')
  await press('button', 'Save')
  await until(() => expect(bodyOf(server, 'PUT /v1/admin/configuration')).toEqual({ values: { speed: 10 } }))
})

test('saving keeps what another administrator has saved since', async ({ server, visit }) => {
  const properties = { title: { type: 'string', title: 'Title' }, site: { type: 'string', title: 'Site' } }
  const answer = (values: object) => ({ json: { values, schema: { type: 'object', properties } } })
  server.answer('GET /v1/admin/configuration', answer({ title: 'A', site: 'x' }))
  server.answer('PUT /v1/admin/configuration', { json: {} })
  await visit('/ui/administration/config')
  await fill('Title', 'B')
  server.answer('GET /v1/admin/configuration', answer({ title: 'A', site: 'y' }))
  await press('button', 'Save')
  await until(() =>
    expect(bodyOf(server, 'PUT /v1/admin/configuration')).toEqual({ values: { title: 'B', site: 'y' } }),
  )
})

test('text that is not valid JSON yet stays, is asked about, and is not saved', async ({ server, visit }) => {
  const schema = { type: 'object', properties: { title: { type: 'string', title: 'Title' } } }
  server.answer('GET /v1/admin/configuration', { json: { values: { title: 'A' }, schema } })
  server.answer('PUT /v1/admin/configuration', { json: {} })
  await visit('/ui/administration/config')
  await press('button', 'As JSON')
  await fill('The configuration as JSON', '{ "title": "B"')
  expect(globalThis.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  await press('button', 'As JSON')
  await press('button', 'As JSON')
  await holds('The configuration as JSON', '{ "title": "B"')
  await fill('The configuration as JSON', '{ "title": "B" }')
  await press('button', 'Save')
  await until(() => expect(bodyOf(server, 'PUT /v1/admin/configuration')).toEqual({ values: { title: 'B' } }))
  expect(server.count('PUT /v1/admin/configuration')).toBe(1)
})

test('Discard replaces text that one edit broke', async ({ server, visit }) => {
  const schema = { type: 'object', properties: { title: { type: 'string', title: 'Title' } } }
  server.answer('GET /v1/admin/configuration', { json: { values: { title: 'A' }, schema } })
  await visit('/ui/administration/config')
  await press('button', 'As JSON')
  await fill('The configuration as JSON', '{ "title": "B"')
  await press('button', 'Discard')
  await holds('The configuration as JSON', '{\n  "title": "A"\n}')
})

test('a log whose filter matches no line says so', async ({ server, visit }) => {
  server.answer('GET /v1/system/logs', {
    json: { items: [{ id: '1', time: '2026-11-21T08:00:00.000Z', level: 'info', message: 'started' }] },
  })
  await visit('/ui/administration/server-debug')
  await screen.findByText('started')
  await fill('Filter', 'stopped')
  await screen.findByText('No line matches the filter.')
})

test('one thing of the licence page has the label of the licence', async ({ server, visit }) => {
  server.answer('GET /v1/system/license', { json: {} })
  await visit('/ui/administration/license')
  expect(await screen.findByLabelText(/license/i)).toBe(await screen.findByRole('textbox', { name: 'License' }))
})

const time = '2026-11-21T08:00:00.000Z'

test('an entry of the audit log says who, what was changed and what came of it', async ({ server, visit }) => {
  const entry = { time, login: 'ann', action: 'user.change', target: '', ip: '192.0.2.7', outcome: 'ok' }
  const changes = [
    { path: 'audit.isEnabled', from: 'true', to: 'false' },
    { path: 'mail.host', from: '', to: 'mail.example.org' },
  ]
  const renamed = [{ path: 'name', from: 'admln', to: 'bob' }]
  const refused = { claimed: 'root', outcome: 'TooManyRequests', times: 481, endTime: time }
  const brokenOff = { outcome: 'aborted', bytes: 48_200_000, endTime: time }
  const items = [
    { ...entry, id: '7', action: 'configuration.change', changes },
    { ...entry, id: '6', login: 'admln', userId: 'u2', userName: 'bob', action: 'profile.change', changes: renamed },
    { ...entry, id: '5', target: 'admln', targetId: 'u2', name: 'bob' },
    { ...entry, id: '4', login: '', action: 'session.sign-in', ...refused },
    { ...entry, id: '3', action: 'archive.download', target: `gate ${time}`, ...brokenOff },
    { ...entry, id: '2', action: 'stream.delete', target: 'yard', outcome: 'started' },
    { ...entry, id: '1', action: 'stream.delete', target: 'yard', outcome: 'interrupted' },
    { ...entry, id: '0', action: 'archive.view', target: 'yard', endTime: '2026-11-21T09:02:00.000Z' },
  ]
  server.answer('GET /v1/admin/audit-logs', { json: { items, page: 1, pageSize: 50, total: 10_050, hasMore: true } })
  await visit('/ui/administration/audit-logs')
  await screen.findByText('More than 10,050 entries')
  const [, ...rows] = (await part('table')).getAllByRole('row')
  const [changed, profile, user, unknown, broken, started, interrupted] = rows.map((row) => within(row))
  const texts = rows.map(({ textContent }) => textContent)
  const opening = changed?.getByText(/^2 changes: Log what users do and watch, Mail server/)
  if (opening !== undefined) fireEvent.click(opening)
  expect(changed?.getAllByRole('deletion')[0]?.textContent).toBe('true')
  expect(changed?.getAllByRole('insertion')[0]?.textContent).toBe('false')
  expect(user?.getByRole('link').getAttribute('href')).toBe('/ui/user/bob/info')
  expect([profile, unknown, broken, started, interrupted]).not.toContain(undefined)
  const expected: [number, string][] = [
    [1, 'admlnnow bob'],
    [1, '1 change: Login'],
    [2, 'now bob'],
    [3, 'Unknown: root'],
    [3, '481 times until'],
    [4, 'Interrupted'],
    [4, '48 MB sent'],
    [5, 'In progress'],
    [6, 'Unknown: the server stopped'],
    [7, 'watched for 1 h 2 min'],
  ]
  for (const [row, words] of expected) expect(texts[row]).toContain(words)
})

test('Escape on a chart goes back to live, and live it changes nothing', async ({ server, visit }) => {
  server.answer('GET /v1/system/stats', { json: { cpuPercent: 12 } })
  server.answer('GET /v1/admin/stats', { json: { series: [{ name: 'CPU', unit: '%', points: [] }] } })
  await visit('/ui/administration/stats')
  await press('button', '1 hour')
  await at('/ui/administration/stats?hours=1')
  const chart = await screen.findByRole('slider', { name: 'Processor' })
  fireEvent.keyDown(chart, { key: 'Escape' })
  fireEvent.keyDown(chart, { key: 'PageUp' })
  await screen.findByRole('button', { name: 'Back to live' })
  fireEvent.keyDown(chart, { key: 'Escape' })
  await at('/ui/administration/stats?hours=1')
})

test('how long each stream is kept is shown, the shortest first, and whose recordings are deleted first', async ({
  server,
  visit,
}) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['retention'] } })
  server.answer('GET /v1/system/stats', { json: { cpuPercent: 12 } })
  server.answer('GET /v1/admin/stats', { json: { series: [] } })
  server.answer('GET /v1/admin/retention', {
    json: {
      items: [
        { uid: 's1', name: 'Roof', bytes: 0, daysAhead: null, limit: 'none' },
        { uid: 's2', name: 'Gate', bytes: 3e9, bytesPerDay: 1e9, daysKept: 3, daysAhead: 30, limit: 'days' },
        { uid: 's3', bytes: 4e9, bytesPerDay: 9e9, daysKept: 0.01, daysAhead: 1.5, limit: 'moon' },
      ],
      first: 's3',
      freeBytes: 5e9,
      volumes: [
        { path: '/srv/data/archive', state: 'unlisted', totalBytes: 8e9, freeBytes: 1e9, bytes: 2e9, first: 's2' },
        { path: '/mnt/a', state: 'there', totalBytes: 9e9, freeBytes: 5e9, bytes: 4e9, daysAhead: 8, first: 's3' },
        { path: '/mnt/b', state: 'missing', bytes: 1e9, first: null },
      ],
    },
  })
  await visit('/ui/administration/stats')
  const table = await part('table', 'Retention')
  await table.findByRole('row', { name: /Gate/ })
  expect(table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Stream', 'Size', 'Per day', 'Stored now', 'At the current rate', 'Limited by'],
    ['s3deleted first', '4 GB', '9 GB', 'less than an hour', 'about 36 hours', 'moon'],
    ['Gate', '3 GB', '1 GB', 'about 3 days', 'about 30 days', 'depth'],
    ['Roof', '0 byte', '–', 'less than an hour', '–', 'nothing'],
  ])
  const volumes = await part('table', 'Archive volumes')
  expect(volumes.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Archive volume', 'Size', 'Free space', 'Recordings', 'At the current rate', 'Deleted first'],
    ['/srv/data/archivenot used for recording', '8 GB', '1 GB', '2 GB', '–', 'Gate'],
    ['/mnt/a', '9 GB', '5 GB', '4 GB', 'about 8 days', 's3'],
    ['/mnt/bmissing', '–', '–', '1 GB', '–', '–'],
  ])
  expect(document.body.textContent).toContain('3 streams; 5 GB of disk space is free.')
})

test('what deleted streams left is listed if the server reports it, and can be deleted', async ({ server, visit }) => {
  let items = [
    {
      uid: 'r1',
      name: 'Old gate',
      bytes: 2_000_000_000,
      period: { startTime: '2026-11-01T08:00:00.000Z', endTime: '2026-11-02T08:00:00.000Z' },
    },
    { uid: 'r2' },
  ]
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['recordings'] } })
  server.answer('GET /v1/system/stats', { json: { cpuPercent: 12 } })
  server.answer('GET /v1/admin/stats', { json: { series: [] } })
  server.answer('GET /v1/admin/recordings', () => ({ json: { items } }))
  server.answer('DELETE /v1/admin/recordings/r1', () => {
    items = items.filter(({ uid }) => uid !== 'r1')
    return {}
  })
  await visit('/ui/administration/stats')
  const table = await part('table', 'Recordings of deleted streams')
  const gate = await table.findByRole('row', { name: /Old gate/ })
  expect(gate.textContent).toContain('2 GB')
  table.getByRole('row', { name: /r2/ })
  await press('button', /^Delete/, within(gate))
  await press('button', 'Delete', await part('alertdialog', 'Delete the recordings of Old gate?'))
  await until(() => expect(table.queryByText('Old gate')).toBeNull())
  expect(server.count('DELETE /v1/admin/recordings/r1')).toBe(1)
})

test('the API documentation links to the document of the server that it calls', async ({ server, visit }) => {
  server.answer('GET /ui/config.json', { json: { apiBaseUrl: 'https://video.example' } })
  server.answer('GET /v1/openapi.json', { json: { info: { title: 'Sightline', version: '1' }, paths: {} } })
  await visit('/ui/swagger')
  const link = await screen.findByRole('link', { name: 'openapi.json' })
  expect(link.getAttribute('href')).toBe('https://video.example/v1/openapi.json')
})
