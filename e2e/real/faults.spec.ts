import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { isClockTrue, readFrame, readingThat } from './frame-strip.ts'
import { ownServer } from '../own-server.ts'
import { hour, openAt, regionOf, signIn, uidOf, waitForArchive } from './session.ts'

declare global {
  /** What the screen has shown during the seeks of a test; `black` and `looks` count animation frames. */
  var blackWatch: { black: number; looks: number; isOver: boolean }
}

const segments = /\/v1\/stream\/[^/]+\/.*\.(m4s|mp4)/
const playlists = /\/archive\/index\.m3u8/

/** Plays the archive from half an hour ago on, in small playlists, so that more of it is always still to be fetched. */
async function playing(page: Page, maxSeconds = 20): Promise<number> {
  await page.route('**/v1/system/internal/ui/settings', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), playlistMaxSeconds: maxSeconds } })
  })
  await signIn(page)
  const uid = await uidOf(page, 'Gate')
  const at = Math.floor((Date.now() - hour / 2) / 1000) * 1000
  await waitForArchive(page, uid, at)
  await openAt(page, uid, at)
  const { frame } = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > at)
  return frame
}

/**
 * The picture goes on from a moment, with nothing left out and nothing shown again but what a reload of a segment
 * costs.
 */
async function expectToGoOn(page: Page, from: number, slackMs = 6000): Promise<void> {
  const after = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > from)
  expect(after.frame - from).toBeLessThan(slackMs)
}

test('a range longer than one playlist goes on in the next without a jump', async ({ page }) => {
  let at = await playing(page, 6)
  const asked = new Set<string>()
  page.on('request', (request) => playlists.test(request.url()) && asked.add(request.url()))
  while (asked.size < 2) {
    const next = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > at)
    expect(next.frame - at).toBeLessThan(4500)
    at = next.frame
  }
})

test('playing goes over a gap to the frame after it, and says the time of that frame', async ({ page }) => {
  await signIn(page)
  const uid = await uidOf(page, 'Gate')
  const now = Date.now()
  for (const hours of [0.5, 2]) await waitForArchive(page, uid, now - hours * hour)
  const query = new URLSearchParams({
    start_time: new Date(now - 2.9 * hour).toISOString(),
    end_time: new Date(now - 60_000).toISOString(),
  })
  const gapIn = async () => {
    const { ranges } = await (await page.request.get(`/v1/stream/${uid}/archive/ranges?${query}`)).json()
    return ranges.flatMap(({ date, status }: { date: string; status: number }, index: number) => {
      const next = ranges[index + 1]
      return status === 0 && index > 0 && next !== undefined
        ? [{ from: Date.parse(date), to: Date.parse(next.date) }]
        : []
    })
  }
  await expect.poll(async () => (await gapIn()).length).toBeGreaterThan(0)
  const [gap] = await gapIn()
  await openAt(page, uid, gap.from - 8000)
  await readingThat(page, (reading) => isClockTrue(reading) && reading.frame < gap.from)
  const after = await readingThat(page, (reading) => isClockTrue(reading) && reading.frame >= gap.to - 40)
  expect(after.frame - gap.to).toBeLessThan(6000)
})

test('segments that are missing for a while are waited for', async ({ page }) => {
  const at = await playing(page)
  let refused = 0
  await page.route(segments, (route) => {
    refused += 1
    return route.fulfill({ status: 404, contentType: 'application/json', body: '{"code":"NotFound"}' })
  })
  await regionOf(page).getByRole('button', { name: 'Zoom in' }).focus()
  await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThan(0)
  await expect(
    regionOf(page)
      .getByRole('status')
      .filter({ hasText: /Waiting for the video|doesn't come/ }),
  ).toBeVisible({ timeout: 60_000 })
  const held = await readFrame(regionOf(page))
  await page.unroute(segments)
  await expectToGoOn(page, held?.frame ?? at)
})

test('a right that is taken away in mid-play is reported, and playing resumes where it stopped once it is back', async ({
  page,
}) => {
  const at = await playing(page)
  const refuse = '**/archive/**'
  await page.route(refuse, (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":"Forbidden"}' }),
  )
  const player = regionOf(page)
  await expect(player.getByRole('heading', { name: "You don't have access" })).toBeVisible({ timeout: 60_000 })
  const stopped = Date.parse(new URL(page.url()).searchParams.get('at') ?? '')
  expect(stopped).toBeGreaterThanOrEqual(at - 5000)
  await page.unroute(refuse)
  await player.getByRole('button', { name: 'Retry' }).click()
  await expectToGoOn(page, stopped - 3000, 8000)
})

test('a lost network is shown, and playing resumes at the same moment by itself', async ({ page, context }) => {
  await playing(page)
  await context.setOffline(true)
  const player = regionOf(page)
  await expect(player.getByRole('heading', { name: "The recording can't be loaded" })).toBeVisible({ timeout: 60_000 })
  const stopped = Date.parse(new URL(page.url()).searchParams.get('at') ?? '')
  await context.setOffline(false)
  await expectToGoOn(page, stopped - 3000, 8000)
  await expect(player.getByRole('heading', { name: "The recording can't be loaded" })).toBeHidden()
})

test('an expired session leads to signing in, and back to the same moment', async ({ page }) => {
  await playing(page)
  await page.request.post('/v1/sign-out', { headers: { origin: new URL(page.url()).origin } })
  await expect(page).toHaveURL(/\/ui\/auth/)
  await page.getByLabel('Login').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/view\?at=/)
  const at = Date.parse(new URL(page.url()).searchParams.get('at') ?? '')
  await expectToGoOn(page, at - 1000, 8000)
})

test('a server that is killed and started again: the archive resumes at the same moment, live at its edge', async ({
  browser,
}) => {
  const server = ownServer(1)
  try {
    await server.start()
    const page = await (
      await browser.newContext({ baseURL: server.address, viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
    ).newPage()
    await playing(page)
    await server.kill()
    const player = regionOf(page)
    await expect(player.getByRole('heading', { name: "The recording can't be loaded" })).toBeVisible({
      timeout: 60_000,
    })
    const stopped = Date.parse(new URL(page.url()).searchParams.get('at') ?? '')
    await server.start()
    await expectToGoOn(page, stopped - 3000, 8000)

    await player.getByRole('button', { name: 'Go live' }).click()
    await readingThat(page, (reading) => isClockTrue(reading) && Date.now() - reading.frame < 20_000)
    await server.kill()
    await expect(player.getByRole('heading', { name: 'No live picture' })).toBeVisible({ timeout: 60_000 })
    await server.start()
    await readingThat(page, (reading) => isClockTrue(reading) && Date.now() - reading.frame < 20_000)
    await page.context().close()
  } finally {
    await server.dispose()
  }
})

/** How many animation frames a segment is held back, so that the screen during a seek is checked in each of them. */
const framesOfSeek = 25

/** Runs in the page: resolves after so many animation frames. */
const framesDrawn = (count: number): Promise<void> =>
  new Promise((resolve) => {
    const next = (left: number) => (left === 0 ? resolve() : void requestAnimationFrame(() => next(left - 1)))
    next(count)
  })

test("a seek shows the last frame or the moment's picture, never black", async ({ page }) => {
  const at = await playing(page, 3600)
  for (const hours of [1, 1.5, 2]) await waitForArchive(page, await uidOf(page, 'Gate'), at - hours * hour)
  const player = regionOf(page)
  await page.route(segments, async (route) => {
    await page.evaluate(framesDrawn, framesOfSeek).catch(() => undefined)
    await route.continue().catch(() => undefined)
  })
  await player.evaluate((region) => {
    const state = { black: 0, looks: 0, isOver: false }
    globalThis.blackWatch = state
    const canvas = document.createElement('canvas')
    canvas.width = 8
    canvas.height = 8
    const pen = canvas.getContext('2d', { willReadFrequently: true })
    const look = () => {
      if (state.isOver || pen === null) return
      pen.clearRect(0, 0, 8, 8)
      for (const part of region.querySelectorAll<HTMLVideoElement | HTMLImageElement | HTMLCanvasElement>(
        'video, img, canvas[aria-hidden]',
      )) {
        const box = part.getBoundingClientRect()
        const picture = region.querySelector('video')?.getBoundingClientRect()
        if (picture === undefined || box.height < picture.height / 2 || part.checkVisibility() === false) continue
        pen.drawImage(part, 0, 0, 8, 8)
      }
      const { data } = pen.getImageData(0, 3, 8, 5)
      if (data.every((value, index) => index % 4 === 3 || value < 16)) state.black += 1
      state.looks += 1
      requestAnimationFrame(look)
    }
    look()
  })
  for (const back of [2, 1.5, 1]) {
    const wanted = at - back * hour
    await page.evaluate((moment) => {
      const url = new URL(location.href)
      url.searchParams.set('at', new Date(moment).toISOString())
      history.pushState(null, '', url)
    }, wanted)
    await readingThat(page, (reading) => isClockTrue(reading) && Math.abs(reading.frame - wanted) < 20 * 60_000)
  }
  const seen = await page.evaluate(() => {
    blackWatch.isOver = true
    return blackWatch
  })
  expect(seen.looks).toBeGreaterThan(20)
  expect(seen.black).toBe(0)
})

test('coming back from a hidden tab lands on the live edge', async ({ page }) => {
  await signIn(page)
  await page.goto(`/ui/stream/${await uidOf(page, 'Gate')}/view`)
  await readingThat(page, isClockTrue)
  const setHidden = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => value })
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => (value ? 'hidden' : 'visible'),
      })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await setHidden(true)
  const left = await readingThat(page, isClockTrue)
  await page.evaluate(() => document.querySelector('video')?.pause())
  await expect.poll(() => Date.now() - left.frame).toBeGreaterThan(14_000)
  await page.evaluate(() => document.querySelector('video')?.play())
  await setHidden(false)
  await readingThat(page, (reading) => isClockTrue(reading) && Date.now() - reading.frame < 8000)
})
