import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readInit } from '../../../server/media/init.ts'
import { bytesOf, playlistOf, wholeOf } from '../fixtures/playlists.ts'
import { minuteAround, recordFor } from '../fixtures/recordings.ts'
import { h264, h265, makeTape, played, tapes } from '../fixtures/tapes.ts'
import { decoded, probed, startVideo } from '../fixtures/video.ts'

test('pictures whose samples are no squares keep their shape as compatible', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.mp4'), { size: '320x240', video: [...h265(25), '-vf', 'setsar=4/3'] })
  const { uid } = await recordFor(video, played(tape, '-f', 'mpegts'), 2)
  const main = await playlistOf(video, uid, minuteAround())
  expect(main.variant?.resolution).toEqual({ width: 320, height: 240 })

  const { variant, segments } = await playlistOf(video, uid, `${minuteAround()}&rendition=compatible`)
  expect(variant?.resolution).toEqual({ width: 426, height: 240 })
  const whole = await wholeOf(video, segments)
  expect(probed(whole)).toMatchObject({ codecs: ['h264'], width: 426, height: 240 })
  expect(decoded(whole)).toBe('')
  expect(readInit(await bytesOf(video, segments[0]?.init ?? ''))?.video).toMatchObject({ width: 426, sampleAspect: 1 })
})

test('a shape that no camera has is none', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.mp4'), { video: [...h264(25), '-vf', 'setsar=1/90'] })
  const { uid } = await recordFor(video, played(tape, '-f', 'mpegts'), 1)
  const [segment] = (await playlistOf(video, uid, minuteAround())).segments
  expect(readInit(await bytesOf(video, segment?.init ?? ''))?.video).toMatchObject({ width: 320, sampleAspect: 1 })
})
