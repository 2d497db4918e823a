import { expect } from 'playwright/test'
import { oldest } from '../../scripts/oldest-browsers.ts'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { tooNewNames } from '../../tests/browsers/compat.ts'
import { answerClip, answerRecorded, colourAt, shownIn } from './clip.ts'
import { answerPreviews } from './stream-fixture.ts'

const versions = `Chrome ${oldest.chrome}, Edge ${oldest.edge}, Firefox ${oldest.firefox}, Safari ${oldest.safari}, iOS ${oldest.safari_ios}.`

for (const missing of ['Set.prototype.union', 'AbortSignal.any']) {
  test(`a browser without ${missing} shows which one is needed, in both languages`, async ({ page, problems }) => {
    await page.addInitScript((name) => {
      if (name === 'AbortSignal.any') Reflect.deleteProperty(AbortSignal, 'any')
      else Reflect.deleteProperty(Set.prototype, 'union')
    }, missing)
    await page.goto('/ui/')
    const alert = page.getByRole('alert')
    await expect(alert.getByRole('heading', { name: 'This browser is too old' })).toBeVisible()
    await expect(alert.getByRole('heading', { name: 'Этот браузер устарел' })).toBeVisible()
    await expect(alert.getByText(versions)).toHaveCount(2)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    expect(problems).toEqual([])
  })
}

test('a Chromium without anything that the oldest browsers lack plays the archive and live', async ({
  page,
  server,
  problems,
}) => {
  server.answer('GET /v1/stream/gate', { json: gate })
  server.answer('GET /v1/streams', { json: { items: [gate], page: 1, pageSize: 50, total: 1 } })
  answerRecorded(server, gate.uid, { from: Date.now() - 3_600_000, to: Date.now() })
  answerClip(server, gate.uid)
  await answerPreviews(page, server)
  await page.addInitScript((names) => {
    for (const [owner = '', member = owner] of names.map((name) => name.split('.'))) {
      const constructor = owner === member ? globalThis : Reflect.get(globalThis, owner)
      for (const holder of [constructor, constructor?.prototype, owner === 'Window' && globalThis])
        if (holder instanceof Object) Reflect.deleteProperty(holder, member)
    }
  }, tooNewNames())
  await page.goto('/ui/streams')
  await expect(page.getByRole('link', { name: gate.name }).first()).toBeVisible()
  expect(await page.evaluate(() => [typeof Map.prototype.getOrInsertComputed, 'navigation' in globalThis])).toEqual([
    'undefined',
    false,
  ])
  for (const query of ['', `?at=${new Date(Date.now() - 1_800_000).toISOString()}`]) {
    await page.goto(`/ui/stream/gate/view${query}`)
    const shownAt = async () => (await shownIn(page))?.at
    await expect.poll(shownAt).toBeDefined()
    const first = (await shownAt()) ?? Infinity
    await expect.poll(shownAt).toBeGreaterThan(first + 400)
    const isTrue = async () => {
      const shown = await shownIn(page)
      return shown !== null && shown.colour === colourAt(shown.at)
    }
    await expect.poll(isTrue).toBe(true)
  }
  expect(problems).toEqual([])
})

test.describe('the player of a phone', () => {
  test.beforeEach(async ({ page, server }) => {
    server.answer('GET /v1/stream/gate', { json: gate })
    answerRecorded(server, gate.uid, { from: Date.now() - 3_600_000, to: Date.now() })
    answerClip(server, gate.uid)
    await answerPreviews(page, server)
  })

  test('fills the screen with its video, has no volume and no floating picture, and mutes', async ({
    page,
    problems,
  }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(Element.prototype, 'requestFullscreen')
      Reflect.deleteProperty(HTMLVideoElement.prototype, 'requestPictureInPicture')
      Object.defineProperty(HTMLMediaElement.prototype, 'volume', { get: () => 1, set() {} })
      HTMLVideoElement.prototype.webkitEnterFullscreen = function () {
        this.dispatchEvent(new Event('webkitbeginfullscreen'))
      }
      HTMLVideoElement.prototype.webkitExitFullscreen = function () {
        this.dispatchEvent(new Event('webkitendfullscreen'))
      }
    })
    await page.goto('/ui/stream/gate/view')
    const player = page.getByRole('region', { name: 'Player' })
    const full = player.getByRole('button', { name: 'Full screen' })
    await full.click()
    await expect(full).toHaveAttribute('aria-pressed', 'true')
    await full.click()
    await expect(full).toHaveAttribute('aria-pressed', 'false')
    await expect(player.getByRole('slider', { name: 'Volume' })).toHaveCount(0)
    await expect(player.getByRole('button', { name: 'Picture in picture' })).toHaveCount(0)
    await expect(player.locator('video')).toHaveAttribute('disablepictureinpicture', '')
    const video = player.locator('video')
    await player.getByRole('button', { name: 'Mute' }).click()
    await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.muted)).toBe(true)
    expect(problems).toEqual([])
  })

  test('has no full screen where nothing can fill it', async ({ page }) => {
    await page.addInitScript(() => void Reflect.deleteProperty(Element.prototype, 'requestFullscreen'))
    await page.goto('/ui/stream/gate/view')
    const player = page.getByRole('region', { name: 'Player' })
    await expect(player.getByRole('slider', { name: 'Volume' })).toBeVisible()
    await expect(player.getByRole('button', { name: 'Full screen' })).toHaveCount(0)
  })
})
