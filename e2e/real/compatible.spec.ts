import { type Page, expect } from 'playwright/test'
import { problemsOf } from '../problems.ts'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { type Reading, readingThat } from './frame-strip.ts'
import { h265, startStripCamera } from './strip-camera.ts'
import { openAt, signIn } from './session.ts'

const server = ownServer(7, { args: ['--no-demo'], env: { ALLOW_LOOPBACK_SOURCES: '1' } })

test.use({ baseURL: server.address })
test.beforeAll(() => server.start())
test.afterAll(() => server.dispose())

const frameMs = 40
/** How long a picture took from the camera into the recording: the same for all of one connection. */
const lagOf = ({ frame, shown }: Reading): number => shown - frame

/** Readings of three pictures on the screen, one after the other. */
async function readings(page: Page, wanted: (reading: Reading) => boolean): Promise<Reading[]> {
  const found: Reading[] = []
  while (found.length < 3)
    found.push(await readingThat(page, (one) => one.frame > (found.at(-1)?.frame ?? 0) && wanted(one)))
  return found
}

test(
  'an H.265 camera is shown as a compatible picture, live and from the archive, at the right time',
  { tag: '@long' },
  async ({ page }) => {
    const problems = problemsOf(page)
    const camera = await startStripCamera(h265)
    try {
      const origin = await signIn(page)
      const created = await page.request.post('/v1/stream', {
        headers: { origin },
        data: { name: 'Yard', streamSource: camera.address, archive: { isEnable: true, depthHours: -1 } },
      })
      const { uid } = await created.json()
      const stream = async () => (await page.request.get(`/v1/stream/${uid}`)).json()
      await expect.poll(async () => (await stream()).renditions).toEqual(['main', 'compatible'])

      const badge = page
        .getByRole('region', { name: 'Player' })
        .getByText("Transcoded video: this browser can't play H.265")
      await page.goto(`/ui/stream/${uid}/view`)
      await expect(badge).toBeVisible()
      const live = await readings(page, () => true)

      const at = live[0]?.shown ?? 0
      const transcoded: number[] = []
      page.on('request', (request) => {
        const start = /\/compatible\/.*?(\d+)\.m4s/.exec(request.url())?.[1]
        if (start !== undefined) transcoded.push(Number(start))
      })
      await openAt(page, uid, at)
      const archive = await readings(page, ({ shown }) => Math.abs(shown - at) < 60_000)
      await expect(badge).toBeVisible()
      // None is transcoded only to look for captions in it.
      expect(transcoded).toEqual(transcoded.toSorted((one, other) => one - other))
      const lags = [...live, ...archive].map(lagOf)
      expect(Math.max(...lags) - Math.min(...lags)).toBeLessThanOrEqual(2 * frameMs)
      expect(problems).toEqual([])
    } finally {
      camera.stop()
    }
  },
)
