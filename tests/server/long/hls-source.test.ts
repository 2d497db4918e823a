import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause } from '../fixtures/recordings.ts'
import { h264, makeTape, picturesOf, tapes } from '../fixtures/tapes.ts'
import { segments, serve, startVideo } from '../fixtures/video.ts'

const segmentSeconds = 2
const listed = 5

/** A camera that sends a tape by HLS, in real time, once five segments of it are there. */
const startCamera = async (seconds: number) => {
  const folder = tapes()
  const split = ['-f', 'segment', '-segment_time', String(segmentSeconds), '-segment_format', 'mpegts']
  makeTape(join(folder, '%d.ts'), { video: h264(25 * segmentSeconds, ...split), seconds })
  const sent = Array.from({ length: seconds / segmentSeconds }, (_, index) => readFileSync(join(folder, `${index}.ts`)))
  const begunAt = performance.now()
  const address = await serve(({ url = '' }, response) => {
    const segment = sent[Number(/(\d+)\.ts$/.exec(url)?.[1])]
    if (segment !== undefined) {
      response.writeHead(200, { 'content-type': 'video/mp2t' }).end(segment)
      return
    }
    const first = Math.floor((performance.now() - begunAt) / 1000 / segmentSeconds)
    const last = Math.min(first + listed, sent.length)
    const head = ['#EXTM3U', '#EXT-X-VERSION:3', `#EXT-X-TARGETDURATION:${segmentSeconds}`]
    const lines = sent.slice(first, last).map((_, index) => `#EXTINF:${segmentSeconds},\n${first + index}.ts`)
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' })
    response.end([...head, `#EXT-X-MEDIA-SEQUENCE:${first}`, ...lines, ''].join('\n'))
  })
  return { address: `${address}/live.m3u8`, pictures: sent.flatMap(picturesOf) }
}

test('HLS is recorded from its newest segment on, without a gap', async () => {
  const video = await startVideo()
  const camera = await startCamera(60)
  const uid = await create(video, camera.address)
  await segments(video.site, uid, 4)
  await pause(video, uid)
  const recorded = picturesOf(await wholeOf(video, (await playlistOf(video, uid, minuteAround())).segments))
  const begin = camera.pictures.indexOf(recorded[0] ?? '')
  expect(begin).toBeGreaterThanOrEqual((listed - 1) * segmentSeconds * 25)
  expect(recorded).toEqual(camera.pictures.slice(begin, begin + recorded.length))
})
