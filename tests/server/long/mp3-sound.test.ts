import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { minuteAround, recordFor } from '../fixtures/recordings.ts'
import { h264, makeTape, played, tapes } from '../fixtures/tapes.ts'
import { decoded, probed, startVideo } from '../fixtures/video.ts'

test('MP3 sound is recorded as AAC that plays', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.ts'), { video: h264(25), sound: ['-c:a', 'libmp3lame'], seconds: 4 })
  const { uid } = await recordFor(video, played(tape, '-f', 'mpegts'), 2)
  const { variant, segments } = await playlistOf(video, uid, minuteAround())
  expect(variant?.codecs).toMatch(/^avc1\.\w+,mp4a\.40\.2$/)
  const whole = await wholeOf(video, segments)
  expect(probed(whole).codecs).toEqual(['h264', 'aac'])
  expect(decoded(whole)).toBe('')
  expect((await video.site.logs.read(uid, undefined)).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^Connected: avc1.*; H\.264 pictures copied, sound encoded again from MP3 as AAC$/),
  )
})
