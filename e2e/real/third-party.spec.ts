import { join } from 'node:path'
import { type Page, expect } from 'playwright/test'
import { test } from '../test.ts'
import { hour, signIn, uidOf, waitForArchive } from './session.ts'

test.use({ bypassCSP: true })

interface Hls {
  loadSource(url: string): void
  attachMedia(video: HTMLVideoElement): void
  on(event: string, listener: (name: string, data: { details: string; fatal: boolean }) => void): void
  readonly playingDate: Date | null
}

interface Played {
  fatal: string[]
  hls: Hls
}

declare global {
  interface Window {
    Hls: new () => Hls
    played: Played
  }
}

/**
 * Plays a playlist with hls.js on its own page, muted, and returns once frames come; then the time that it
 * shows.
 */
async function play(page: Page, url: string): Promise<{ date: () => Promise<number>; fatal: () => Promise<string[]> }> {
  await page.goto('/ui/help')
  await page.addScriptTag({ path: join(import.meta.dirname, '../../node_modules/hls.js/dist/hls.min.js') })
  await page.evaluate((source) => {
    const video = document.createElement('video')
    video.muted = true
    video.autoplay = true
    document.body.replaceChildren(video)
    const hls = new window.Hls()
    window.played = { fatal: [], hls }
    hls.on('hlsError', (_, { details, fatal }) => {
      if (fatal) window.played.fatal.push(details)
    })
    hls.loadSource(source)
    hls.attachMedia(video)
  }, url)
  await expect
    .poll(() => page.evaluate(() => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0))
    .toBeGreaterThan(25)
  return {
    date: () => page.evaluate(() => window.played.hls.playingDate?.getTime() ?? 0),
    fatal: () => page.evaluate(() => window.played.fatal),
  }
}

test('hls.js plays the live playlist at the present', async ({ page }) => {
  await signIn(page)
  const { date, fatal } = await play(page, `/v1/stream/${await uidOf(page, 'Yard')}/archive/index.m3u8`)
  expect(Math.abs(Date.now() - (await date()))).toBeLessThan(30_000)
  expect(await fatal()).toEqual([])
})

test('hls.js plays a range of the archive from its start', async ({ page }) => {
  await signIn(page)
  const uid = await uidOf(page, 'Gate')
  const from = Date.now() - hour / 2
  await waitForArchive(page, uid, from)
  const query = new URLSearchParams({
    start_time: new Date(from).toISOString(),
    end_time: new Date(from + 120_000).toISOString(),
  })
  const { date, fatal } = await play(page, `/v1/stream/${uid}/archive/index.m3u8?${query}`)
  const shown = await date()
  expect(shown).toBeGreaterThan(from - 3000)
  expect(shown).toBeLessThan(from + 60_000)
  expect(await fatal()).toEqual([])
})
