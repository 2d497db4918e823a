import { spawnSync } from 'node:child_process'
import { type Download, type Page, type Route, expect } from 'playwright/test'
import { test } from '../test.ts'
import { hour, signInByHand, uidOf, waitForArchive } from './session.ts'

const isDownload = /\/archive\/download\?/
const two = (value: number) => String(value).padStart(2, '0')
const berlin = (at: number) => {
  const local = new Date(at + hour)
  return `${local.getUTCFullYear()}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())} ${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`
}

/** The length in seconds of a file that is video. */
async function secondsOf(download: Download): Promise<number> {
  const fields = [
    '-v',
    'error',
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=codec_type:format=duration',
    '-of',
    'json',
  ]
  const { format, streams } = JSON.parse(
    spawnSync('ffprobe', [...fields, await download.path()], { encoding: 'utf8' }).stdout,
  )
  expect(streams).toEqual([{ codec_type: 'video' }])
  return Number(format.duration)
}

/** Opens the player of Gate where the server gives twenty seconds at once, and asks for a minute of an hour ago. */
async function askForMinute(page: Page): Promise<number> {
  await page.route('**/v1/system/internal/ui/settings', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), archiveDownloadMaxSeconds: 20 } })
  })
  await signInByHand(page)
  const from = Math.floor((Date.now() - hour) / 60_000) * 60_000
  await waitForArchive(page, await uidOf(page, 'Gate'), from)
  await page.getByRole('link', { name: /Gate/ }).first().click()
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Download', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Download video' })
  await dialog.getByLabel('From').fill(berlin(from))
  await dialog.getByLabel('To').fill(berlin(from + 60_000))
  await expect(dialog).toContainText(
    'Duration: 1 min. One download can be at most 20 s long, so the video is saved in 3 parts.',
  )
  return from
}

const save = (page: Page) =>
  page.getByRole('dialog', { name: 'Download video' }).getByRole('button', { name: 'Save video' }).click()

test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }))

test('a clip that is too long for one file is saved in parts while one goes elsewhere', async ({ page }) => {
  const from = await askForMinute(page)
  const held: Route[] = []
  await page.route(isDownload, (route) => void held.push(route))
  const saved: Download[] = []
  page.on('download', (download) => void saved.push(download))
  await save(page)

  const tray = page.getByRole('region', { name: 'Downloads' })
  await expect(tray.getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: 'All streams' }).click()
  await expect(page).toHaveURL('/ui/streams')
  await expect(tray.getByRole('progressbar', { name: 'Gate, part 1 of 3' })).toBeVisible()
  for (let part = 1; part <= 3; part += 1) {
    await expect.poll(() => held.length).toBe(part)
    await held[part - 1]?.continue()
  }
  await expect(tray.getByRole('heading')).toHaveText('3 videos saved')
  const start = berlin(from).replaceAll(':', '-')
  expect(saved.map((download) => download.suggestedFilename())).toEqual([
    `Gate ${start} +01-00 1 of 3.mp4`,
    `Gate ${start.slice(0, -2)}20 +01-00 2 of 3.mp4`,
    `Gate ${start.slice(0, -2)}40 +01-00 3 of 3.mp4`,
  ])
  for (const download of saved) {
    const seconds = await secondsOf(download)
    expect(seconds).toBeGreaterThanOrEqual(20)
    expect(seconds).toBeLessThan(25)
  }
  await tray.getByRole('button', { name: 'Dismiss all' }).click()
  await expect(tray).toHaveCount(0)
})

test('a download can be cancelled, says why it failed, and is tried again', async ({ page }) => {
  await askForMinute(page)
  const held: Route[] = []
  await page.route(isDownload, (route) => void held.push(route))
  await save(page)
  const tray = page.getByRole('region', { name: 'Downloads' })
  const row = (part: number) => tray.getByRole('listitem', { name: `Gate, part ${part} of 3` })
  await row(3).getByRole('button', { name: 'Cancel' }).click()
  await row(1).getByRole('button', { name: 'Cancel' }).click()
  await expect(row(1)).toContainText('Cancelled')
  await expect.poll(() => held.length).toBe(2)
  await held[1]?.abort('connectionreset')
  await expect(row(2)).toContainText('Server is not responding')
  await expect(tray.getByRole('progressbar')).toHaveCount(0)

  await page.unroute(isDownload)
  const download = page.waitForEvent('download')
  await row(2).getByRole('button', { name: 'Retry' }).click()
  await expect(row(2)).toContainText('Saved')
  expect(await secondsOf(await download)).toBeGreaterThanOrEqual(20)
  await row(2).getByRole('button', { name: 'Dismiss' }).click()
  await expect(tray.getByRole('listitem')).toHaveCount(2)

  await tray.getByRole('button', { name: 'Collapse' }).click()
  await expect(tray.getByRole('listitem')).toHaveCount(0)
  await tray.getByRole('button', { name: 'Cancelled' }).click()
  await expect(tray.getByRole('listitem')).toHaveCount(2)
})

test('the downloads are forgotten when their viewer signs out', async ({ page }) => {
  await askForMinute(page)
  const aborted: string[] = []
  page.on('requestfailed', (request) => void (isDownload.test(request.url()) && aborted.push(request.url())))
  await page.route(isDownload, () => undefined)
  await save(page)
  await expect(page.getByRole('region', { name: 'Downloads' }).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/ui/auth')
  await expect(page.getByRole('region', { name: 'Downloads' })).toHaveCount(0)
  await expect.poll(() => aborted.length).toBe(1)
})
