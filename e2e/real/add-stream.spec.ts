import { type Page, expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { layoutFindings } from '../screens/setup.ts'
import { test } from '../test.ts'
import { startHttpCamera } from './http-camera.ts'
import { looks, visit } from './journey.ts'
import { administrator } from './session.ts'

const server = ownServer(16, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })

test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

const picture = (size: string) => () =>
  `-f lavfi -i testsrc2=s=${size}:r=10 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 10`.split(' ')

const addOne = { en: 'Add 1 stream', ru: 'Добавить 1 поток' }

/** The button of the form; the header has a link to the page of the same name. */
const submit = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()

for (const look of looks) {
  const { language } = look

  test(
    `a camera is added by its address with a substream, and others from a list, in ${language}`,
    { tag: '@long' },
    async ({ browser }) => {
      // A source that doesn't answer is an answer of 400, which browsers report by themselves.
      const visited = await visit(browser, server.address, look, /status of 40[01]/)
      const { context, page, t, field, press, signIn, expectClean } = visited
      const main = await startHttpCamera(picture('640x360'))
      const substream = await startHttpCamera(picture('320x180'))
      try {
        await signIn(administrator.name, administrator.password)
        await page.goto('/ui/add-stream')
        await field('Stream source').fill('192.0.2.7')
        const usual = page.getByRole('group', { name: t('Default addresses by manufacturer') })
        await page.getByText(t('Default addresses by manufacturer')).first().click()
        await usual.getByRole('button', { name: 'Hikvision' }).click()
        await expect(field('Stream source')).toHaveValue('rtsp://192.0.2.7:554/Streaming/Channels/101')
        await expect(field('Substream')).toHaveValue('rtsp://192.0.2.7:554/Streaming/Channels/102')
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()

        await field('Stream source').fill('http://127.0.0.1:9/')
        await field('Substream').fill('')
        await press('Probe')
        await expect(
          page.getByText(t("Nothing answers at this address. Check the address, and the camera's power and network.")),
        ).toBeVisible()
        await expectClean()
        await field('Stream source').fill(main.address.replace('//', '//ann:secret@'))
        await expect(field('Stream source')).toHaveValue(main.address)
        await expect(field('Login')).toHaveValue('ann')
        await expect(field('Password')).toHaveValue('secret')
        await field('Substream').fill(substream.address)
        await press('Probe')
        await expect(page.getByText(/H\.264, 640×360/)).toBeVisible()
        await expect(page.getByText(/H\.264, 320×180/)).toBeVisible()
        await expect(page.getByRole('img', { name: t('Picture of the source') })).toBeVisible()
        await expect(page.getByRole('img', { name: t('Picture of the substream') })).toBeVisible()
        const name = `Yard ${language}`
        await field('Name').fill(name)
        await field('Record an archive').check()
        await press('1 week')
        await expect(field('Archive depth, hours')).toHaveValue('168')
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()
        await submit(page, t('Add stream'))
        await expect(page).toHaveURL(/\/ui\/stream\/[^/]+\/view/)
        const video = page.getByRole('region', { name: t('Player') }).locator('video')
        const isShown = () => video.evaluate((one: HTMLVideoElement) => one.readyState >= one.HAVE_CURRENT_DATA)
        await expect.poll(isShown).toBe(true)

        await page.goto('/ui/add-stream')
        await press('Several at once')
        const rows = page.locator('tbody tr')
        await field('List of streams').first().fill(`Door ${language};${main.address};north|yard\nHall;nowhere;`)
        await expect(rows).toHaveCount(2)
        await expect(rows.nth(1)).toContainText(t('Enter an address like rtsp://camera.example/stream'))
        expect(await layoutFindings(page)).toEqual([])
        await expectClean()
        await submit(page, addOne[language])
        await expect(rows.first().getByRole('link', { name: t('Added') })).toBeVisible()
        await expectClean()
        const { items } = await (await page.request.get('/v1/streams')).json()
        const added = items.filter((stream: { name: string }) => stream.name.endsWith(language))
        expect(added.map((stream: { name: string }) => stream.name).toSorted()).toEqual([`Door ${language}`, name])
      } finally {
        await context.close()
        main.stop()
        substream.stop()
      }
    },
  )
}
