import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { areTogether, lookAtTiles, tilesOf } from '../real/tile-strips.ts'
import { inPlayer, isIn, leave, pathOf, pressTimeline, uidOf, waitForArchive } from './actions.ts'
import { expectTrueClock, frameMs, readingAtRest, readingThat, stillReading } from './strip.ts'
import { type EngineName, test } from './test.ts'

/** How far the clock may be from the picture. */
const maxMs: Readonly<Record<EngineName, number>> = { firefox: frameMs, webkit: 4 * frameMs }

test.describe.configure({ mode: 'serial' })

const secondsAgo = (seconds: number): number => Date.now() - seconds * 1000

/** When the live picture was seen: recorded as it came, and not composed. */
const seen = { live: 0 }

test('sign in', { tag: '@smoke' }, async ({ hand, address }) => {
  await hand.engine.go(`${address}/ui/`)
  await hand.write({ role: 'textbox', name: 'Login' }, 'admin')
  await hand.write({ role: 'textbox', name: 'Password' }, 'correct horse battery')
  await hand.click({ role: 'button', name: 'Sign in' })
  await hand.leadsTo('/ui/streams')
})

test('the list has pictures', async ({ hand, address }) => {
  await hand.engine.go(`${address}/ui/streams`)
  const pictures = () =>
    hand.engine.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLImageElement>('main img'), (picture) =>
        picture.complete ? picture.naturalWidth : 0,
      ),
    )
  await hand.until(
    pictures,
    (widths) => widths.filter((width) => width > 0).length >= 2,
    'the cameras that record have pictures',
  )
})

const isOfNow = ({ frame }: { frame: number }): boolean => Math.abs(Date.now() - frame) < 20_000

test('live shows the time of the picture', { tag: '@smoke' }, async ({ hand, address, engineName }) => {
  await hand.engine.go(`${address}/ui/streams`)
  // What the timeline knows to be empty it doesn't ask for again at once.
  await waitForArchive(hand, 'Gate', secondsAgo(1800))
  await hand.click({ role: 'link', name: 'Gate' })
  await isIn(hand, 'live')
  await readingThat(hand, isOfNow, 'the picture is of now')
  seen.live = (await expectTrueClock(hand, 'live', maxMs[engineName])).frame
})

test('a press on the timeline leads to the picture of that time', { tag: '@smoke' }, async ({ hand, engineName }) => {
  const wanted = secondsAgo(1800)
  await pressTimeline(hand, wanted)
  await isIn(hand, 'archive')
  const { frame } = await expectTrueClock(hand, 'archive', maxMs[engineName])
  expect(Math.abs(frame - wanted)).toBeLessThan(60_000)
})

test('a step leads to the next frame, and back', { tag: '@smoke' }, async ({ hand, address }) => {
  await hand.engine.go(`${address}${await pathOf(hand, 'Gate', 'view')}?at=${new Date(seen.live).toISOString()}`)
  await readingThat(hand, ({ frame }) => frame >= seen.live - frameMs, 'the recording plays')
  await hand.click(inPlayer('Pause'))
  await hand.find(inPlayer('Play'))
  // Firefox may leave the picture one frame ahead of all that it reports; the steps go on from the clock.
  let { shown: frame } = await stillReading(hand, ({ frame, shown }) => Math.abs(frame - shown) <= frameMs, 'it rests')
  frame -= frame % frameMs
  for (const [name, way] of [
    ['Next frame', 1],
    ['Next frame', 1],
    ['Previous frame', -1],
    ['Previous frame', -1],
    ['Previous frame', -1],
  ] as const) {
    await hand.click(inPlayer(name))
    frame += way * frameMs
    const wanted = frame
    await readingAtRest(hand, (reading) => reading.frame === wanted, `${name} leads to the frame beside`)
  }
})

test('the archive plays four times as fast', async ({ hand, address }) => {
  const at = secondsAgo(1200)
  await hand.engine.go(`${address}${await pathOf(hand, 'Gate', 'view')}?at=${new Date(at).toISOString()}`)
  await hand.click(inPlayer('Speed 1×'))
  await hand.click({ role: 'menuitemradio', name: '4×' })
  await hand.find(inPlayer('Speed 4×'))
  const isTrue = ({ frame, shown }: { frame: number; shown: number }) => Math.abs(shown - frame) <= 8 * frameMs
  const first = await readingThat(hand, isTrue, 'it plays')
  await readingThat(hand, (reading) => isTrue(reading) && reading.frame > first.frame + 20_000, 'it goes on')
})

test('live again', async ({ hand, engineName }) => {
  await hand.click(inPlayer('Go live'))
  await isIn(hand, 'live')
  await readingThat(hand, isOfNow, 'the picture is of now')
  await expectTrueClock(hand, 'live again', maxMs[engineName])
})

test('the calendar leads to a day', async ({ hand }) => {
  await hand.click(inPlayer('Calendar'))
  await hand.find({ role: 'dialog', name: 'Calendar' })
  const dayOf = () =>
    hand.engine.evaluate(
      () =>
        document
          .querySelector('[role=gridcell][aria-current=date]:not([aria-disabled=true])')
          ?.getAttribute('aria-label') ?? null,
    )
  const today = await hand.until(dayOf, (day) => day !== null, 'today has a recording')
  await hand.click({ role: 'gridcell', name: today ?? '' })
  await hand.isGone({ role: 'dialog', name: 'Calendar' })
  await isIn(hand, 'archive')
})

test('a clip is saved to the disk', async ({ hand }) => {
  const local = (at: number) =>
    new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' }).format(at)
  const from = secondsAgo(1200)
  await hand.click(inPlayer('Download'))
  await hand.write({ role: 'textbox', name: 'From', within: 'Download video' }, local(from))
  await hand.write({ role: 'textbox', name: 'To', within: 'Download video' }, local(from + 10_000))
  await hand.click({ role: 'button', name: 'Save video' })
  await hand.find({ role: 'heading', name: '1 video saved', within: 'Downloads' })
  const saved = async () => readdirSync(hand.engine.downloads).filter((name) => name.endsWith('.mp4'))
  const [name = ''] = await hand.until(saved, (names) => names.length === 1, 'the file is there')
  const fields = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'format=duration', '-of', 'csv=p=0']
  const seconds = () =>
    Number(spawnSync('ffprobe', [...fields, join(hand.engine.downloads, name)], { encoding: 'utf8' }).stdout)
  await hand.until(
    async () => seconds(),
    (length) => length >= 10 && length < 15,
    'the file is ten seconds of video',
  )
})

test('four tiles play live, and the archive in step', async ({ hand, address }) => {
  const uids = await Promise.all(['Gate', 'Yard'].map((name) => uidOf(hand, name)))
  const at = secondsAgo(1200)
  await waitForArchive(hand, 'Yard', at)
  const cells = [0, 1, 2, 3].map((index) => ({
    streamUid: uids[index % 2],
    x: index % 2,
    y: Math.floor(index / 2),
    w: 1,
    h: 1,
  }))
  const id = await hand.engine.evaluate(
    async (mosaic): Promise<string> => {
      const headers = { 'content-type': 'application/json' }
      const made = await (await fetch('/v1/mosaic', { method: 'POST', headers, body: JSON.stringify(mosaic) })).json()
      return made.id
    },
    { name: 'Four', columns: 2, rows: 2, cells },
  )
  await hand.engine.go(`${address}/ui/mosaic/${id}`)
  const tiles = async () => tilesOf(await hand.engine.evaluate(lookAtTiles))
  const isLive = (frame: number | null) => frame !== null && Math.abs(Date.now() - frame) < 20_000
  await hand.until(
    tiles,
    ({ labels, frames }) =>
      labels.length === 4 && labels.every((label) => label.endsWith(': Live')) && frames.every(isLive),
    'four are live',
  )
  await hand.engine.go(`${address}/ui/mosaic/${id}?at=${new Date(at).toISOString()}`)
  await hand.until(tiles, (reading) => areTogether(reading, 4, 500), 'four are together')
})

test('the volume is set, and muted', async ({ hand, address }) => {
  await hand.engine.go(`${address}${await pathOf(hand, 'Yard', 'view')}`)
  await isIn(hand, 'live')
  const volumeOf = () =>
    hand.engine.evaluate(() => {
      const video = document.querySelector('video')
      return video === null || video.muted ? 0 : video.volume
    })
  const { left, width, y } = await hand.find({ role: 'slider', name: 'Volume', within: 'Player' })
  await hand.clickAt(left + width / 2, y)
  await hand.until(volumeOf, (volume) => volume > 0.2 && volume < 0.8, 'it is half as loud')
  await hand.click(inPlayer('Mute'))
  await hand.until(volumeOf, (volume) => volume === 0, 'it is silent')
})

test('the palette leads to a page', async ({ hand, address }) => {
  await hand.engine.go(`${address}/ui/help`)
  await hand.find({ role: 'button', name: 'Go to…' })
  await hand.press('k', 'Control')
  await hand.write({ role: 'combobox', name: 'Where to go' }, 'audit')
  await hand.find({ role: 'option', name: 'Audit logs' })
  await hand.press('Enter')
  await hand.leadsTo('/ui/administration/audit-logs')
})

test('a form that is not saved asks before it is left', async ({ hand, address }) => {
  const [info, form] = await Promise.all([pathOf(hand, 'Gate', 'info'), pathOf(hand, 'Gate', 'setting')])
  await hand.engine.go(`${address}${info}`)
  await hand.click({ role: 'link', name: 'Settings' })
  await hand.leadsTo(form)
  await hand.write({ role: 'textbox', name: 'Name' }, 'Another')
  await hand.click({ role: 'link', name: 'All streams' })
  await hand.click({ role: 'button', name: 'Cancel', within: 'Leave without saving?' })
  await hand.isGone({ role: 'alertdialog', name: 'Leave without saving?' })
  expect([await hand.path(), (await hand.find({ role: 'textbox', name: 'Name' })).value]).toEqual([form, 'Another'])
  await hand.engine.evaluate(() => history.back())
  await hand.click({ role: 'button', name: 'Leave', within: 'Leave without saving?' })
  await hand.leadsTo(info)
})

test('Russian, and back', async ({ hand, address }) => {
  await hand.engine.go(`${address}/ui/streams`)
  await hand.click({ role: 'button', name: 'Menu' })
  await hand.click({ role: 'menuitemradio', name: 'Русский' })
  await hand.find({ role: 'link', name: 'Все потоки' })
  await leave(hand)
  await hand.click({ role: 'button', name: 'Меню' })
  await hand.click({ role: 'menuitemradio', name: 'English' })
  await hand.find({ role: 'link', name: 'All streams' })
  await leave(hand)
})

test('the dark theme, and the light one', async ({ hand }) => {
  const ground = () => hand.engine.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const brightness = (colour: string) => Number(/\d+/.exec(colour)?.[0])
  const choose = async (theme: string) => {
    await hand.click({ role: 'button', name: 'Menu' })
    await hand.click({ role: 'menuitemradio', name: theme })
    await leave(hand)
  }
  await choose('Dark')
  await hand.until(ground, (colour) => brightness(colour) < 64, 'it is dark')
  await choose('Light')
  await hand.until(ground, (colour) => brightness(colour) > 192, 'it is light')
})

test('a narrow window', async ({ hand, address, engineName }) => {
  // MiniBrowser's window goes no narrower than this.
  const width = engineName === 'webkit' ? 447 : 390
  await hand.engine.resize(width, 844)
  expect(await hand.engine.evaluate(() => innerWidth)).toBe(width)
  await hand.engine.go(`${address}/ui/streams`)
  await hand.click({ role: 'link', name: 'Gate' })
  await isIn(hand, 'live')
  await readingThat(hand, isOfNow, 'it plays')
  expect(await hand.engine.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('sign out', async ({ hand }) => {
  await hand.click({ role: 'button', name: 'Menu' })
  await hand.click({ role: 'menuitem', name: 'Log out' })
  await hand.leadsTo('/ui/auth')
})
