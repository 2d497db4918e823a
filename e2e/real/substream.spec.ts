import { expect } from 'playwright/test'
import { test } from '../test.ts'
import { momentOf, signIn } from './session.ts'

test.use({ hasDemo: false })

test('a small picture plays the substream that is recorded beside the main stream, a large one the main stream', async ({
  page,
}) => {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  const played: string[] = []
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/archive\/.*\.(?:m4s|mp4)$/.test(pathname)) played.push(pathname.includes('/sub/') ? 'sub' : 'main')
  })
  const origin = await signIn(page)
  const created = await page.request.post('/v1/stream', {
    headers: { origin },
    data: { name: 'Pair', streamSource: 'demo:gate', substreamSource: 'demo:yard' },
  })
  const { uid } = await created.json()
  const stream = async () => (await page.request.get(`/v1/stream/${uid}`)).json()
  await expect.poll(async () => (await stream()).renditions).toContain('sub')

  await page.setViewportSize({ width: 600, height: 800 })
  await page.goto(`/ui/stream/${uid}/view`)
  await expect.poll(() => momentOf(page)).toBeGreaterThan(0)
  await expect.poll(() => new Set(played)).toEqual(new Set(['sub']))
  const before = await momentOf(page)
  played.length = 0
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => played.at(-1)).toBe('main')
  await expect.poll(() => momentOf(page)).toBeGreaterThan(before)
  await expect(page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause' })).toBeVisible()
  expect(problems).toEqual([])
})
