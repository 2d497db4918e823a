import { type Page, expect } from 'playwright/test'
import { test } from './fake-server.ts'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { answerClip, answerRecorded, colourAt, shownIn } from './clip.ts'
import { answerPreviews } from './stream-fixture.ts'

declare global {
  /** Notifies the open sources whether the browser wants media now, as an iPhone does to save power. */
  var wantMedia: (isWanted: boolean) => void
}

/** A browser such as Safari on an iPhone, which has ManagedMediaSource alone. */
const withManagedSourceAlone = (page: Page) =>
  page.addInitScript(() => {
    const open = new Set<EventTarget>()
    const Source = MediaSource
    class Managed extends Source {
      streaming = false
      constructor() {
        super()
        this.addEventListener('sourceopen', () => open.add(this) && notify(this, true))
      }
    }
    const notify = (source: EventTarget, isWanted: boolean) => {
      Object.assign(source, { streaming: isWanted })
      source.dispatchEvent(new Event(isWanted ? 'startstreaming' : 'endstreaming'))
    }
    globalThis.wantMedia = (isWanted) => {
      for (const source of open) notify(source, isWanted)
    }
    Object.defineProperty(globalThis, 'ManagedMediaSource', { configurable: true, value: Managed })
    Reflect.deleteProperty(globalThis, 'MediaSource')
  })

test('a browser with ManagedMediaSource alone plays live, and fetches nothing while it wants no media', async ({
  page,
  server,
  problems,
}) => {
  server.answer('GET /v1/stream/gate', { json: gate })
  answerRecorded(server, gate.uid, { from: Date.now() - 3_600_000, to: Date.now() })
  answerClip(server, gate.uid)
  await answerPreviews(page, server)
  await withManagedSourceAlone(page)
  await page.goto('/ui/stream/gate/view')
  const isTrue = async () => {
    const shown = await shownIn(page)
    return shown !== null && shown.colour === colourAt(shown.at)
  }
  await expect.poll(isTrue).toBe(true)
  expect(await page.evaluate(() => typeof MediaSource)).toBe('undefined')

  const segments = () => server.calls.filter((call) => call.includes('.m4s')).length
  const lists = () => server.count('GET /v1/stream/gate/archive/index.m3u8')
  await page.evaluate(() => wantMedia(false))
  const listed = lists()
  // What was asked for before comes still.
  await expect.poll(lists).toBeGreaterThan(listed + 1)
  const [fetched, then] = [segments(), lists()]
  await expect.poll(lists).toBeGreaterThan(then + 1)
  expect(segments()).toBe(fetched)

  await page.evaluate(() => wantMedia(true))
  await expect.poll(segments).toBeGreaterThan(fetched)
  await expect.poll(isTrue).toBe(true)
  expect(problems).toEqual([])
})
