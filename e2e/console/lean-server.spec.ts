import { expect } from 'playwright/test'
import { type FakeServer, notFound } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'

/** A server that says no more than the contract asks of it: the ids, everything else absent, or null. */
const bare = (more: object) => (isNull: boolean, fields: readonly string[]) => ({
  ...(isNull ? Object.fromEntries(fields.map((field) => [field, null])) : {}),
  ...more,
})

const stream = bare({ uid: 'gate' })
const streamFields = [
  'name',
  'streamSource',
  'tags',
  'status',
  'failureReason',
  'location',
  'meta',
  'archive',
  'live',
  'node',
  'viewers',
  'bitrate',
]
const mosaic = bare({ id: 'yard' })
const mosaicFields = ['name', 'meta', 'columns', 'rows', 'cells', 'streams']
const user = bare({ name: 'ann', isAdmin: true })
const userFields = ['email', 'fullName', 'language', 'isManaged', 'isBlocked', 'maxStreamCreation', 'permissionType']

function answerLean(server: FakeServer, isNull: boolean) {
  const none = isNull ? { items: null } : {}
  const answers: Record<string, unknown> = {
    'GET /v1/system/internal/ui/settings': isNull
      ? { version: null, features: null, tunnelLocations: null, appTitle: null, isLocked: null }
      : {},
    'GET /v1/system/health': isNull ? { version: null, warnings: null } : {},
    'GET /v1/user': user(isNull, userFields),
    'GET /v1/streams': { items: [stream(isNull, streamFields)], page: 1, pageSize: 50, total: 1 },
    'GET /v1/stream/gate': stream(isNull, streamFields),
    'GET /v1/stream/gate/logs': none,
    'GET /v1/stream/gate/permissions': isNull ? { permissions: null } : {},
    'GET /v1/stream/gate/archive/stats': isNull ? { period: null } : {},
    'GET /v1/stream/gate/archive/ranges': isNull ? { period: null, ranges: null } : {},
    'GET /v1/stream/gate/archive/available-days': isNull ? { days: null } : {},
    'GET /v1/annotations': none,
    'GET /v1/mosaics': { items: [mosaic(isNull, mosaicFields)] },
    'GET /v1/mosaic/yard': mosaic(isNull, mosaicFields),
    'GET /v1/users': { items: [user(isNull, userFields)] },
    'GET /v1/user/bob': bare({ name: 'bob' })(isNull, userFields),
    'GET /v1/user/bob/permissions': isNull ? { permissions: null } : {},
    'GET /v1/user/bob/sessions': none,
    'GET /v1/tokens': { items: [bare({ id: '1' })(isNull, ['name', 'expireTime'])] },
    'GET /v1/sessions': { items: [bare({ id: '1' })(isNull, ['lastSeenTime', 'userAgent', 'ip', 'isCurrent'])] },
    'GET /v1/admin/stats': isNull ? { series: null } : {},
    'GET /v1/system/stats': isNull ? { cpuPercent: null, disk: null, streams: null } : {},
    'GET /v1/admin/configuration': isNull ? { values: null, schema: null } : {},
    'GET /v1/admin/audit-logs': {
      items: [bare({ id: '1' })(isNull, ['time', 'login', 'action', 'target', 'ip', 'outcome'])],
      page: 1,
      pageSize: 50,
      total: 1,
    },
    'GET /v1/system/license': isNull ? { expired: null, text: null, expiresAt: null, features: null } : {},
    'GET /v1/system/logs': none,
    'GET /v1/system/cluster/nodes': {
      items: [bare({ id: 'a' })(isNull, ['name', 'address', 'available', 'drained', 'version', 'streams'])],
    },
    'GET /v1/system/internal/ui/nodes': { items: [bare({ id: 'a' })(isNull, ['name', 'available'])] },
    'GET /v1/tunnel/status': isNull ? { status: null, url: null, location: null, failureReason: null } : {},
  }
  for (const [call, json] of Object.entries(answers)) server.answer(call, { json })
}

const pages = [
  '/streams',
  '/mosaics',
  '/add-stream',
  '/create-mosaic',
  '/stream/gate/view',
  '/stream/gate/info',
  '/stream/gate/setting',
  '/stream/gate/permission',
  '/stream/gate/debug',
  '/mosaic/yard',
  '/mosaic/yard/edit',
  '/profile/me/info',
  '/profile/me/edit',
  '/profile/me/tokens',
  '/profile/me/sessions',
  '/user/add',
  '/user/bob/info',
  '/user/bob/edit',
  '/user/bob/permission',
  '/user/bob/sessions',
  '/administration/stats',
  '/administration/config',
  '/administration/users',
  '/administration/cluster',
  '/administration/license',
  '/administration/server-debug',
  '/administration/tunnel',
  '/administration/audit-logs',
  '/bookmarks',
  '/help',
]

for (const [how, isNull] of [
  ['absent', false],
  ['null', true],
] as const) {
  // The console reads the two alike (src/api/call.test.ts), so each page is opened with one of them.
  test(`every page stands when all but the ids is ${how}`, async ({ page, server, problems }) => {
    answerLean(server, isNull)
    server.answer('GET /v1/stream/preview', notFound)
    for (const path of pages.filter((_path, index) => index % 2 === Number(isNull))) {
      await test.step(path, async () => {
        await page.goto(`/ui${path}`)
        await expect(page.getByRole('main')).toBeVisible()
        await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
        await expect(page.getByText('Something went wrong')).toHaveCount(0)
        expect(new URL(page.url()).pathname).toBe(`/ui${path}`)
        expect(problems).toEqual([])
      })
    }
  })
}
