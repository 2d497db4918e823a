import { expect } from 'playwright/test'
import { settings, test } from './fake-server.ts'

const nodes = [
  { id: 'a', name: 'North', available: true, drained: false, version: '4.2' },
  { id: 'b', name: 'South', available: false, drained: false, version: '4.2' },
]

test('every call of the administration is made where it belongs', async ({ page, server, problems }) => {
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
    await page.goto(`/ui/administration/${path}`)
    const made = () => [...new Set(server.calls.slice(before).map((call) => call.split('?')[0] ?? ''))]
    await expect.poll(() => calls.filter((call) => !made().includes(call))).toEqual([])
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
  await page
    .getByRole('button', { name: /^Drain/ })
    .first()
    .click()
  await page.getByRole('alertdialog', { name: 'Drain North?' }).getByRole('button', { name: 'Drain' }).click()
  await expect
    .poll(() => server.bodies)
    .toContainEqual({ call: 'POST /v1/system/cluster/node/a/drain', body: { drained: true } })
  await page
    .getByRole('button', { name: /^Remove/ })
    .last()
    .click()
  await page.getByRole('alertdialog', { name: 'Remove South?' }).getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => server.count('DELETE /v1/system/cluster/node/b')).toBe(1)

  await open('tunnel', 'GET /v1/tunnel/status')
  await page.getByLabel('Location').selectOption('us')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(page.getByRole('link', { name: 'https://a.example' })).toBeVisible()
  expect(server.bodies.at(-1)).toEqual({ call: 'POST /v1/tunnel/start', body: { location: 'us' } })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.poll(() => server.count('POST /v1/tunnel/stop')).toBe(1)
  expect(problems).toEqual([])
})

const time = '2026-11-21T08:00:00.000Z'

test('an entry of the audit log says who, what was changed and what came of it', async ({ page, server, problems }) => {
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
  ]
  server.answer('GET /v1/admin/audit-logs', { json: { items, page: 1, pageSize: 50, total: 10_050, hasMore: true } })
  await page.goto('/ui/administration/audit-logs')
  await expect(page.getByText('More than 10,050 entries')).toBeVisible()
  const row = (number: number) => page.getByRole('table').getByRole('row').nth(number)
  await row(1)
    .getByText(/^2 changes: Record who did and watched what, Mail server/)
    .click()
  await expect(row(1).getByRole('deletion').first()).toHaveText('true')
  await expect(row(1).getByRole('insertion').first()).toHaveText('false')
  await expect(row(2)).toContainText('admlnnow bob')
  await expect(row(2)).toContainText('1 change: Login')
  await expect(row(3).getByRole('link')).toHaveAttribute('href', '/ui/user/bob/info')
  await expect(row(3)).toContainText('now bob')
  await expect(row(4)).toContainText('Unknown: root')
  await expect(row(4)).toContainText('481 times until')
  await expect(row(5)).toContainText('Broken off')
  await expect(row(5)).toContainText('48 MB sent')
  await expect(row(6)).toContainText('In progress')
  await expect(row(7)).toContainText('Unknown: the server stopped')
  expect(problems).toEqual([])
})

test('what deleted streams left is listed where the server tells it, and can be deleted', async ({
  page,
  server,
  problems,
}) => {
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
  await page.goto('/ui/administration/stats')
  const table = page.getByRole('table', { name: 'Recordings of deleted streams' })
  await expect(table.getByRole('row').filter({ hasText: 'Old gate' })).toContainText('2 GB')
  await expect(table.getByRole('row').filter({ hasText: 'r2' })).toBeVisible()
  await table.getByRole('button', { name: 'Delete' }).first().click()
  await page
    .getByRole('alertdialog', { name: 'Delete the recordings of Old gate?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(table.getByText('Old gate')).toBeHidden()
  expect(server.count('DELETE /v1/admin/recordings/r1')).toBe(1)
  expect(problems).toEqual([])
})
