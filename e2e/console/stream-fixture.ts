import { type Page, expect } from 'playwright/test'
import { type FakeServer, notFound } from '../../tests/fixtures/fake-server.ts'
import { axeFindings, wcag } from '../axe.ts'

export const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' })

export const jpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==',
  'base64',
)

/** Every preview is one grey dot; each asking is noted among the server's calls. */
export async function answerPreviews(page: Page, server: FakeServer): Promise<void> {
  await page.route(/\/v1\/stream\/preview/, (route) => {
    server.calls.push(`GET /v1/stream/preview${new URL(route.request().url()).search}`)
    return route.fulfill({ contentType: 'image/jpeg', body: jpeg })
  })
}

/** Where the timeline has a moment (epoch milliseconds), in pixels of the page. */
export async function timelinePoint(page: Page, at: number): Promise<{ x: number; y: number }> {
  const timeline = page.getByRole('slider', { name: 'Timeline' })
  const band = await timeline.boundingBox()
  const bound = async (name: string) => Number(await timeline.getAttribute(name)) * 1000
  const [from, to] = [await bound('aria-valuemin'), await bound('aria-valuemax')]
  if (band === null) throw new Error('The timeline has no box')
  return { x: band.x + ((at - from) / (to - from)) * band.width, y: band.y + band.height / 2 }
}

/** A stream's player gets an empty archive, and finds nothing to play. */
export function answerPlayer(server: FakeServer, uid: string): void {
  for (const call of ['ranges', 'stats']) server.answer(`GET /v1/stream/${uid}/archive/${call}`, { json: {} })
  server.answer(`GET /v1/stream/${uid}/archive/index.m3u8`, notFound)
}

/**
 * By good practice a tooltip would be in a landmark, and whether one is open is up to where the pointer was left: WCAG
 * alone.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeFindings(page, { rules: wcag })).toEqual([])
}
