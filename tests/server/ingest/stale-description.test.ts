import { expect, test } from 'vitest'
import { playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause } from '../fixtures/recordings.ts'
import { startRtspCamera, type RtspBehaviour } from '../fixtures/rtsp-camera.ts'
import { decoded, probed, segments, startVideo } from '../fixtures/video.ts'

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** The parameter sets of 720p. */
const announced = [base64('6742c01fda014016ec0440000003004000000c83c60ca8'), base64('68ce0fc8')].join()

const description = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=Camera',
  't=0 0',
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  `a=fmtp:96 packetization-mode=1;sprop-parameter-sets=${announced}`,
  'a=control:track1',
  '',
].join('\r\n')

/** Announces the resolution that the camera had before. */
const announcing: RtspBehaviour = (method, sequence) =>
  method === 'DESCRIBE'
    ? `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\nContent-Type: application/sdp\r\n` +
      `Content-Length: ${description.length}\r\n\r\n${description}`
    : undefined

test('a camera that announces other parameter sets than it sends is recorded, by one connection', async () => {
  const video = await startVideo()
  const { port } = await startRtspCamera(announcing)
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
