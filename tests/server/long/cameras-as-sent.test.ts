import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOf, partsOf, playlistOf, stepsOf, wholeOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause, recordFor } from '../fixtures/recordings.ts'
import { h264, h265, makeTape, packetTimesOf, played, slicesOf, tapes } from '../fixtures/tapes.ts'
import { decoded, probed, segments, serve, startVideo } from '../fixtures/video.ts'

test('H.265 at 1080p is recorded bit for bit as the camera sends it', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.mp4'), { size: '1920x1080', video: h265(25), seconds: 1 })
  const { uid, base } = await recordFor(video, played(tape, '-f', 'mpegts'), 3)

  const main = await playlistOf(video, uid, minuteAround())
  expect(main.variant?.codecs).toMatch(/^hvc1\.1\.6\.L(?:93|120|123)\.90$/)
  expect(main.variant?.resolution).toEqual({ width: 1920, height: 1080 })
  const whole = await wholeOf(video, main.segments)
  expect(probed(whole).codecs).toEqual(['hevc'])
  expect(decoded(whole)).toBe('')
  const sent = slicesOf(tape)
  const recorded = slicesOf(whole)
  const first = sent.indexOf(recorded[0] ?? '')
  expect(recorded.length).toBeGreaterThanOrEqual(2 * sent.length)
  expect(recorded).toEqual(recorded.map((_, index) => sent[(first + index) % sent.length]))

  const download = await bytesOf(video, `${base}/download?${minuteAround()}`)
  expect(slicesOf(download)).toEqual(recorded)
  const picture = await bytesOf(video, `/v1/stream/preview?stream_id=${uid}`)
  expect(picture.subarray(0, 2).toString('hex')).toBe('ffd8')
})

test('MJPEG of five pictures a second is recorded at the time that it came, without a cut', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.avi'), { rate: 5, video: ['-c:v', 'mjpeg'] })
  const { uid } = await recordFor(video, played(tape, '-f', 'mpjpeg'), 5, 'multipart/x-mixed-replace;boundary=ffmpeg')
  const playlist = await playlistOf(video, uid, minuteAround())
  const whole = await wholeOf(video, playlist.segments)
  expect(playlist.segments.some(({ isCut }) => isCut)).toBe(false)
  expect(probed(whole)).toMatchObject({ codecs: ['h264'], width: 320, height: 180 })
  const recorded = await video.site.index.period(uid)
  const seconds = ((recorded?.endTime ?? 0) - (recorded?.startTime ?? 0)) / 1000
  expect(probed(whole).packets / seconds).toBeCloseTo(5, 0)
})

test('MJPEG with an odd width and height is recorded with even ones', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.avi'), { rate: 5, video: ['-vf', 'scale=641:481', '-c:v', 'mjpeg'] })
  const { uid } = await recordFor(video, played(tape, '-f', 'mpjpeg'), 1, 'multipart/x-mixed-replace;boundary=ffmpeg')
  const { variant } = await playlistOf(video, uid, minuteAround())
  expect(variant?.resolution).toEqual({ width: 640, height: 480 })
})

test('a segment begins when its first picture is shown, also where B-frames come before it', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.mp4'), {
    rate: 24,
    video: h264(24, '-bf', '3', '-x264-params', 'open-gop=1:b-adapt=0'),
    seconds: 4,
  })
  const { uid } = await recordFor(video, played(tape, '-f', 'mpegts'), 4)
  const { segments } = await playlistOf(video, uid, minuteAround())
  const { init, parts } = await partsOf(video, segments)
  const found = (await video.site.index.within(uid, 0, Date.now(), 10)).map(({ mediaStart }) => mediaStart)
  const shown = parts.map((part) => Math.min(...packetTimesOf(Buffer.concat([init, part]))))
  // ffprobe adds the same to each.
  const added = (shown[0] ?? 0) - (found[0] ?? 0)
  expect(found).toEqual(shown.map((time) => expect.closeTo(time - added, 3)))
  expect(found[1]).toBeCloseTo(45 / 24, 3)
})

test('a camera whose timestamps leap back and ahead is recorded without a gap or a stall', async () => {
  const video = await startVideo()
  const folder = tapes()
  const takes = ['1000', '997', '1004', '1010'].map((offset) =>
    readFileSync(
      makeTape(join(folder, `${offset}.ts`), {
        video: h264(25, '-bf', '2', '-output_ts_offset', offset),
        sound: ['-c:a', 'aac'],
      }),
    ),
  )
  const address = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    response.write(Buffer.concat(takes))
  })
  const uid = await create(video, `${address}/`)
  await segments(video.site, uid, 6)
  await pause(video, uid)
  const playlist = await playlistOf(video, uid, minuteAround())
  const durations = playlist.segments.slice(0, 6).map(({ duration }) => duration)
  expect(durations).toEqual(durations.map(() => expect.closeTo(1, 1)))
  expect(stepsOf(playlist.segments).slice(0, 5)).toEqual(durations.slice(1).map(() => expect.closeTo(1, 1)))
  const whole = await wholeOf(video, playlist.segments)
  expect(decoded(whole)).toBe('')
})
