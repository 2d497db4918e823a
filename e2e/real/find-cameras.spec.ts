import { expect } from 'playwright/test'
import { problemsOf } from '../problems.ts'
import { createGuard } from '../../tests/server/fixtures/guard.ts'
import { axeFindings } from '../axe.ts'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { startNetworkCamera } from './onvif-network.ts'
import { signIn } from './session.ts'

const server = ownServer(10, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })

test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

const credentials = { login: 'ann', password: 'p@ss:w/rd' }

test('a camera of the network is found, opened and added with both its streams', async ({ page }) => {
  // A camera that refuses is an answer of 400, which browsers report by themselves.
  const problems = problemsOf(page, /status of 400/)
  const name = `Gate ${process.pid}`
  const guard = createGuard({ username: credentials.login, password: credentials.password, kind: 'MD5', qop: 'auth' })
  const camera = await startNetworkCamera(name, { ...credentials, guard })
  try {
    await signIn(page)
    await page.goto('/ui/add-stream')
    await page.getByRole('button', { name: 'Find cameras' }).click()
    await expect(page.getByRole('progressbar', { name: 'Searching for cameras' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible()
    const listed = camera.isAnnounced ? name : camera.host
    if (!camera.isAnnounced) {
      await page.getByLabel('Address of another camera').fill(`${camera.host}:${camera.port}`)
      await page.getByRole('button', { name: 'Add to the list' }).click()
    } else {
      const box = page.getByRole('checkbox', { name })
      await box.focus()
      await page.keyboard.press('Space')
      await expect(box).toBeChecked()
    }
    const row = page.getByRole('row').filter({ hasText: listed })
    await page.getByLabel('Login').fill(credentials.login)
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Connect to 1 camera' }).click()
    await expect(row).toContainText("The camera doesn't accept this login and password.")
    await page.getByLabel('Password', { exact: true }).fill(credentials.password)
    await page.keyboard.press('Enter')
    await expect(row).toContainText('Main stream: H.265, 2560×1440')
    await expect(row).toContainText('Substream: H.264, 640×360')
    await expect
      .poll(() => row.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(100)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue with 1 camera' }).click()
    await expect(page.getByLabel('Stream source')).toHaveValue(`rtsp://${camera.host}:554/main?a=1&b=2`)
    await expect(page.getByLabel('Substream')).toHaveValue(`rtsp://${camera.host}:554/sub`)
    await page.getByRole('button', { name: 'Add stream', exact: true }).click()
    await expect(page).toHaveURL(/\/ui\/stream\/[^/]+\/view/)

    await page.goto('/ui/add-stream')
    await page.getByRole('button', { name: 'Find cameras' }).click()
    if (camera.isAnnounced) {
      const added = page.getByRole('row').filter({ hasText: name }).getByRole('cell').nth(2)
      await expect(added.getByRole('link')).toHaveText(name)
    }
    expect(problems).toEqual([])
  } finally {
    camera.stop()
  }
})
