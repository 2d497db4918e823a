import { expect } from 'playwright/test'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { readingThat } from './frame-strip.ts'
import { signIn } from './session.ts'
import { h264, startStripCamera } from './strip-camera.ts'

const server = ownServer(24, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })
/** Longer than a live playlist: until the interruption has left it. */
const watchedSeconds = 24

test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

test('a camera that was away for a moment is live again, and stays so', async ({ page }) => {
  const camera = await startStripCamera(h264(50))
  let loads = 0
  page.on('request', (request) => {
    if (request.url().includes('/archive/index.m3u8')) loads += 1
  })
  try {
    const origin = await signIn(page)
    const headers = { origin }
    const data = { name: 'Yard', streamSource: camera.address }
    const { uid } = await (await page.request.post('/v1/stream', { headers, data })).json()
    const statusOf = async () => (await (await page.request.get(`/v1/stream/${uid}`)).json()).status
    await page.goto(`/ui/stream/${uid}/view`)
    await readingThat(page, () => true)
    camera.lose()
    await expect.poll(statusOf).not.toBe('running')
    const lostAt = Date.now()
    camera.comeBack()
    const back = await readingThat(page, ({ frame }) => frame > lostAt)
    const before = loads
    for (let seconds = 4; seconds <= watchedSeconds; seconds += 4)
      await readingThat(page, ({ frame }) => frame > back.frame + seconds * 1000)
    expect(loads - before).toBe(0)
  } finally {
    camera.stop()
  }
})
