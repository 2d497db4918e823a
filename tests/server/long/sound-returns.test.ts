import { expect, test } from 'vitest'
import { playlistOf } from '../fixtures/playlists.ts'
import { create } from '../fixtures/recordings.ts'
import { startRtspCamera, type RtspMedia } from '../fixtures/rtsp-camera.ts'
import { logged, segments, startVideo } from '../fixtures/video.ts'

test('AAC sound that is switched on while a camera drops is recorded', async () => {
  const video = await startVideo()
  const media: RtspMedia = { pictures: 'H264', sound: 'AAC' }
  const camera = await startRtspCamera(undefined, undefined, media)
  media.sound = undefined
  const uid = await create(video, `rtsp://127.0.0.1:${camera.port}/live`)
  await segments(video.site, uid, 2)
  expect((await playlistOf(video, uid)).variant?.codecs).toMatch(/^avc1\.\w+$/)

  media.sound = 'AAC'
  camera.drop()
  await logged(video.site, uid, /^The source changed what it sends: connecting again$/)
  await logged(video.site, uid, /^Connected: avc1.*; H\.264 pictures copied, AAC sound copied$/)
  await segments(video.site, uid, 2)
  expect((await playlistOf(video, uid)).variant?.codecs).toMatch(/^avc1\.\w+,mp4a\.40\.2$/)
})
