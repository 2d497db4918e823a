import type { Page } from 'playwright/test'
import { expect } from 'playwright/test'
import type { FakeServer } from '../../tests/fixtures/fake-server.ts'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerClip, answerRecorded, shownIn } from './clip.ts'
import { answerPreviews, timelinePoint } from './stream-fixture.ts'

const ways = { 401: { path: '/ui/auth', code: 'AuthorizationRequired' }, 423: { path: '/ui/init', code: '' } } as const
const yard = { ...gate, uid: 'yard', name: 'Yard' }
const recorded = { from: Date.now() - 3_600_000, to: Date.now() - 1_800_000 }

/** All but what a test refuses goes on answering as to somebody who is signed in: nothing else leads away. */
test.beforeEach(({ server }) => {
  for (const stream of [gate, yard]) {
    server.answer(`GET /v1/stream/${stream.uid}`, { json: stream })
    answerRecorded(server, stream.uid, recorded)
    answerClip(server, stream.uid)
  }
  const cells = [gate, yard].map(({ uid }, x) => ({ streamUid: uid, x, y: 0, w: 1, h: 1 }))
  const wall = { id: 'wall', name: 'Wall', columns: 2, rows: 1, cells, streams: [gate, yard] }
  server.answer('GET /v1/mosaic/wall', { json: wall })
  server.answer('GET /v1/streams', { json: { items: [gate, yard], page: 1, pageSize: 50, total: 2 } })
})

const media = ['index.m3u8', 'init.mp4', 'red.m4s'] as const

function refuse(server: FakeServer, status: keyof typeof ways, uid: string, file: string): void {
  server.answer(`GET /v1/stream/${uid}/archive/${file}`, { status, json: { code: ways[status].code } })
}

async function expectPlaying(page: Page): Promise<void> {
  const states = () => page.locator('video').evaluateAll((all: HTMLVideoElement[]) => all.map((one) => one.readyState))
  await expect.poll(states).toContain(4)
}

for (const status of [401, 423] as const) {
  const { path } = ways[status]

  for (const file of media) {
    // `npm test` has what comes first and what plays.
    const tag = file === 'index.m3u8' || (status === 401 && file === 'red.m4s') ? [] : '@long'
    // The player has each file refused; a mosaic plays by the same media controllers.
    const tileTag = status === 423 || file !== 'index.m3u8' ? '@long' : []
    test(`${status} of ${file} in the player leads to ${path}`, { tag }, async ({ page, server, problems }) => {
      await answerPreviews(page, server)
      refuse(server, status, gate.uid, file)
      await page.goto('/ui/stream/gate/view')
      await expect(page).toHaveURL(path)
      expect(problems).toEqual([])
    })

    test(
      `${status} of ${file} of one tile leads a mosaic to ${path}`,
      { tag: tileTag },
      async ({ page, server, problems }) => {
        refuse(server, status, yard.uid, file)
        await page.goto('/ui/mosaic/wall')
        await expect(page).toHaveURL(path)
        expect(problems).toEqual([])
      },
    )
  }

  test(
    `${status} of the playlist of what plays already leads to ${path}`,
    { tag: '@long' },
    async ({ page, server }) => {
      await answerPreviews(page, server)
      for (const shown of ['stream/gate/view', 'mosaic/wall']) {
        answerClip(server, gate.uid)
        await page.goto(`/ui/${shown}`)
        await expectPlaying(page)
        refuse(server, status, gate.uid, 'index.m3u8')
        await expect(page).toHaveURL(path)
      }
    },
  )

  test(
    `${status} of media of the archive leads to ${path}`,
    { tag: status === 423 ? '@long' : [] },
    async ({ page, server }) => {
      await answerPreviews(page, server)
      refuse(server, status, gate.uid, 'index.m3u8')
      for (const shown of ['stream/gate/view', 'mosaic/wall']) {
        await page.goto(`/ui/${shown}?at=${new Date(recorded.from + 60_000).toISOString()}`)
        await expect(page).toHaveURL(path)
      }
    },
  )

  test(
    `${status} of a picture in a list, on a page, under the pointer leads to ${path}`,
    { tag: '@long' },
    async ({ page, server }) => {
      server.answer('GET /v1/stream/preview', { status, json: { code: ways[status].code } })
      for (const shown of ['streams', 'stream/gate/info']) {
        await page.goto(`/ui/${shown}`)
        await expect(page).toHaveURL(path)
      }
      server.answer('GET /v1/stream/preview', { status: 204 })
      await page.goto('/ui/stream/gate/view?span=10800')
      await expect.poll(async () => (await shownIn(page))?.colour).toBeDefined()
      server.answer('GET /v1/stream/preview', { status, json: { code: ways[status].code } })
      const { x, y } = await timelinePoint(page, (recorded.from + recorded.to) / 2)
      await page.mouse.move(x, y)
      await expect(page).toHaveURL(path)
    },
  )

  test(`${status} of a download leads to ${path}`, { tag: '@long' }, async ({ page, server }) => {
    await answerPreviews(page, server)
    server.answer('GET /v1/stream/gate/archive/download', { status, json: { code: ways[status].code } })
    await page.goto(`/ui/stream/gate/view?at=${new Date(recorded.from + 60_000).toISOString()}`)
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save video' }).click()
    await expect(page).toHaveURL(path)
  })
}
