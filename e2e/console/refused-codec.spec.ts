import type { Page } from 'playwright/test'
import { expect } from 'playwright/test'
import type { FakeServer } from '../../tests/fixtures/fake-server.ts'
import { gate } from '../../tests/fixtures/fake-server.ts'
import { test } from './fake-server.ts'
import { answerClip, answerRecorded } from './clip.ts'
import { answerPreviews } from './stream-fixture.ts'

/** A browser without a codec, by both ways that a page can ask. */
function removeCodec(page: Page, codec: string): Promise<unknown> {
  return page.addInitScript((refused) => {
    const isTypeSupported = MediaSource.isTypeSupported.bind(MediaSource)
    MediaSource.isTypeSupported = (type) => !type.includes(refused) && isTypeSupported(type)
    const decodingInfo = MediaCapabilities.prototype.decodingInfo
    MediaCapabilities.prototype.decodingInfo = async function (asked: MediaDecodingConfiguration) {
      const info = await decodingInfo.call(this, asked)
      return asked.video?.contentType.includes(refused) === true ? { ...info, supported: false } : info
    }
  }, codec)
}

/** The same media behind a playlist of variants with their codecs. */
function answerVariant(server: FakeServer, codecs: string): void {
  server.answer('GET /v1/stream/gate/archive/index.m3u8', {
    body: Buffer.from(
      `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="${codecs}",RESOLUTION=320x180\nvideo.m3u8\n`,
    ),
    headers: { 'content-type': 'application/vnd.apple.mpegurl' },
  })
}

test.beforeEach(async ({ page, server }) => {
  server.answer('GET /v1/stream/gate', { json: gate })
  server.answer('GET /v1/mosaic/wall', {
    json: {
      id: 'wall',
      name: 'Wall',
      columns: 1,
      rows: 1,
      cells: [{ streamUid: 'gate', x: 0, y: 0, w: 1, h: 1 }],
      streams: [gate],
    },
  })
  server.answer('GET /v1/streams', { json: { items: [gate], page: 1, pageSize: 50, total: 1 } })
  answerRecorded(server, gate.uid, { from: Date.now() - 3_600_000, to: Date.now() })
  answerClip(server, gate.uid)
  await answerPreviews(page, server)
})

test('a browser without H.264 says so, by the media itself, and asks for no other camera', async ({
  page,
  problems,
}) => {
  await removeCodec(page, 'avc1')
  await page.goto('/ui/stream/gate/view')
  const notice = page.getByRole('status').filter({ hasText: "This browser can't play H.264" })
  await expect(notice).toContainText('Open the stream in another browser.')
  await expect(notice).not.toContainText('H.265')
  await page.goto('/ui/mosaic/wall')
  await expect(page.getByRole('article', { name: `${gate.name}: This browser can't play H.264` })).toBeVisible()
  expect(problems).toEqual([])
})

test('a browser without H.265 says so, by the playlist, and what helps', async ({ page, server, problems }) => {
  await removeCodec(page, 'hvc1')
  answerVariant(server, 'hvc1.1.6.L93.B0')
  server.answer('GET /v1/stream/gate/archive/video.m3u8', {
    body: Buffer.from(
      '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:2,\nred.m4s\n#EXT-X-ENDLIST\n',
    ),
  })
  await page.goto('/ui/stream/gate/view')
  const notice = page.getByRole('status').filter({ hasText: "This browser can't play H.265" })
  await expect(notice).toContainText('Set the camera to H.264, or open the stream in a browser that plays H.265.')
  expect(problems).toEqual([])
})
