import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { areTogether, lookAtTiles, tilesOf } from '../real/tile-strips.ts'
import { inPlayer, waitForMode, closeMenu, pathOf, pressTimeline, uidOf, waitForArchive } from './actions.ts'
import { expectTrueClock, frameMs, isExact, readingWhilePaused, readingThat, stillReading } from './strip.ts'
import { type EngineName, test } from './test.ts'

/** How far the clock may be from the picture. */
const maxMs: Readonly<Record<EngineName, number>> = { firefox: frameMs, webkit: 4 * frameMs }

test.describe.configure({ mode: 'serial' })

const secondsAgo = (seconds: number): number => Date.now() - seconds * 1000

/** When the live picture was seen: recorded as it came, and not composed. */
const seen = { live: 0 }

test('sign in', { tag: '@smoke' }, async ({ driver, address }) => {
  await driver.tab.go(`${address}/ui/`)
  await driver.enterText({ role: 'textbox', name: 'Login' }, 'admin')
  await driver.enterText({ role: 'textbox', name: 'Password' }, 'correct horse battery')
  await driver.click({ role: 'button', name: 'Sign in' })
  await driver.waitForPath('/ui/streams')
})

test('the list has pictures', async ({ driver, address }) => {
  await driver.tab.go(`${address}/ui/streams`)
  const pictures = () =>
    driver.tab.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLImageElement>('main img'), (picture) =>
        picture.complete ? picture.naturalWidth : 0,
      ),
    )
  await driver.waitFor(
    pictures,
    (widths) => widths.filter((width) => width > 0).length >= 2,
    'the cameras that record have pictures',
  )
})

const isOfNow = ({ frame }: { frame: number }): boolean => Math.abs(Date.now() - frame) < 20_000

test('live shows the time of the picture', { tag: '@smoke' }, async ({ driver, address, engineName }) => {
  await driver.tab.go(`${address}/ui/streams`)
  // What the timeline knows to be empty it doesn't ask for again at once.
  await waitForArchive(driver, 'Gate', secondsAgo(1800))
  await driver.click({ role: 'link', name: 'Gate' })
  await waitForMode(driver, 'live')
  await readingThat(driver, isOfNow, 'the picture is of now')
  seen.live = (await expectTrueClock(driver, 'live', maxMs[engineName])).frame
})

test('a press on the timeline leads to the picture of that time', { tag: '@smoke' }, async ({ driver, engineName }) => {
  const expected = secondsAgo(1800)
  await pressTimeline(driver, expected)
  await waitForMode(driver, 'archive')
  const { frame } = await expectTrueClock(driver, 'archive', maxMs[engineName])
  expect(Math.abs(frame - expected)).toBeLessThan(60_000)
})

test('a step leads to the next frame, and back', { tag: '@smoke' }, async ({ driver, address }) => {
  await driver.tab.go(`${address}${await pathOf(driver, 'Gate', 'view')}?at=${new Date(seen.live).toISOString()}`)
  await readingThat(driver, ({ frame }) => frame >= seen.live - frameMs, 'the recording plays')
  await driver.click(inPlayer('Pause'))
  await driver.find(inPlayer('Play'))
  let { frame } = await stillReading(driver, isExact, 'it rests at the frame of its clock')
  for (const [name, way] of [
    ['Next frame', 1],
    ['Next frame', 1],
    ['Previous frame', -1],
    ['Previous frame', -1],
    ['Previous frame', -1],
  ] as const) {
    await driver.click(inPlayer(name))
    frame += way * frameMs
    const expected = frame
    await readingWhilePaused(driver, (reading) => reading.frame === expected, `${name} leads to the frame beside`)
  }
})

test('the archive plays at every speed, and the clock shows the time of the picture', async ({ driver, address }) => {
  const at = secondsAgo(3000)
  await driver.tab.go(`${address}${await pathOf(driver, 'Gate', 'view')}?at=${new Date(at).toISOString()}`)
  let chosen = 1
  for (const speed of [0.25, 0.5, 2, 4, 8, 16]) {
    await driver.click(inPlayer(`Speed ${chosen}×`))
    await driver.click({ role: 'menuitemradio', name: `${speed}×` })
    await driver.find(inPlayer(`Speed ${speed}×`))
    chosen = speed
    // The picture and its clock are read one after the other, and move on between.
    const maxMs = 2 * frameMs * Math.max(2, speed)
    const isClockTrue = ({ frame, shown }: { frame: number; shown: number }) => Math.abs(shown - frame) <= maxMs
    const first = await readingThat(driver, isClockTrue, `it plays at ${speed}×`)
    const seconds = 5 * Math.min(speed, 4)
    await readingThat(driver, (one) => isClockTrue(one) && one.frame > first.frame + seconds * 1000, 'it goes on')
  }
})

test('live again', async ({ driver, engineName }) => {
  await driver.click(inPlayer('Go live'))
  await waitForMode(driver, 'live')
  await readingThat(driver, isOfNow, 'the picture is of now')
  await expectTrueClock(driver, 'live again', maxMs[engineName])
})

test('the calendar leads to a day', async ({ driver }) => {
  await driver.click(inPlayer('Calendar'))
  await driver.find({ role: 'dialog', name: 'Calendar' })
  const dayOf = () =>
    driver.tab.evaluate(
      () =>
        document
          .querySelector('[role=gridcell][aria-current=date]:not([aria-disabled=true])')
          ?.getAttribute('aria-label') ?? null,
    )
  const today = await driver.waitFor(dayOf, (day) => day !== null, 'today has a recording')
  await driver.click({ role: 'gridcell', name: today ?? '' })
  await driver.waitUntilGone({ role: 'dialog', name: 'Calendar' })
  await waitForMode(driver, 'archive')
})

test('a clip is saved to the disk', async ({ driver }) => {
  const local = (at: number) =>
    new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' }).format(at)
  const from = secondsAgo(1200)
  await driver.click(inPlayer('Download'))
  await driver.enterText({ role: 'textbox', name: 'From', within: 'Download video' }, local(from))
  await driver.enterText({ role: 'textbox', name: 'To', within: 'Download video' }, local(from + 10_000))
  await driver.click({ role: 'button', name: 'Save video' })
  await driver.find({ role: 'heading', name: '1 video saved', within: 'Downloads' })
  const saved = async () => readdirSync(driver.tab.downloads).filter((name) => name.endsWith('.mp4'))
  const [name = ''] = await driver.waitFor(saved, (names) => names.length === 1, 'the file is there')
  const fields = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'format=duration', '-of', 'csv=p=0']
  const seconds = () =>
    Number(spawnSync('ffprobe', [...fields, join(driver.tab.downloads, name)], { encoding: 'utf8' }).stdout)
  await driver.waitFor(
    async () => seconds(),
    (length) => length >= 10 && length < 15,
    'the file is ten seconds of video',
  )
})

test('four tiles play live, and the archive in step', async ({ driver, address }) => {
  const uids = await Promise.all(['Gate', 'Yard'].map((name) => uidOf(driver, name)))
  const at = secondsAgo(1200)
  await waitForArchive(driver, 'Yard', at)
  const cells = [0, 1, 2, 3].map((index) => ({
    streamUid: uids[index % 2],
    x: index % 2,
    y: Math.floor(index / 2),
    w: 1,
    h: 1,
  }))
  const id = await driver.tab.evaluate(
    async (mosaic): Promise<string> => {
      const headers = { 'content-type': 'application/json' }
      const made = await (await fetch('/v1/mosaic', { method: 'POST', headers, body: JSON.stringify(mosaic) })).json()
      return made.id
    },
    { name: 'Four', columns: 2, rows: 2, cells },
  )
  await driver.tab.go(`${address}/ui/mosaic/${id}`)
  const tiles = async () => tilesOf(await driver.tab.evaluate(lookAtTiles))
  const isLive = (frame: number | null) => frame !== null && Math.abs(Date.now() - frame) < 20_000
  await driver.waitFor(
    tiles,
    ({ labels, frames }) =>
      labels.length === 4 && labels.every((label) => label.endsWith(': Live')) && frames.every(isLive),
    'four are live',
  )
  await driver.tab.go(`${address}/ui/mosaic/${id}?at=${new Date(at).toISOString()}`)
  await driver.waitFor(tiles, (reading) => areTogether(reading, 4, 500), 'four are together')
})

test('the volume is set, and muted', async ({ driver, address }) => {
  await driver.tab.go(`${address}${await pathOf(driver, 'Yard', 'view')}`)
  await waitForMode(driver, 'live')
  const volumeOf = () =>
    driver.tab.evaluate(() => {
      const video = document.querySelector('video')
      return video === null || video.muted ? 0 : video.volume
    })
  const { left, width, y } = await driver.find({ role: 'slider', name: 'Volume', within: 'Player' })
  await driver.clickAt(left + width / 2, y)
  await driver.waitFor(volumeOf, (volume) => volume > 0.2 && volume < 0.8, 'it is half as loud')
  await driver.click(inPlayer('Mute'))
  await driver.waitFor(volumeOf, (volume) => volume === 0, 'it is silent')
})

test('the palette leads to a page', async ({ driver, address }) => {
  await driver.tab.go(`${address}/ui/help`)
  await driver.find({ role: 'button', name: 'Go to…' })
  await driver.press('k', 'Control')
  await driver.enterText({ role: 'combobox', name: 'Where to go' }, 'audit')
  await driver.find({ role: 'option', name: 'Audit logs' })
  await driver.press('Enter')
  await driver.waitForPath('/ui/administration/audit-logs')
})

test('a form that is not saved asks before it is left', async ({ driver, address }) => {
  const [info, form] = await Promise.all([pathOf(driver, 'Gate', 'info'), pathOf(driver, 'Gate', 'setting')])
  await driver.tab.go(`${address}${info}`)
  await driver.click({ role: 'link', name: 'Settings' })
  await driver.waitForPath(form)
  await driver.enterText({ role: 'textbox', name: 'Name' }, 'Another')
  await driver.click({ role: 'link', name: 'All streams' })
  await driver.click({ role: 'button', name: 'Cancel', within: 'Leave without saving?' })
  await driver.waitUntilGone({ role: 'alertdialog', name: 'Leave without saving?' })
  expect([await driver.path(), (await driver.find({ role: 'textbox', name: 'Name' })).value]).toEqual([form, 'Another'])
  await driver.tab.evaluate(() => history.back())
  await driver.click({ role: 'button', name: 'Leave', within: 'Leave without saving?' })
  await driver.waitForPath(info)
})

test('Russian, and back', async ({ driver, address }) => {
  await driver.tab.go(`${address}/ui/streams`)
  await driver.click({ role: 'button', name: 'Menu' })
  await driver.click({ role: 'menuitemradio', name: 'Русский' })
  await driver.find({ role: 'link', name: 'Все потоки' })
  await closeMenu(driver)
  await driver.click({ role: 'button', name: 'Меню' })
  await driver.click({ role: 'menuitemradio', name: 'English' })
  await driver.find({ role: 'link', name: 'All streams' })
  await closeMenu(driver)
})

test('the dark theme, and the light one', async ({ driver }) => {
  const ground = () => driver.tab.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const brightness = (colour: string) => Number(/\d+/.exec(colour)?.[0])
  const choose = async (theme: string) => {
    await driver.click({ role: 'button', name: 'Menu' })
    await driver.click({ role: 'menuitemradio', name: theme })
    await closeMenu(driver)
  }
  await choose('Dark')
  await driver.waitFor(ground, (colour) => brightness(colour) < 64, 'it is dark')
  await choose('Light')
  await driver.waitFor(ground, (colour) => brightness(colour) > 192, 'it is light')
})

test('a narrow window', async ({ driver, address, engineName }) => {
  // MiniBrowser's window goes no narrower than this.
  const width = engineName === 'webkit' ? 447 : 390
  await driver.tab.resize(width, 844)
  expect(await driver.tab.evaluate(() => innerWidth)).toBe(width)
  await driver.tab.go(`${address}/ui/streams`)
  await driver.click({ role: 'link', name: 'Gate' })
  await waitForMode(driver, 'live')
  await readingThat(driver, isOfNow, 'it plays')
  expect(await driver.tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('sign out', async ({ driver }) => {
  await driver.click({ role: 'button', name: 'Menu' })
  await driver.click({ role: 'menuitem', name: 'Log out' })
  await driver.waitForPath('/ui/auth')
})
