import { AxeBuilder } from '@axe-core/playwright'
import { expect } from 'playwright/test'
import { admin, test } from './fake-server.ts'

const signedOut = { status: 401, json: { code: 'AuthorizationRequired' } }
const entrances = ['/ui/auth', '/ui/recover-password']
const inside = [
  '/ui/streams', '/ui/mosaics', '/ui/create-mosaic', '/ui/help', '/ui/profile/me/edit', '/ui/add-stream', '/ui/user/add',
  '/ui/administration/license', '/ui/administration/stats', '/ui/administration/audit-logs', '/ui/administration/cluster',
  '/ui/administration/config', '/ui/administration/server-debug', '/ui/administration/users', '/ui/nowhere',
]

for (const scheme of ['dark', 'light'] as const) {
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme })

    test(`every screen is free of what axe can find, ${scheme}`, async ({ page, server }) => {
      test.setTimeout(240_000)
      server.answer('GET /v1/system/license', { json: { features: ['tunnel'] } })
      server.answer('GET /v1/system/stats', { json: { cpuPercent: 12, streams: { total: 4, running: 3 } } })
      server.answer('GET /v1/admin/stats', { json: { series: [{ name: 'CPU', unit: 'percent', points: [[new Date().toISOString(), 3]] }] } })
      server.answer('GET /v1/admin/audit-logs', { json: { items: [{ id: '1', login: 'ann', action: 'sign-in', outcome: 'ok' }], total: 1 } })
      server.answer('GET /v1/system/cluster/nodes', { json: { items: [{ id: 'a', name: 'A', available: true }] } })
      server.answer('GET /v1/admin/configuration', {
        json: { values: { title: 'A', mail: { port: 25 } }, schema: { properties: { title: { type: 'string' }, mail: { properties: { port: { type: 'integer' } } } } } },
      })
      server.answer('GET /v1/system/logs', { json: { items: [{ id: '1', time: new Date().toISOString(), level: 'info', message: 'started' }] } })
      server.answer('GET /v1/users', { json: { items: [admin] } })
      server.answer('GET /v1/mosaics', { json: { items: [{ id: 'm', name: 'Wall', columns: 1, rows: 1, cells: [] }] } })
      const found: Record<string, string[]> = {}
      const look = async (path: string) => {
        await page.goto(path)
        await expect(page.getByRole('heading').first()).toBeVisible()
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
        const { violations } = await new AxeBuilder({ page }).options({ rules: { 'target-size': { enabled: true } } }).analyze()
        if (violations.length > 0) found[path] = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
      }
      for (const path of inside) await look(path)
      server.answer('GET /v1/user', signedOut)
      for (const path of entrances) await look(path)
      expect(found).toEqual({})
    })
  })
}
