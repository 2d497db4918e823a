import { type Page, expect } from 'playwright/test'
import { test } from './fake-server.ts'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { answerClip, answerRecorded, colourAt, shownIn } from './clip.ts'
import { answerPreviews } from './stream-fixture.ts'

/**
 * Browsers differ in what they play unasked: `nothing` until somebody has pressed something, or no `sound` until then.
 */
const refuse = (page: Page, refused: 'nothing' | 'sound') =>
  page.addInitScript((what) => {
    const { play } = HTMLMediaElement.prototype
    // `navigator.userActivation` counts what the test evaluates.
    const pressed = { isPressed: false }
    addEventListener('pointerdown', () => Object.assign(pressed, { isPressed: true }), true)
    HTMLMediaElement.prototype.play = function () {
      if (pressed.isPressed || (what === 'sound' && this.muted)) return play.call(this)
      return Promise.reject(new DOMException('A gesture is required', 'NotAllowedError'))
    }
  }, refused)

test.beforeEach(async ({ page, server }) => {
  server.answer('GET /v1/stream/gate', { json: gate })
  answerRecorded(server, gate.uid, { from: Date.now() - 3_600_000, to: Date.now() })
  answerClip(server, gate.uid)
  await answerPreviews(page, server)
})

const shownAt = async (page: Page) => (await shownIn(page))?.at
const isTrue = async (page: Page) => {
  const shown = await shownIn(page)
  return shown !== null && shown.colour === colourAt(shown.at)
}

for (const { name, query } of [
  { name: 'live', query: () => '' },
  { name: 'archive', query: () => `?at=${new Date(Date.now() - 1_800_000).toISOString()}` },
]) {
  test(`where nothing may play unasked, ${name} waits for a press on Play`, async ({ page, problems }) => {
    await refuse(page, 'nothing')
    await page.goto(`/ui/stream/gate/view${query()}`)
    const play = page.getByRole('button', { name: 'Play', exact: true })
    await expect(play).toBeVisible()
    let before = Infinity
    const readBefore = async () => (before = (await shownAt(page)) ?? Infinity)
    await expect.poll(readBefore).toBeLessThan(Infinity)
    await expect(page.getByRole('region', { name: 'Player' }).getByRole('alert')).toHaveCount(0)
    await play.click()
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    await expect.poll(() => shownAt(page)).toBeGreaterThan(before + 400)
    await expect.poll(() => isTrue(page)).toBe(true)
    expect(problems).toEqual([])
  })
}

test('where no sound may play unasked, the picture plays without it', async ({ page, problems }) => {
  await page.addInitScript(() => localStorage.clear())
  await refuse(page, 'sound')
  await page.goto('/ui/stream/gate/view')
  await expect.poll(() => isTrue(page)).toBe(true)
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  expect(
    await page
      .locator('video')
      .first()
      .evaluate((video: HTMLVideoElement) => video.muted),
  ).toBe(true)
  expect(problems).toEqual([])
})
