import { expect } from 'playwright/test'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerClip, answerRecorded, colourAt, colours, type Entry, playlistOf, segmentMs, shownIn } from './clip.ts'
import { answerPreviews } from './stream-fixture.ts'

const begin = Date.UTC(2026, 5, 1, 8)
const later = begin + 29 * 60_000
const clipFrom = (from: number, isCut: boolean): Entry[] =>
  colours.map((colour, index) => ({ colour, at: from + index * segmentMs, isCut: isCut && index === 0 }))
const looped = [...clipFrom(begin, false), ...clipFrom(later, true)]

test.beforeEach(async ({ page, server }) => {
  server.answer('GET /v1/stream/gate', { json: gate })
  answerRecorded(server, gate.uid, { from: begin, to: later + 600_000 })
  await answerPreviews(page, server)
})

for (const files of ['whole', 'ranges'] as const) {
  test(
    `media that an archive lists twice is shown at both moments: ${files}`,
    { tag: '@long' },
    async ({ page, server, problems }) => {
      const rest = { begins: Promise.withResolvers<void>() }
      answerClip(server, gate.uid, async (clip) => {
        await rest.begins.promise
        return playlistOf(clip, looped, { files, live: null })
      })
      for (const { colour, at: from } of looped) {
        const at = from + 500
        rest.begins = Promise.withResolvers()
        await page.goto(`/ui/stream/gate/view?at=${new Date(at).toISOString()}`)
        await page.getByRole('button', { name: 'Pause' }).click()
        await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
        // It rests before there is anything to play.
        rest.begins.resolve()
        await expect.poll(async () => (await shownIn(page))?.colour).toBe(colour)
        // The first frame of a segment may be on the screen before the one that was asked for.
        await expect.poll(async () => (await shownIn(page))?.at).toBeGreaterThanOrEqual(at - 100)
        expect((await shownIn(page))?.at).toBeLessThan(at + segmentMs)
      }
      expect(problems).toEqual([])
    },
  )
}

test('what a live loop shows keeps its moment while it is listed again', async ({ page, server, problems }) => {
  answerClip(server, gate.uid)
  await page.goto('/ui/stream/gate/view')
  await expect.poll(async () => (await shownIn(page))?.colour).toBeDefined()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const isTrue = (shown: Awaited<ReturnType<typeof shownIn>>) => shown !== null && shown.colour === colourAt(shown.at)
  // The frame at which it rests comes before the clock that reports it.
  await expect.poll(async () => isTrue(await shownIn(page))).toBe(true)
  const before = await shownIn(page)
  const lists = () => server.count('GET /v1/stream/gate/archive/index.m3u8')
  const listed = lists()
  await expect.poll(lists).toBeGreaterThan(listed + 4)
  expect(await shownIn(page)).toEqual(before)
  expect(problems).toEqual([])
})

test('frame steps across the border of two segments show each frame at its time', async ({
  page,
  server,
  problems,
}) => {
  const entries = clipFrom(begin, false)
  answerClip(server, gate.uid, (clip) => playlistOf(clip, entries, { files: 'whole', live: null }))
  await page.goto(`/ui/stream/gate/view?at=${new Date(begin + segmentMs - 1000).toISOString()}`)
  await expect.poll(async () => (await shownIn(page))?.colour).toBeDefined()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const colourOf = (at: number) => entries.findLast((entry) => entry.at <= at)?.colour
  const isTrue = async () => {
    const shown = await shownIn(page)
    return shown !== null && shown.colour === colourOf(shown.at)
  }
  await expect.poll(isTrue).toBe(true)
  const first = await shownIn(page)
  const direction = first?.colour === 'red' ? 'Next frame' : 'Previous frame'
  for (;;) {
    const at = (await shownIn(page))?.at
    await page.getByRole('button', { name: direction }).click()
    await expect.poll(async () => (await shownIn(page))?.at).not.toBe(at)
    await expect.poll(isTrue).toBe(true)
    if ((await shownIn(page))?.colour !== first?.colour) break
  }
  expect(problems).toEqual([])
})
