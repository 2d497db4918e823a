import * as HLS from 'hls-parser'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { bytesOf } from '../fixtures/playlists.ts'
import { create, minuteAround } from '../fixtures/recordings.ts'
import {
  decoded,
  probed,
  segments,
  serve,
  startVideo,
  tsCamera,
  cameraArguments,
  camera,
  type VideoHarness,
} from '../fixtures/video.ts'

const mediaOf = async (video: VideoHarness, base: string, url: string) => {
  const multivariant = HLS.parse((await bytesOf(video, `${base}/${url}`)).toString())
  if (!multivariant.isMasterPlaylist) throw new Error('not a multivariant playlist')
  const [variant] = multivariant.variants
  const media = HLS.parse((await bytesOf(video, `${base}/${variant?.uri}`)).toString())
  if (media.isMasterPlaylist) throw new Error('not a media playlist')
  return { variant, media }
}

test('an MPEG-TS camera is copied, recorded, and served live and from the archive', async () => {
  const video = await startVideo()
  const uid = await create(video, `${await serve(tsCamera())}/camera.ts`)
  const base = `/v1/stream/${uid}/archive`
  await segments(video.site, uid, 4)

  const live = await mediaOf(video, base, 'index.m3u8')
  expect(live.variant?.codecs).toMatch(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/)
  expect(live.variant?.resolution).toEqual({ width: 320, height: 180 })
  expect(live.media.endlist).toBe(false)
  expect(live.media.playlistType).toBeUndefined()
  expect(live.media.targetDuration).toBe(2)
  for (const segment of live.media.segments) {
    expect(segment.programDateTime).toBeInstanceOf(Date)
    expect(segment.duration).toBeLessThanOrEqual(2)
  }

  const { media } = await mediaOf(video, base, `index.m3u8?${minuteAround()}`)
  expect(media.endlist).toBe(true)
  expect(media.playlistType).toBe('VOD')
  const [first] = media.segments
  const init = await bytesOf(video, `${base}/${first?.map?.uri}`)
  const parts = await Promise.all(media.segments.map((segment) => bytesOf(video, `${base}/${segment.uri}`)))
  const whole = Buffer.concat([init, ...parts])
  expect(decoded(whole)).toBe('')
  expect(probed(whole).codecs).toEqual(['h264', 'aac'])

  const { body: ranges } = await video.ask('GET', `${base}/ranges?${minuteAround()}`, { cookie: video.admin })
  expect(ranges).toMatchObject({ ranges: [{ status: 0 }, { status: 1 }, { status: 0 }] })

  const [from, to] = [first, media.segments.at(-1)].map((segment) => segment?.programDateTime?.getTime() ?? 0)
  const until = (to ?? 0) + (media.segments.at(-1)?.duration ?? 0) * 1000
  const listed = `start_time=${new Date(from ?? 0).toISOString()}&end_time=${new Date(until).toISOString()}`
  const download = await bytesOf(video, `${base}/download?${listed}&timezone_offset=60`)
  expect(decoded(download)).toBe('')
  expect(probed(download).duration).toBeCloseTo(parts.length, 0)

  const picture = await bytesOf(video, `/v1/stream/preview?stream_id=${uid}`)
  expect(picture.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  const time = first?.programDateTime?.toISOString() ?? ''
  expect(
    (await bytesOf(video, `/v1/stream/preview?stream_id=${uid}&time=${time}`)).subarray(0, 2).toString('hex'),
  ).toBe('ffd8')

  const { body: probe } = await video.ask('GET', `/v1/stream/probe?stream_id=${uid}`, { cookie: video.admin })
  expect(probe).toMatchObject({
    format: 'mpegts',
    tracks: [
      { type: 'video', codec: 'h264', width: 320, height: 180 },
      { type: 'audio', codec: 'aac' },
    ],
  })
  const { body: stream } = await video.ask('GET', `/v1/stream/${uid}`, { cookie: video.admin })
  const tracks = [
    { type: 'video', codec: expect.stringMatching(/^avc1\./), width: 320, height: 180 },
    { type: 'audio', codec: 'mp4a.40.2', sampleRate: 48_000 },
  ]
  expect(stream).toMatchObject({ status: 'running', tracks })
})

test('video that no browser plays is transcoded: MJPEG, and MPEG-2 with MP2 sound', async () => {
  const video = await startVideo()
  const mjpeg = camera(
    [...cameraArguments({ sound: false, codec: ['-c:v', 'mjpeg'] }), '-f', 'mpjpeg', 'pipe:1'],
    'multipart/x-mixed-replace;boundary=ffmpeg',
  )
  const mpeg2 = camera([
    ...cameraArguments({ codec: ['-c:v', 'mpeg2video', '-c:a', 'mp2', '-g', '12'] }),
    '-f',
    'mpegts',
    'pipe:1',
  ])
  const uids = [await create(video, `${await serve(mjpeg)}/`), await create(video, `${await serve(mpeg2)}/`)]
  await Promise.all(uids.map((uid) => segments(video.site, uid, 2)))
  const codecs = await Promise.all(
    uids.map(async (uid) => (await mediaOf(video, `/v1/stream/${uid}/archive`, 'index.m3u8')).variant?.codecs),
  )
  expect(codecs[0]).toMatch(/^avc1\.[0-9a-f]{6}$/)
  expect(codecs[1]).toMatch(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/)
})

test('a stream without archive is live only, and nothing of it is kept', async () => {
  const video = await startVideo()
  const uid = await create(video, `${await serve(tsCamera({ sound: false }))}/`, { archive: { isEnable: false } })
  const base = `/v1/stream/${uid}/archive`
  await segments(video.site, uid, 3)
  expect((await mediaOf(video, base, 'index.m3u8')).media.segments.length).toBeGreaterThan(1)
  expect((await video.ask('GET', `${base}/stats`, { cookie: video.admin })).body).toEqual({ period: null })
  expect((await video.ask('GET', `${base}/index.m3u8?${minuteAround()}`, { cookie: video.admin })).status).toBe(404)
  const folder = join(video.context.dataDir, 'archive', uid)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\d+\.live$/)])
  await video.ask('DELETE', `/v1/stream/${uid}`, { cookie: video.admin })
  expect(readdirSync(folder)).toEqual([])
})

test('a deleted stream leaves nothing behind when it is purged', async () => {
  const video = await startVideo()
  const uid = await create(video, `${await serve(tsCamera({ sound: false }))}/`)
  await segments(video.site, uid, 2)
  const folder = join(video.context.dataDir, 'archive')
  expect(readdirSync(folder)).toEqual([uid])
  expect((await video.ask('DELETE', `/v1/stream/${uid}?purge=true`, { cookie: video.admin })).status).toBe(200)
  expect(await video.site.index.uids()).toEqual([])
  await video.site.purge(new AbortController().signal)
  expect(readdirSync(folder)).toEqual([])
  for (const table of ['chunks', 'runs', 'recordings'])
    expect(await video.context.store.all(z.unknown(), `SELECT * FROM ${table}`)).toEqual([])
})
