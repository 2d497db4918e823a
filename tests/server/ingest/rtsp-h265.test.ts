import { expect, test } from 'vitest'
import { createGuard } from '../fixtures/guard.ts'
import { playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause } from '../fixtures/recordings.ts'
import { guardedBy, startRtspCamera } from '../fixtures/rtsp-camera.ts'
import { decoded, probed, segments, startVideo } from '../fixtures/video.ts'

const login = { username: 'admin', password: 'p@ss:w/o#rd' }

test('H.265 and G.711 by RTSP behind Digest are recorded as hvc1 and AAC', async () => {
  const video = await startVideo()
  const guard = createGuard({ ...login, kind: 'MD5', qop: 'auth' })
  const { port } = await startRtspCamera(guardedBy(guard), undefined, { pictures: 'H265', sound: 'PCMA' })
  const userInfo = `${login.username}:${encodeURIComponent(login.password)}`
  const uid = await create(video, `rtsp://${userInfo}@127.0.0.1:${port}/Streaming/Channels/101`)
  await segments(video.site, uid, 3)
  await pause(video, uid)

  const { variant, segments: listed } = await playlistOf(video, uid, minuteAround())
  expect(variant?.codecs).toMatch(/^hvc1\.1\.6\.L\d+\.90,mp4a\.40\.2$/)
  const whole = await wholeOf(video, listed)
  expect(probed(whole)).toMatchObject({ codecs: ['hevc', 'aac'], width: 320, height: 180 })
  expect(decoded(whole)).toBe('')
  expect(new Set(guard.seen)).toEqual(new Set(['asked', 'passed']))
  const messages = (await video.site.logs.read(uid, undefined)).map(({ message }) => message)
  expect(messages).toContainEqual(
    expect.stringMatching(/^Connected: hvc1.*; H\.265 pictures copied, sound encoded again from G\.711 as AAC$/),
  )
  expect(messages.join('\n')).not.toContain('w/o#rd')
})
