import * as HLS from 'hls-parser'
import { expect, test } from 'vitest'
import { create } from '../fixtures/recordings.ts'
import { decoded, probed, segments, serve, startVideo, tsCamera } from '../fixtures/video.ts'

test('a camera with 21 s between keyframes is recorded whole and stays live', async () => {
  const video = await startVideo()
  const source = tsCamera({ keyframeSeconds: 21 })
  const uid = await create(video, `${await serve(source)}/camera.ts`)
  await segments(video.site, uid, 1)
  const base = `/v1/stream/${uid}/archive`
  const get = (url: string) => video.app.inject({ url, headers: { cookie: video.admin, host: 'localhost' } })
  const media = HLS.parse((await get(`${base}/live.m3u8`)).body)
  if (media.isMasterPlaylist) throw new Error('not a media playlist')
  const [segment] = media.segments
  expect([media.targetDuration, Math.round(segment?.duration ?? 0)]).toEqual([21, 21])
  const film = Buffer.concat([
    (await get(`${base}/${segment?.map?.uri}`)).rawPayload,
    (await get(`${base}/${segment?.uri}`)).rawPayload,
  ])
  expect([decoded(film), probed(film).packets, probed(film).codecs]).toEqual(['', 525, ['h264', 'aac']])
  expect((await video.ask('GET', `/v1/stream/${uid}`, { cookie: video.admin })).body).toMatchObject({
    status: 'running',
  })
})
