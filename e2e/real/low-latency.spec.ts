import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { makeCertificate } from '../../scripts/certificate.ts'
import { ownServer } from '../own-server.ts'
import { test } from '../test.ts'
import { isClockTrue, readingThat } from './frame-strip.ts'
import { signIn, uidOf } from './session.ts'

const folder = mkdtempSync(join(tmpdir(), 'sightline-tls-'))
const { cert, key } = makeCertificate(folder)
const server = ownServer(6, { env: { TLS_CERT: cert, TLS_KEY: key } })

test.use({ baseURL: server.address, ignoreHTTPSErrors: true })
test.beforeAll(() => server.start())
test.afterAll(async () => {
  await server.dispose()
  rmSync(folder, { recursive: true })
})

const part = /\/archive\/(part\/\d+\.m4s)/

test('over HTTPS live plays by parts: what comes next is asked for before it is there, and reloads wait for it', async ({
  page,
}) => {
  const listed = new Set<string>()
  const seen: Record<'parts' | 'ahead' | 'unanswered', string[]> = { parts: [], ahead: [], unanswered: [] }
  let waited = 0
  page.on('request', (request) => {
    const uri = part.exec(request.url())?.[1]
    if (uri === undefined) return
    seen.parts.push(uri)
    if (!listed.has(uri)) seen.ahead.push(uri)
  })
  page.on('response', async (response) => {
    const { pathname, searchParams } = new URL(response.url())
    if (!pathname.endsWith('/archive/live.m3u8') || !response.ok()) return
    // The last of them ends with the test.
    const text = await response.text().catch(() => '')
    for (const [, uri = ''] of text.matchAll(/#EXT-X-PART:.*URI="([^"]+)"/g)) listed.add(uri)
    const [sequence, part] = [searchParams.get('_HLS_msn'), searchParams.get('_HLS_part')]
    if (sequence === null || part === null || text === '') return
    waited += 1
    const first = Number(/#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1])
    const segments = text.split(/#EXTINF:.*\n.*\n/)
    const parts = segments[Number(sequence) - first]?.match(/#EXT-X-PART:/g)?.length ?? 0
    if (segments.length - 1 <= Number(sequence) - first && parts <= Number(part)) seen.unanswered.push(response.url())
  })
  await signIn(page)
  const uid = await uidOf(page, 'Gate')
  await page.goto(`/ui/stream/${uid}/view`)
  const before = await readingThat(page, isClockTrue)
  await expect.poll(() => waited).toBeGreaterThan(8)
  await expect.poll(() => seen.ahead.length).toBeGreaterThan(4)
  await readingThat(page, (reading) => isClockTrue(reading) && reading.frame > before.frame)

  // Nothing of a part was left out: what is buffered is in one piece.
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.buffered.length)).toBe(1)

  expect(seen.unanswered).toEqual([])
  const numbers = [...new Set(seen.parts.map((uri) => Number(/\d+/.exec(uri)?.[0])))].toSorted((a, b) => a - b)
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  const protocol = await page.evaluate(() =>
    performance.getEntriesByType('navigation').map((entry) => Reflect.get(entry, 'nextHopProtocol')),
  )
  expect(protocol).toEqual(['h2'])
})
