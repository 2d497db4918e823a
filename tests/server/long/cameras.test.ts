import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withPositiveOffsets } from '../../../server/media/rewrite.ts'
import { partsOf, playlistOf, stepsOf, wholeOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause, recordFor } from '../fixtures/recordings.ts'
import { h264, h265, makeTape, played, tapes, timesOf } from '../fixtures/tapes.ts'
import { camera, decoded, probed, segments, serve, startVideo, widthsOf } from '../fixtures/video.ts'

test('the rendition compatible is H.264 of the same moments, live and from the archive', async () => {
  const video = await startVideo()
  // Each keyframe is led by pictures that need the segment before.
  const tape = makeTape(join(tapes(), 'tape.mp4'), {
    size: '1280x960',
    rate: 8,
    video: h265(8, ':open-gop=1:bframes=3:b-adapt=0'),
    sound: ['-c:a', 'aac'],
    seconds: 4,
  })
  const uid = await create(video, `${await serve(camera(played(tape, '-f', 'mpegts')))}/`)
  await segments(video.site, uid, 4)
  const { body: stream } = await video.ask('GET', `/v1/stream/${uid}`, { cookie: video.admin })
  expect(stream).toMatchObject({
    renditions: ['main', 'compatible'],
    video: { codec: expect.stringMatching(/^hvc1\./), width: 1280, height: 960, fps: 8 },
  })
  const live = await playlistOf(video, uid, 'rendition=compatible')
  expect(live.variant?.codecs).toBe('avc1.42c028,mp4a.40.2')
  expect(live.variant?.resolution).toEqual({ width: 960, height: 720 })
  for (const { duration } of live.segments) expect(Math.abs(duration - 0.5)).toBeLessThan(0.25)
  expect(stepsOf(live.segments)).toEqual(
    live.segments.slice(1).map((_, index) => expect.closeTo(live.segments[index]?.duration ?? 0, 2)),
  )
  const now = await wholeOf(video, live.segments)
  expect(probed(now).codecs).toEqual(['h264', 'aac'])
  expect(decoded(now)).toBe('')

  await pause(video, uid)
  const range = minuteAround()
  const main = await playlistOf(video, uid, `${range}&rendition=main`)
  const compatible = await playlistOf(video, uid, `${range}&rendition=compatible`)
  const startsOf = ({ segments }: typeof main) => segments.map(({ start }) => start)
  const secondsOf = ({ segments }: typeof main) => segments.reduce((sum, { duration }) => sum + duration, 0)
  expect(startsOf(compatible)).toEqual(expect.arrayContaining(startsOf(main)))
  expect(secondsOf(compatible)).toBeCloseTo(secondsOf(main), 4)
  for (const { duration } of compatible.segments) expect(Math.abs(duration - 0.5)).toBeLessThan(0.25)
  const sent = await partsOf(video, main.segments)
  const made = await wholeOf(video, compatible.segments)
  expect(probed(Buffer.concat([sent.init, ...sent.parts])).codecs).toEqual(['hevc', 'aac'])
  expect(probed(made).codecs).toEqual(['h264', 'aac'])
  expect(decoded(made)).toBe('')
  expect(new Set(widthsOf(made))).toEqual(new Set([960]))
  const [first] = await video.site.index.within(uid, 0, Date.now(), 1)
  const run = first === undefined ? undefined : await video.site.index.run(uid, first.run)
  if (first === undefined || run === undefined) throw new Error('nothing recorded')
  const shown = timesOf(made)
  // ffprobe itself shows pictures late where offsets are negative.
  const before = timesOf(Buffer.concat([sent.init, withPositiveOffsets(Buffer.concat(sent.parts), run.init)]))
  const without = (all: readonly number[], others: readonly number[]) =>
    all.filter((time) => others.every((other) => Math.abs(time - other) > 0.001))
  expect(without(before, shown)).toEqual([])
  // Only at the start of a subsegment is a picture repeated.
  let begin = first.mediaStart
  const starts = compatible.segments.map(({ duration }) => (begin += duration) - duration)
  expect(without(without(shown, before), starts)).toEqual([])
  expect(shown[0]).toBeCloseTo(first.mediaStart, 4)
})

test('sound of every kind is kept as AAC, which is logged', async () => {
  const video = await startVideo()
  const folder = tapes()
  const kinds = [
    ['copied.ts', ['-c:a', 'aac'], 'AAC sound copied'],
    ['alaw.mkv', ['-c:a', 'pcm_alaw', '-ar', '8000'], 'sound encoded again from G.711 as AAC'],
    ['opus.mkv', ['-c:a', 'libopus'], 'sound encoded again from Opus as AAC'],
    ['g726.mkv', ['-c:a', 'adpcm_g726', '-ar', '8000'], 'sound encoded again from G.726 as AAC'],
  ] as const
  const cameras = kinds.map(async ([name, sound, words]) => {
    const tape = makeTape(join(folder, name), { video: h264(25), sound, seconds: 4 })
    const format = name.endsWith('.ts') ? 'mpegts' : 'matroska'
    const { uid } = await recordFor(video, played(tape, '-f', format), 2)
    const playlist = await playlistOf(video, uid, minuteAround())
    const whole = await wholeOf(video, playlist.segments)
    expect(decoded(whole)).toBe('')
    const times = timesOf(whole)
    const steps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    // Where the tape begins again, its sound is up to a frame of AAC longer than its pictures.
    expect(Math.min(...steps)).toBeCloseTo(1 / 25, 3)
    expect(Math.max(...steps)).toBeLessThan(1 / 25 + 1024 / 48_000)
    expect((await video.site.logs.read(uid, undefined)).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(new RegExp(`^Connected: avc1.*; H.264 pictures copied, ${words}$`)),
    )
    return [playlist.variant?.codecs?.split(',')[1], probed(whole).codecs]
  })
  expect(await Promise.all(cameras)).toEqual(kinds.map(() => ['mp4a.40.2', ['h264', 'aac']]))
})

test('keyframes half a second and ten seconds apart', async () => {
  const video = await startVideo()
  const folder = tapes()
  const near = makeTape(join(folder, 'near.mp4'), { rate: 10, video: h264(5), seconds: 4 })
  const far = makeTape(join(folder, 'far.mp4'), { rate: 10, video: h264(100), seconds: 10 })
  const [often, seldom] = await Promise.all([
    recordFor(video, played(near, '-f', 'mpegts'), 4),
    recordFor(video, played(far, '-f', 'mpegts'), 1),
  ])
  const playlists = await Promise.all([often, seldom].map(({ uid }) => playlistOf(video, uid, minuteAround())))
  expect(playlists.map(({ segments }) => segments.some(({ isCut }) => isCut))).toEqual([false, false])
  const durations = playlists.map((each) => each.segments.map(({ duration }) => Math.round(duration * 10) / 10))
  expect(durations[0]?.slice(0, 3)).toEqual([1, 1, 1])
  expect(durations[1]?.[0]).toBe(10)
})
