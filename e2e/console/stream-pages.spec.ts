import { expect } from 'playwright/test'
import { type FakeServer, gate, reader } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerPreviews, expectAccessible, notices } from './stream-fixture.ts'

const own = 'GET /v1/stream/gate'

test.beforeEach(async ({ page, server }) => {
  server.answer(own, { json: gate })
  server.answer('GET /v1/stream/gate/archive/stats', {
    json: { period: { startTime: '2026-10-01T08:00:00.000Z', endTime: '2026-10-04T09:30:00.000Z' } },
  })
  server.answer('GET /v1/stream/gate/archive/available-days', {
    json: { days: ['2026-10-01', '2026-10-02', '2026-10-04'] },
  })
  await answerPreviews(page, server)
})

const asViewer = (server: FakeServer, meta: object) => {
  server.answer('GET /v1/user', { json: reader })
  server.answer(own, { json: { ...gate, meta } })
}

test.describe('stream info', () => {
  test('shows what the stream is and its state, and asks every second', async ({ page, server, problems }) => {
    await page.goto('/ui/stream/gate')
    await expect(page).toHaveURL('/ui/stream/gate/info')
    await expect(page).toHaveTitle('Stream info gate')
    const banner = page.getByRole('banner')
    await expect(banner.getByRole('link', { name: 'Gate' })).toHaveAttribute('href', '/ui/stream/gate/view')
    await expect(banner.getByRole('link', { name: 'Stream info' })).toHaveAttribute('aria-current', 'page')
    const facts = page.getByRole('region', { name: 'Stream', exact: true })
    for (const words of ['Running', 'rtsp://***@10.0.0.4:554/gate', '2.4 Mbit/s', 'Yard', 'north', 'doors'])
      await expect(facts).toContainText(words)
    const archive = page.getByRole('region', { name: 'Archive' })
    await expect(archive.locator('time').first()).toHaveAttribute('datetime', '2026-10-01T08:00:00.000Z')
    await expect(archive.getByRole('img', { name: /^Recorded on 3 of the last/ })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Watch' }).locator('img')).toBeVisible()
    const before = server.count(own)
    await expect.poll(() => server.count(own)).toBeGreaterThanOrEqual(before + 2)
    await expectAccessible(page)
    expect(problems).toEqual([])
  })

  test(
    'a forbidden reply stops the polling and is the error of the page',
    { tag: '@long' },
    async ({ page, server }) => {
      await page.clock.install()
      await page.goto('/ui/stream/gate/info')
      await expect(page.getByRole('heading', { name: 'Stream info' })).toBeVisible()
      server.answer(own, { status: 403, json: { code: 'Forbidden' } })
      await expect(page.getByRole('heading', { name: "You don't have access" })).toBeVisible()
      await expect(notices(page).getByText("You don't have access")).toHaveCount(0)
      const before = server.count(own)
      await page.clock.runFor(20_000)
      expect(server.count(own)).toBe(before)
      server.answer(own, { json: gate })
      await page.getByRole('button', { name: 'Retry' }).click()
      await expect(page.getByRole('heading', { name: 'Stream info' })).toBeVisible()
    },
  )

  test('asks before deleting, names what goes, and takes the archive by default', async ({ page, server }) => {
    server.answer('DELETE /v1/stream/gate', () => {
      server.answer(own, { status: 404, json: { code: 'NotFound' } })
      return { json: {} }
    })
    await page.goto('/ui/stream/gate/info')
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Gate')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(dialog.getByLabel('Also delete its archive')).toBeChecked()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page).toHaveURL('/ui/streams')
    expect(server.calls.filter((call) => call.startsWith('DELETE'))).toEqual(['DELETE /v1/stream/gate?purge=true'])
  })

  test(
    'shares on a press only: link, QR code, and a withdrawal that asks first',
    { tag: '@long' },
    async ({ page, server, context }) => {
      await context.grantPermissions(['clipboard-write'])
      server.answer('GET /v1/stream/gate/share', {
        json: { url: '/ui/stream/gate/view#token=secret', token: 'secret' },
      })
      server.answer('DELETE /v1/stream/gate/share', { status: 204 })
      await page.goto('/ui/stream/gate/info')
      const share = page.getByRole('region', { name: 'Share' })
      await expect(share).toBeVisible()
      expect(server.count('GET /v1/stream/gate/share')).toBe(0)
      await share.getByRole('button', { name: 'Share' }).click()
      const link = new URL('/ui/stream/gate/view#token=secret', page.url()).href
      await expect(share.getByLabel('Link')).toHaveValue(link)
      await expect(share.getByRole('img', { name: 'QR code' })).toBeVisible()
      await share.getByRole('button', { name: 'Copy' }).click()
      await expect(share.getByRole('button', { name: 'Copied' })).toBeVisible()
      await page.keyboard.press('ControlOrMeta+K')
      const palette = page.getByRole('combobox')
      await palette.press('ControlOrMeta+V')
      await expect(palette).toHaveValue(link)
      await palette.press('Escape')
      await expect(palette).toHaveCount(0)
      await expectAccessible(page)
      await share.getByRole('button', { name: 'Withdraw' }).click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog).toContainText('stop working immediately')
      await dialog.getByRole('button', { name: 'Withdraw' }).click()
      await expect(share.getByLabel('Link')).toHaveCount(0)
      expect(server.count('DELETE /v1/stream/gate/share')).toBe(1)
    },
  )
})

test.describe('stream settings', () => {
  test('saves everything as the contract has it, and says so', async ({ page, server, problems }) => {
    server.answer('PUT /v1/stream/gate', (request) => ({ json: { ...gate, ...request.postDataJSON() } }))
    await page.goto('/ui/stream/gate/setting')
    await expect(page.getByText('*** hides the login and password')).toBeVisible()
    await page.getByLabel('Name').fill('North gate')
    await page.getByLabel('Location').fill('Fence')
    await page.getByLabel('Tags').fill('fence')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove tag doors' }).click()
    await page.getByRole('radio', { name: 'Blue' }).check()
    await page.getByRole('button', { name: '1 week' }).click()
    await page.getByLabel('On demand').check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(notices(page).getByText('Stream settings has been saved')).toBeVisible()
    expect(server.bodies.at(-1)).toEqual({
      call: 'PUT /v1/stream/gate',
      body: {
        name: 'North gate',
        streamSource: 'rtsp://***@10.0.0.4:554/gate',
        tags: ['north', 'fence'],
        location: { name: 'Fence' },
        archive: { isEnable: true, depthHours: 168 },
        live: { onDemand: true },
        meta: { marker: '#0090ff' },
      },
    })
    expect(problems).toEqual([])
  })

  test('turns away who may only watch', { tag: '@long' }, async ({ page, server }) => {
    asViewer(server, { canAdmin: false })
    await page.goto('/ui/stream/gate/setting')
    await expect(page.getByRole('heading', { name: "You don't have access" })).toBeVisible()
    await expectAccessible(page)
  })
})

test('permissions: finds a user, gives rights, saves the whole list and shows what came back', async ({
  page,
  server,
  problems,
}) => {
  server.answer('GET /v1/stream/gate/permissions', { json: { permissions: [{ login: 'rob', canView: true }] } })
  server.answer('GET /v1/system/search', { json: { users: [{ name: 'zoe' }, { name: 'rob' }] } })
  server.answer('POST /v1/stream/gate/permissions', {
    json: { permissions: [{ login: 'zoe', canView: true, canViewArchive: true }] },
  })
  await page.goto('/ui/stream/gate/permission')
  await expect(page.getByRole('checkbox', { name: 'Live: rob' })).toBeChecked()
  await page.getByRole('combobox', { name: 'Login' }).fill('zo')
  await page.getByRole('option', { name: 'zoe' }).click()
  await page.getByRole('checkbox', { name: 'Archive: zoe' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove rob' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row')).toHaveCount(2)
  expect(server.bodies.at(-1)).toEqual({
    call: 'POST /v1/stream/gate/permissions',
    body: { permissions: [{ login: 'zoe', canView: true, canViewArchive: true, canAdmin: false }] },
  })
  server.answer('POST /v1/stream/gate/permissions', {
    status: 400,
    json: { code: 'ValidationError', details: { 'permissions.1.login': 'Unknown login' } },
  })
  await page.getByRole('combobox', { name: 'Login' }).fill('zz')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('zz: There is no such user')).toBeVisible()
  expect(problems).toEqual([])
})

test('debug: tails the log after the last line, filters, pauses and keeps its scroll position', async ({
  page,
  server,
  problems,
}) => {
  const line = (id: number) => ({
    id: String(id),
    time: '2026-10-01T08:00:00.000Z',
    level: id % 2 === 0 ? 'error' : 'info',
    message: `message ${id}`,
  })
  let newest = 200
  server.answer('GET /v1/stream/gate/logs', (request) => {
    const after = Number(new URL(request.url()).searchParams.get('after') ?? 0)
    return { json: { items: Array.from({ length: newest - after }, (_, index) => line(after + index + 1)) } }
  })
  await page.goto('/ui/stream/gate/debug')
  const log = page.getByRole('log', { name: 'Log' })
  await expect(log.getByText('message 200', { exact: true })).toBeInViewport()
  await expect.poll(() => server.calls.filter((call) => call.endsWith('/logs?after=200')).length).toBeGreaterThan(0)
  await log.evaluate((element) => (element.scrollTop = 0))
  await expect(page.getByRole('button', { name: 'Newest' })).toBeVisible()
  newest = 205
  await expect(page.getByText('205 lines')).toBeVisible()
  await expect(log.getByText('message 1', { exact: true })).toBeInViewport()
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(log.getByText('message 205', { exact: true })).toBeInViewport()
  await page.getByLabel('Filter').fill('message 20')
  await page.getByLabel('Level').selectOption('error')
  await expect(log.getByRole('listitem')).toHaveCount(4)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('Gate.log')
  expect(problems).toEqual([])
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `fits a narrow screen in Russian, ${colorScheme}`,
    { tag: colorScheme === 'dark' ? '@long' : [] },
    async ({ page, server }) => {
      server.answer('GET /v1/stream/gate/logs', {
        json: { items: [{ id: '1', time: '2026-10-01T08:00:00.000Z', level: 'info', message: 'Connected' }] },
      })
      server.answer('GET /v1/stream/gate/permissions', { json: { permissions: [{ login: 'rob', canView: true }] } })
      server.answer('GET /v1/user', { json: { name: 'ann', language: 'ru', isAdmin: true, maxStreamCreation: -1 } })
      await page.setViewportSize({ width: 390, height: 844 })
      await page.emulateMedia({ colorScheme })
      for (const path of [
        'stream/gate/info',
        'stream/gate/setting',
        'stream/gate/permission',
        'stream/gate/debug',
        'add-stream',
      ]) {
        await page.goto(`/ui/${path}`)
        await expect(page.getByRole('heading', { level: 1 }).last()).toBeVisible()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
        await expectAccessible(page)
      }
    },
  )
}
