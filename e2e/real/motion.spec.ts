import { type Page, expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { signInAs } from '../screens/setup.ts'
import { test } from '../test.ts'
import { startHttpCamera } from './http-camera.ts'
import { looks, visit } from './journey.ts'
import { administrator, momentOf } from './session.ts'

const server = ownServer(13, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1', MOTION_INDEX: 'on' } })
const camera = { uid: '', recordedUntil: 0 }

/** A white box that moves in the upper left quarter of the picture for six seconds out of twenty. */
const movingBox =
  '-f lavfi -i color=c=0x505050:s=640x360:r=10[a];color=c=white:s=60x60:r=10[b];' +
  "[a][b]overlay=x='20+20*min(mod(t\\,20)\\,6)':y=20 " +
  '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 20 -keyint_min 20 -sc_threshold 0'

test.use({ baseURL: server.address })
test.beforeAll(async ({ playwright }) => {
  const source = await startHttpCamera(() => movingBox.split(' '))
  await server.start()
  const admin = await playwright.request.newContext({ baseURL: server.address })
  await signInAs(admin, server.address, administrator)
  const headers = { origin: server.address }
  const data = { name: 'Door', streamSource: source.address, archive: { isEnable: true, depthHours: -1 } }
  camera.uid = (await (await admin.post('/v1/stream', { headers, data })).json()).uid
  // The first frames may be older than the answer.
  const begun = Date.now() - 60_000
  const motion = async () => {
    const query = new URLSearchParams({ from: new Date(begun).toISOString(), to: new Date().toISOString() })
    return (await admin.get(`/v1/stream/${camera.uid}/archive/motion?${query}`)).json()
  }
  await expect.poll(async () => (await motion()).items.length, { timeout: 120_000 }).toBeGreaterThan(1)
  await admin.post(`/v1/stream/pause/${camera.uid}`, { headers })
  source.stop()
  // What was recorded last comes after the answer; until then it would be missing in the index, too.
  const logged = async () => {
    const { items } = await (await admin.get(`/v1/stream/${camera.uid}/logs`)).json()
    return items.map(({ message }: { message: string }) => message)
  }
  await expect.poll(logged, { timeout: 60_000 }).toContain('Stopped')
  const sources = async () => (await motion()).coverage.map((range: { source: string }) => range.source)
  await expect.poll(sources, { timeout: 120_000 }).toEqual(['picture'])
  camera.recordedUntil = Date.parse((await motion()).coverage[0].endTime)
  await admin.dispose()
})
test.afterAll(() => server.dispose())

/** Draws the area from one point of the picture to another, as fractions of it. */
async function drawArea(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  const box = await page.locator('[data-area]').locator('..').boundingBox()
  if (box === null) throw new Error('no picture')
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...at(from))
  await page.mouse.down()
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]))
  await page.mouse.move(...at(to))
  await page.mouse.up()
}

for (const look of looks) {
  test(`motion is searched in an area of the picture, listed with pictures and played, in ${look.language}`, async ({
    browser,
  }) => {
    const { context, page, t, press, signIn, expectClean } = await visit(browser, server.address, look)
    const moment = () => momentOf(page, t('Player'))
    await signIn(administrator.name, administrator.password)
    await page.goto(`/ui/stream/${camera.uid}/view?at=${new Date(camera.recordedUntil - 10_000).toISOString()}`)
    await expect.poll(() => moment()).toBeGreaterThan(0)
    await press('Search motion')
    const area = page.getByRole('application', { name: t('Search area') })
    await expect(area).toBeVisible()
    await expectClean()

    await drawArea(page, [0.6, 0.6], [0.95, 0.95])
    await press('Search')
    await expect(page.getByText(t('No motion found'))).toBeVisible()
    await expectClean()
    await press('Whole picture')
    await drawArea(page, [0.05, 0.05], [0.5, 0.5])
    await press('Search')
    const found = page.getByRole('list', { name: t('Motion found') }).getByRole('listitem')
    await expect(found.first()).toBeVisible()
    await expect
      .poll(() =>
        found
          .first()
          .locator('img')
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0)
    await expectClean()
    await area.focus()
    await page.keyboard.press('ArrowRight')
    await expect(found).toHaveCount(0)
    await press('Search')
    const before = await moment()
    await found.first().getByRole('button').first().click()
    await expect.poll(() => moment()).not.toBe(before)
    await expect(page.getByRole('region', { name: t('Player') })).toHaveAttribute('data-view-mode', 'archive')
    await expectClean()
    await found.first().getByRole('button').last().press('Enter')
    await expect(page.getByRole('region', { name: t('Selection') })).toBeVisible()
    await expect(page).toHaveURL(/[?&]in=.*&out=/)
    await expectClean()
    await context.close()
  })
}
