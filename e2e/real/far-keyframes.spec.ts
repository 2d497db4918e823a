import { expect } from 'playwright/test'
import { problemsOf } from '../problems.ts'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { readingThat } from './frame-strip.ts'
import { signIn } from './session.ts'
import { h264, startStripCamera } from './strip-camera.ts'

const server = ownServer(8, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })
const keyframeSeconds = 4

test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

test('without HTTPS far keyframes are played by parts, one after the other, and no request waits', async ({ page }) => {
  const problems = problemsOf(page)
  const camera = await startStripCamera(h264(25 * keyframeSeconds))
  const numbers: number[] = []
  const waiting: string[] = []
  page.on('request', (request) => {
    const number = /\/archive\/part\/(\d+)\.m4s/.exec(request.url())?.[1]
    if (number !== undefined) numbers.push(Number(number))
    if (request.url().includes('_HLS_')) waiting.push(request.url())
  })
  try {
    const origin = await signIn(page)
    const created = await page.request.post('/v1/stream', {
      headers: { origin },
      data: { name: 'Yard', streamSource: camera.address },
    })
    const { uid } = await created.json()
    await page.goto(`/ui/stream/${uid}/view`)
    const first = await readingThat(page, () => true)
    const last = await readingThat(page, ({ frame }) => frame > first.frame + 3 * keyframeSeconds * 1000)
    // What a picture took from the camera into the recording is the same for all.
    expect(Math.abs(last.shown - last.frame - (first.shown - first.frame))).toBeLessThan(1000)
    expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.buffered.length)).toBe(1)
    const inOrder = [...new Set(numbers)].toSorted((a, b) => a - b)
    expect(inOrder.length).toBeGreaterThan(8 * keyframeSeconds)
    expect(inOrder).toEqual(inOrder.map((_, index) => (inOrder[0] ?? 0) + index))
    expect({ waiting, problems }).toEqual({ waiting: [], problems: [] })
  } finally {
    camera.stop()
  }
})
