import { expect } from 'playwright/test'
import { inPlayer, isIn, pathOf, pressTimeline, waitForArchive } from './actions.ts'
import { expectTrueClock, frameMs, readingAtRest, readingThat } from './strip.ts'
import { test } from './test.ts'

/** How far the clock may be from the picture. */
const mostMs = frameMs

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

test('live shows the time of the picture', { tag: '@smoke' }, async ({ hand, address }) => {
  await hand.engine.go(`${address}/ui/streams`)
  // What the timeline knows to be empty it doesn't ask for again at once.
  await waitForArchive(hand, 'Gate', secondsAgo(1800))
  await hand.click({ role: 'link', name: 'Gate' })
  await isIn(hand, 'live')
  const { frame } = await expectTrueClock(hand, 'live', mostMs)
  expect(Math.abs(Date.now() - frame)).toBeLessThan(20_000)
  seen.live = frame
})

test('a press on the timeline leads to the picture of that time', { tag: '@smoke' }, async ({ hand }) => {
  const wanted = secondsAgo(1800)
  await pressTimeline(hand, wanted)
  await isIn(hand, 'archive')
  const { frame } = await expectTrueClock(hand, 'archive', mostMs)
  expect(Math.abs(frame - wanted)).toBeLessThan(60_000)
})

test('a step leads to the next frame, and back', { tag: '@smoke' }, async ({ hand, address }) => {
  await hand.engine.go(`${address}${await pathOf(hand, 'Gate', 'view')}?at=${new Date(seen.live).toISOString()}`)
  await readingThat(hand, ({ frame }) => frame >= seen.live - frameMs, 'the recording plays')
  await hand.click(inPlayer('Pause'))
  await hand.find(inPlayer('Play'))
  let { frame } = await readingAtRest(hand, () => true, 'it rests')
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

test('live again', async ({ hand }) => {
  await hand.click(inPlayer('Go live'))
  await isIn(hand, 'live')
  const { frame } = await expectTrueClock(hand, 'live again', mostMs)
  expect(Math.abs(Date.now() - frame)).toBeLessThan(20_000)
})
