import { expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { startControlledCamera } from './onvif-camera.ts'
import { administrator, momentOf } from './session.ts'

const server = ownServer(15, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })

test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

for (const look of looks) {
  test(`an event of the camera itself is listed beside the timeline and on the page Events, in ${look.language}`, async ({
    browser,
  }) => {
    const camera = await startControlledCamera()
    const { context, page, t, press, signIn, expectClean } = await visit(browser, server.address, look)
    const name = `Door ${look.language}`
    try {
      await signIn(administrator.name, administrator.password)
      const created = await page.request.post('/v1/stream', {
        headers: { origin: server.address },
        data: {
          name,
          streamSource: 'demo:gate',
          archive: { isEnable: true, depthHours: 1 },
          onvif: { url: camera.url, profile: '' },
        },
      })
      const { uid } = await created.json()
      await page.goto(`/ui/stream/${uid}/view?span=600`)
      await expect.poll(() => momentOf(page, t('Player'))).toBeGreaterThan(0)
      await camera.control.until(({ calls }) => calls.includes('PullMessages'))
      await press('Events and recordings')
      const list = page.getByRole('complementary', { name: t('Events and recordings') })
      await list.getByRole('button', { name: t('Annotations'), exact: true }).click()
      await expect(list.getByText(t('No annotations in this period'))).toBeVisible()
      await expectClean()

      const at = Date.now() - 1000
      const states = [true, false].map((isOn) => ({
        topic: 'RuleEngine/CellMotionDetector/Motion',
        source: { VideoSourceConfigurationToken: 'C-V1', Rule: 'MyMotion' },
        data: { IsMotion: String(isOn) },
        time: isOn ? at : at + 600,
      }))
      camera.control.emit(...states)
      const event = list.getByRole('listitem').getByRole('button', { name: t('motion') })
      await expect(event).toBeVisible()
      await expectClean()

      await page.goto('/ui/events')
      const card = page
        .getByRole('list', { name: t('Events') })
        .getByRole('link')
        .filter({ hasText: name })
        .filter({ hasText: t('motion') })
      await expect(card).toHaveAttribute('href', new RegExp(`/stream/${uid}/view\\?at=`))
      await expectClean()
    } finally {
      await context.close()
      camera.stop()
    }
  })
}
