import { expect } from 'playwright/test'
import { createGuard } from '../../tests/server/fixtures/guard.ts'
import { ownServer } from '../own-server.ts'
import { layoutFindings } from '../screens/setup.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { startNetworkCamera } from './onvif-network.ts'
import { administrator } from './session.ts'

const server = ownServer(10, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })

test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

const credentials = { login: 'ann', password: 'p@ss:w/rd' }
const buttons = {
  en: { connect: 'Connect to 1 camera', proceed: 'Continue with 1 camera' },
  ru: { connect: 'Подключиться к 1 камере', proceed: 'Продолжить: 1 камера' },
}

for (const look of looks) {
  const { language } = look
  const tag = language === 'en' ? [] : '@long'

  test(
    `a camera of the network is found, opened and added with both its streams, in ${language}`,
    { tag },
    async ({ browser }) => {
      // A camera that refuses is an answer of 400, which browsers report by themselves.
      const visited = await visit(browser, server.address, look, /status of 40[01]/)
      const { context, page, t, field, press, signIn, expectClean } = visited
      const name = `Gate ${language} ${process.pid}`
      const guard = createGuard({
        username: credentials.login,
        password: credentials.password,
        kind: 'MD5',
        qop: 'auth',
      })
      const camera = await startNetworkCamera(name, { ...credentials, guard })
      try {
        await signIn(administrator.name, administrator.password)
        await page.goto('/ui/add-stream')
        await press('Find cameras')
        await expect(page.getByRole('progressbar', { name: t('Searching for cameras') })).toBeVisible()
        await expect(page.getByRole('button', { name: t('Search again') })).toBeVisible()
        const listed = camera.isAnnounced ? name : camera.host
        if (!camera.isAnnounced) {
          await field('Address of another camera').fill(`${camera.host}:${camera.port}`)
          await press('Add to the list')
        } else {
          const box = page.getByRole('checkbox', { name })
          await box.focus()
          await page.keyboard.press('Space')
          await expect(box).toBeChecked()
        }
        const row = page.locator('tbody tr').filter({ hasText: listed })
        await field('Login').fill(credentials.login)
        await field('Password').fill('wrong')
        await page.getByRole('button', { name: buttons[language].connect }).click()
        await expect(row).toContainText(t("The camera doesn't accept this login and password."))
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()
        await field('Password').fill(credentials.password)
        await page.keyboard.press('Enter')
        await expect(row).toContainText(`${t('Main stream')}: H.265, 2560×1440`)
        await expect(row).toContainText(`${t('Substream')}: H.264, 640×360`)
        await expect
          .poll(() => row.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
          .toBeGreaterThan(100)
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()
        await page.getByRole('button', { name: buttons[language].proceed }).click()
        await expect(field('Stream source')).toHaveValue(`rtsp://${camera.host}:554/main?a=1&b=2`)
        await expect(field('Substream')).toHaveValue(`rtsp://${camera.host}:554/sub`)
        await expectClean()
        await press('Add stream')
        await expect(page).toHaveURL(/\/ui\/stream\/[^/]+\/view/)

        await page.goto('/ui/add-stream')
        await press('Find cameras')
        if (camera.isAnnounced) await expect(row.locator('td').nth(2).getByRole('link')).toHaveText(name)
        await expectClean()
      } finally {
        await context.close()
        camera.stop()
      }
    },
  )
}
