import { expect } from 'playwright/test'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerClip, answerRecorded, shownIn } from './clip.ts'
import { jpeg, notices, timelinePoint } from './stream-fixture.ts'

const recorded = { from: Date.now() - 3_600_000, to: Date.now() - 1_800_000 }
const busy = { status: 503, json: { code: 'Unavailable' }, headers: { 'retry-after': '1' } }
const picture = { body: jpeg, headers: { 'content-type': 'image/jpeg' } }

test.beforeEach(({ server }) => {
  const streams = Array.from({ length: 8 }, (_, index) => ({
    ...gate,
    uid: `cam-${index}`,
    name: `Camera ${index}`,
    status: index % 2 === 0 ? 'running' : 'paused',
  }))
  server.answer('GET /v1/streams', { json: { items: streams, page: 1, pageSize: 50, total: 8 } })
  server.answer('GET /v1/stream/gate', { json: gate })
  answerRecorded(server, gate.uid, recorded)
  answerClip(server, gate.uid)
})

test('pictures that the server is too busy for come later, without a message', async ({ page, server, problems }) => {
  let left = 12
  server.answer('GET /v1/stream/preview', () => (left-- > 0 ? busy : picture))
  await page.goto('/ui/streams')
  await expect(page.locator('main img')).toHaveCount(8)
  expect(server.count('GET /v1/stream/preview')).toBe(20)
  left = 2
  await page.goto('/ui/stream/gate/info')
  await expect(page.locator('main img')).toHaveJSProperty('complete', true)
  await expect.poll(() => server.count('GET /v1/stream/preview')).toBe(23)
  await expect(notices(page).getByRole('alert')).toHaveCount(0)
  expect(problems).toEqual([])
})

test('a picture under the pointer comes later too', { tag: '@long' }, async ({ page, server, problems }) => {
  server.answer('GET /v1/stream/preview', busy)
  await page.goto('/ui/stream/gate/view?span=10800')
  await expect.poll(async () => (await shownIn(page))?.colour).toBeDefined()
  const { x, y } = await timelinePoint(page, (recorded.from + recorded.to) / 2)
  const asked = server.count('GET /v1/stream/preview')
  await page.mouse.move(x, y)
  await expect.poll(() => server.count('GET /v1/stream/preview')).toBeGreaterThan(asked)
  server.answer('GET /v1/stream/preview', picture)
  await expect(page.getByRole('region', { name: 'Player' }).locator('img[src^="blob:"]')).toBeVisible()
  await expect(notices(page).getByRole('alert')).toHaveCount(0)
  expect(problems).toEqual([])
})
