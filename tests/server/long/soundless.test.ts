import { expect, test } from 'vitest'
import { playlistOf } from '../fixtures/playlists.ts'
import { create } from '../fixtures/recordings.ts'
import { startRtspCamera, type RtspBehaviour } from '../fixtures/rtsp-camera.ts'
import { logged, segments, startVideo } from '../fixtures/video.ts'

const description = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=Camera',
  't=0 0',
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 packetization-mode=1',
  'a=control:track1',
  'm=audio 0 RTP/AVP 8',
  'a=rtpmap:8 PCMA/8000',
  'a=control:track2',
  '',
].join('\r\n')

/** Announces sound, which never comes. */
const announcing: RtspBehaviour = (method, sequence, _socket, request) => {
  const head = `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n`
  if (method === 'DESCRIBE')
    return `${head}Content-Type: application/sdp\r\nContent-Length: ${description.length}\r\n\r\n${description}`
  if (method === 'SETUP' && /^\S+ \S*track2/.test(request))
    return `${head}Transport: RTP/AVP/TCP;unicast;interleaved=2-3\r\nSession: 1234;timeout=60\r\n\r\n`
  return undefined
}

test('a camera that announces sound and sends none is recorded without it', async () => {
  const video = await startVideo()
  const { port } = await startRtspCamera(announcing)
  const uid = await create(video, `rtsp://127.0.0.1:${port}/live`)
  await logged(video.site, uid, /^The source sends no sound that can be decoded: recording without it$/)
  await logged(video.site, uid, /^Connected: avc1\..*; H\.264 pictures copied, no sound$/)
  await segments(video.site, uid, 2)
  expect((await playlistOf(video, uid)).variant?.codecs).toMatch(/^avc1\.\w+$/)
})
