import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveOf, bytesOf, playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { minuteAround, recordFor } from '../fixtures/recordings.ts'
import { h265, makeTape, played, slicesOf, tapes } from '../fixtures/tapes.ts'
import { decoded, probed, startVideo } from '../fixtures/video.ts'

test('H.265 at 4K is recorded bit for bit as the camera sends it, and plays as compatible', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.mp4'), { size: '3840x2160', video: h265(25), seconds: 1 })
  const { uid } = await recordFor(video, played(tape, '-f', 'mpegts'), 2)

  const { variant, segments } = await playlistOf(video, uid, minuteAround())
  expect(variant?.codecs).toMatch(/^hvc1\.1\.6\.L15\d\.90$/)
  expect(variant?.resolution).toEqual({ width: 3840, height: 2160 })
  const whole = await wholeOf(video, segments)
  expect(decoded(whole)).toBe('')
  const sent = slicesOf(tape)
  const recorded = slicesOf(whole)
  const first = sent.indexOf(recorded[0] ?? '')
  expect(recorded.length).toBeGreaterThanOrEqual(sent.length)
  expect(recorded).toEqual(recorded.map((_, index) => sent[(first + index) % sent.length]))
  expect(slicesOf(await bytesOf(video, `${archiveOf(uid)}download?${minuteAround()}`))).toEqual(recorded)

  const compatible = await playlistOf(video, uid, `${minuteAround()}&rendition=compatible`)
  expect(compatible.variant?.resolution).toEqual({ width: 1280, height: 720 })
  const made = await wholeOf(video, compatible.segments.slice(0, 1))
  expect(decoded(made)).toBe('')
  expect(probed(made)).toMatchObject({ codecs: ['h264'], width: 1280, height: 720 })
}, 300_000)
