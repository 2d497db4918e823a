import { expect, test } from 'vitest'
import { playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause } from '../fixtures/recordings.ts'
import { startRtspCamera } from '../fixtures/rtsp-camera.ts'
import { decoded, probed, segments, startVideo } from '../fixtures/video.ts'

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** The parameter sets of 720p, the resolution that the camera had before. */
const announced = [base64('6742c01fda014016ec0440000003004000000c83c60ca8'), base64('68ce0fc8')].join()

test('a camera that announces other parameter sets than it sends is recorded, by one connection', async () => {
  const video = await startVideo()
  const { port } = await startRtspCamera(undefined, undefined, { pictures: 'H264', announced })
  const uid = await create(video, `rtsp://127.0.0.1:${port}/live`)
  await segments(video.site, uid, 3)
  await pause(video, uid)
  const { segments: listed } = await playlistOf(video, uid, minuteAround())
  const whole = await wholeOf(video, listed)
  expect(probed(whole)).toMatchObject({ codecs: ['h264'], width: 320, height: 180 })
  expect(decoded(whole)).toBe('')
  const messages = (await video.site.logs.read(uid, undefined)).map(({ message }) => message)
  const connected = expect.stringMatching(/^Connected: avc1\.\w+, 320×180; /)
  expect(messages).toEqual(['Created', connected, 'Paused', 'Stopped'])
})
