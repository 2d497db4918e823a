import { type Page, expect } from 'playwright/test'
import { type FakeServer, notFound } from '../../tests/fixtures/fake-server.ts'
import { axeFindings, wcag } from '../axe.ts'

export const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' })

export const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
)

/** Every preview is one grey pixel; the requests are recorded with the server's calls. */
export async function answerPreviews(page: Page, server: FakeServer): Promise<void> {
  await page.route(/\/v1\/stream\/preview/, (route) => {
    server.calls.push(`GET /v1/stream/preview${new URL(route.request().url()).search}`)
    return route.fulfill({ contentType: 'image/jpeg', body: jpeg })
  })
}

/** The position of a moment (epoch milliseconds) on the timeline, in pixels of the page. */
export async function timelinePoint(page: Page, at: number): Promise<{ x: number; y: number }> {
  const timeline = page.getByRole('slider', { name: 'Timeline' })
  const band = await timeline.boundingBox()
  const bound = async (name: string) => Number(await timeline.getAttribute(name)) * 1000
  const [from, to] = [await bound('aria-valuemin'), await bound('aria-valuemax')]
  if (band === null) throw new Error('The timeline has no box')
  return { x: band.x + ((at - from) / (to - from)) * band.width, y: band.y + band.height / 2 }
}

/** A stream without recordings and without a playlist. */
export function answerPlayer(server: FakeServer, uid: string): void {
  for (const call of ['ranges', 'stats']) server.answer(`GET /v1/stream/${uid}/archive/${call}`, { json: {} })
  server.answer(`GET /v1/stream/${uid}/archive/index.m3u8`, notFound)
}

/**
 * Only WCAG: the best practices want tooltips in a landmark, and an open tooltip depends on where the pointer was left.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page, { rules: wcag })).toEqual([])
}
