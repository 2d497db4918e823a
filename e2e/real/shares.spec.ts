import { expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { failedRequests } from '../problems.ts'
import { signInAs } from '../screens/setup.ts'
import { test } from '../test.ts'
import { readingThat } from './frame-strip.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'

const server = ownServer(15, { args: ['--no-demo'] })
const second = 1000
/** The stream, and what of its archive is shared, in epoch milliseconds. */
const shared = { uid: '', from: 0, to: 0 }
const time = (at: number) => new Date(at).toISOString()

test.use({ baseURL: server.address })
test.beforeAll(async ({ playwright }) => {
  await server.start()
  const admin = await playwright.request.newContext({ baseURL: server.address })
  await signInAs(admin, server.address, administrator)
  const headers = { origin: server.address }
  const data = { name: 'Gate', streamSource: 'demo:gate', archive: { isEnable: true, depthHours: 1 } }
  shared.uid = (await (await admin.post('/v1/stream', { headers, data })).json()).uid
  const begun = Date.now() - 60 * second
  /** The start of the first fragment, and how long the archive is since. */
  const recorded = async (): Promise<number> => {
    const query = new URLSearchParams({ start_time: time(begun), end_time: time(Date.now()) })
    const { ranges } = await (await admin.get(`/v1/stream/${shared.uid}/archive/ranges?${query}`)).json()
    const first = ranges.findIndex(({ status }: { status: number }) => status !== 0)
    if (first === -1) return 0
    shared.from = Math.ceil(Date.parse(ranges[first].date) / second) * second + 4 * second
    shared.to = shared.from + 8 * second
    return Date.parse(ranges[first + 1]?.date ?? time(Date.now())) - shared.to
  }
  await expect.poll(recorded, { timeout: 120_000 }).toBeGreaterThan(4 * second)
  await admin.dispose()
})
test.afterAll(() => server.dispose())

for (const look of looks) {
  test(`a range of the archive is shared with a password until an expiry, in ${look.language}`, async ({ browser }) => {
    const { uid, from, to } = shared
    const admin = await visit(browser, server.address, look)
    const { page, t, field, press } = admin
    await admin.signIn(administrator.name, administrator.password)
    await page.goto(`/ui/stream/${uid}/view?at=${time(from)}&in=${time(from)}&out=${time(to)}`)
    await page
      .getByRole('region', { name: t('Selection') })
      .getByRole('button', { name: t('Share') })
      .click()
    const panel = page.getByRole('region', { name: t('Share'), exact: true })
    const [offered = ''] = t(
      'Only users who are signed in can watch this stream. A public link will show the archive from {start} to {end}, ' +
        'without live video.',
      { start: '…' },
    ).split('…')
    await expect(panel).toContainText(offered)
    await press('Share')
    await field('Expires').selectOption('week')
    await field('Password of the link').fill('gate code 7')
    await expect(field('Live video, too')).not.toBeChecked()
    await press('Save')
    await expect(field('Expires')).toHaveValue('kept')
    await admin.expectClean()
    const link = await field('Link').inputValue()

    const visitor = await visit(browser, server.address, look, failedRequests)
    await visitor.page.goto(link)
    await expect(visitor.page.getByRole('heading', { name: t('This link has a password') })).toBeVisible()
    await visitor.expectClean()
    await visitor.field('Password').fill('gate code 8')
    await visitor.press('Watch')
    await expect(visitor.field('Password')).toHaveAccessibleDescription(new RegExp(t('Wrong password')))
    await visitor.field('Password').fill('gate code 7')
    await visitor.press('Watch')
    const player = visitor.page.getByRole('region', { name: t('Player') })
    await expect(player).toHaveAttribute('data-view-mode', 'archive')
    await readingThat(visitor.page, ({ frame }) => frame > from + 2 * second && frame < to)
    await expect(player.getByRole('button', { name: t('Go live') })).toHaveCount(0)
    await visitor.expectClean()
    // Beyond the range there is nothing.
    await visitor.page.goto(`/ui/stream/${uid}/view?at=${time(to + 2 * second)}`)
    await readingThat(visitor.page, ({ frame }) => frame >= from - 4 * second && frame < to)

    const expiry = {
      startTime: time(from),
      endTime: time(to),
      password: '***',
      expireTime: time(Date.now() + 10 * second),
    }
    const headers = { origin: server.address }
    expect((await page.request.put(`/v1/stream/${uid}/share`, { headers, data: expiry })).ok()).toBe(true)
    await expect(visitor.page.getByRole('heading', { name: t('This link was withdrawn') })).toBeVisible()
    await visitor.expectClean()
    await page.reload()
    await expect(panel.getByRole('button', { name: t('Share'), exact: true })).toBeVisible()
    admin.expectNoProblems()
    await Promise.all([admin.context.close(), visitor.context.close()])
  })
}
