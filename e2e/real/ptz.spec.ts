import { type Locator, expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { looks, visit } from './journey.ts'
import { startControlledCamera } from './onvif-camera.ts'
import { administrator } from './session.ts'

const server = ownServer(12, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })
test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

const middleOf = async (button: Locator): Promise<readonly [x: number, y: number]> => {
  const box = await button.boundingBox()
  if (box === null) throw new Error('no button')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

for (const look of looks) {
  test(`a camera is turned by pointer and keys, stops on release, and goes to presets, in ${look.language}`, async ({
    browser,
  }) => {
    const camera = await startControlledCamera()
    const { context, page, t, signIn, expectNoProblems, expectClean } = await visit(browser, server.address, look)
    const { commands, presets, until } = camera.control
    /** Lets go of what is pressed: the console stops the camera, which made one move until then. */
    const release = async (move: string, letGo: () => Promise<unknown>): Promise<void> => {
      await until(() => commands.length > 0)
      const stopped = page.waitForResponse((answer) => answer.request().postData() === '{"stop":true}')
      await letGo()
      expect((await stopped).status()).toBe(200)
      expect(commands.at(-1)).toBe('stop')
      expect(new Set(commands.splice(0))).toEqual(new Set([move, 'stop']))
    }
    try {
      await signIn(administrator.name, administrator.password)
      const created = await page.request.post('/v1/stream', {
        headers: { origin: server.address },
        data: { name: 'Dome', streamSource: 'demo:gate', onvif: { url: camera.url, profile: '' } },
      })
      const { uid } = await created.json()
      const abilities = async () => (await (await page.request.get(`/v1/stream/${uid}`)).json()).ptz
      await expect.poll(abilities).toEqual({ move: true, zoom: true, presets: true, home: true })
      await page.goto(`/ui/stream/${uid}/view`)
      const player = page.getByRole('region', { name: t('Player') })
      const isNarrow = look.viewport.width < 616
      const opener = player.getByRole('button', { name: t(isNarrow ? 'Show more' : 'PTZ'), exact: true })
      await opener.click()
      if (isNarrow) await page.getByRole('menuitem', { name: t('PTZ') }).click()
      const pad = page.getByRole('region', { name: t('PTZ') })
      await expect(pad).toBeFocused()
      await expectClean()

      await page.mouse.move(...(await middleOf(pad.getByRole('button', { name: t('Right'), exact: true }))))
      await page.mouse.down()
      await until(() => commands.length > 1)
      await release('move 0.5 0 0', () => page.mouse.up())
      await page.mouse.move(...(await middleOf(pad.getByRole('button', { name: t('Up and left'), exact: true }))))
      await page.mouse.down()
      const besides = await middleOf(pad.getByRole('heading', { name: t('PTZ') }))
      await release('move -0.5 0.5 0', () => page.mouse.move(...besides))
      await page.mouse.up()
      await pad.getByRole('button', { name: t('Optical zoom −') }).focus()
      await page.keyboard.down('Enter')
      await release('move 0 0 -0.5', () => page.keyboard.up('Enter'))
      await pad.getByLabel(t('Speed'), { exact: true }).fill('1')
      await pad.focus()
      await page.keyboard.down('ArrowUp')
      await release('move 0 1 0', () => page.keyboard.up('ArrowUp'))

      await pad.getByRole('button', { name: 'Gate', exact: true }).click()
      await until(() => commands.includes('preset 1'))
      await pad.getByRole('button', { name: t('Home position') }).click()
      await until(() => commands.includes('home'))
      const name = pad.getByLabel(t('Name of a new preset'))
      await name.fill('Yard')
      await name.press('Enter')
      await expect(pad.getByRole('button', { name: 'Yard', exact: true })).toBeVisible()
      await expectClean()
      await pad.getByRole('button', { name: t('Delete the preset {words}', { words: 'Yard' }) }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: t('Delete'), exact: true })
        .click()
      await expect(pad.getByRole('button', { name: 'Yard', exact: true })).toHaveCount(0)
      expect([...presets.values()]).toEqual(['Gate'])

      await pad.focus()
      await page.keyboard.press('Escape')
      await expect(pad).toHaveCount(0)
      await expect(opener).toBeFocused()
      expectNoProblems()
    } finally {
      await context.close()
      camera.stop()
    }
  })
}
