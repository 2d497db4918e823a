import * as HLS from 'hls-parser'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withPositiveOffsets } from '../../server/media/rewrite.ts'
import { bytesOf } from './playlists.ts'
import { create, minuteAround, pause, recordFor } from './recordings.ts'
import { h264, h265, makeTape, packetTimesOf, played, slicesOf, tapes, timesOf } from './tapes.ts'
import { camera, decoded, probed, segments, serve, startVideo, widthsOf, type VideoHarness } from './video.ts'

const playlistOf = async (video: VideoHarness, base: string, url: string) => {
  const multivariant = HLS.parse((await bytesOf(video, `${base}/${url}`)).toString())
  if (!multivariant.isMasterPlaylist) throw new Error('not a multivariant playlist')
  const [variant] = multivariant.variants
  const uri = variant?.uri ?? ''
  const media = HLS.parse((await bytesOf(video, `${base}/${uri}`)).toString())
  if (media.isMasterPlaylist) throw new Error('not a media playlist')
  return { variant, media, folder: `${base}/${uri}`.replace(/[^/]*\?.*$|[^/]*$/, '') }
}

const wholeOf = async (video: VideoHarness, { media, folder }: Awaited<ReturnType<typeof playlistOf>>) => {
  const init = await bytesOf(video, `${folder}${media.segments[0]?.map?.uri}`)
  const parts: Buffer[] = []
  for (const { uri } of media.segments) parts.push(await bytesOf(video, `${folder}${uri}`))
  return { init, parts, whole: Buffer.concat([init, ...parts]) }
}

test('H.265 at 1080p is recorded bit for bit as the camera sends it', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.mp4'), { size: '1920x1080', video: h265(25), seconds: 1 })
  const { uid, base } = await recordFor(video, played(tape, '-f', 'mpegts'), 3)

  const main = await playlistOf(video, base, `index.m3u8?${minuteAround()}`)
  expect(main.variant?.codecs).toMatch(/^hvc1\.1\.6\.L(?:93|120|123)\.90$/)
  expect(main.variant?.resolution).toEqual({ width: 1920, height: 1080 })
  const { whole } = await wholeOf(video, main)
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
  const base = `/v1/stream/${uid}/archive`
  await segments(video.site, uid, 4)
  const { body: stream } = await video.ask('GET', `/v1/stream/${uid}`, { cookie: video.admin })
  expect(stream).toMatchObject({
    renditions: ['main', 'compatible'],
    video: { codec: expect.stringMatching(/^hvc1\./), width: 1280, height: 960, fps: 8 },
  })
  const live = await playlistOf(video, base, 'index.m3u8?rendition=compatible')
  expect(live.variant?.codecs).toBe('avc1.42c028,mp4a.40.2')
  expect(live.variant?.resolution).toEqual({ width: 960, height: 720 })
  const now = await wholeOf(video, live)
  expect(probed(now.whole).codecs).toEqual(['h264', 'aac'])
  expect(decoded(now.whole)).toBe('')

  await pause(video, uid)
  const range = minuteAround()
  const main = await playlistOf(video, base, `index.m3u8?${range}&rendition=main`)
  const compatible = await playlistOf(video, base, `index.m3u8?${range}&rendition=compatible`)
  const momentsOf = ({ media }: typeof main) =>
    media.segments.map(({ uri, duration, programDateTime, discontinuity }) => ({
      uri,
      duration,
      programDateTime,
      discontinuity,
    }))
  expect(momentsOf(compatible)).toEqual(momentsOf(main))
  const [sent, made] = [await wholeOf(video, main), await wholeOf(video, compatible)]
  expect(probed(sent.whole).codecs).toEqual(['hevc', 'aac'])
  expect(probed(made.whole).codecs).toEqual(['h264', 'aac'])
  expect(decoded(made.whole)).toBe('')
  expect(new Set(widthsOf(made.whole))).toEqual(new Set([960]))
  const [first] = await video.site.index.within(uid, 0, Date.now(), 1)
  const run = first === undefined ? undefined : await video.site.index.run(uid, first.run)
  if (first === undefined || run === undefined) throw new Error('nothing recorded')
  const shown = timesOf(made.whole)
  // ffprobe itself shows pictures late where offsets are negative.
  const before = timesOf(Buffer.concat([sent.init, withPositiveOffsets(Buffer.concat(sent.parts), run.init)]))
  expect(shown).toEqual(before.map((time) => expect.closeTo(time, 4)))
  expect(shown[0]).toBeCloseTo(first.mediaStart, 4)
})

/** Seconds from the start of each segment to the next, by their dates. */
const stepsOf = ({ media }: Awaited<ReturnType<typeof playlistOf>>): number[] => {
  const starts = media.segments.map(({ programDateTime }) => Number(programDateTime))
  return starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / 1000)
}

const cutsOf = ({ media }: Awaited<ReturnType<typeof playlistOf>>): number =>
  media.segments.filter(({ discontinuity }) => discontinuity).length

test('sound of every kind is kept as AAC, and said so in the log', async () => {
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
    const { uid, base } = await recordFor(video, played(tape, '-f', format), 2)
    const playlist = await playlistOf(video, base, `index.m3u8?${minuteAround()}`)
    const { whole } = await wholeOf(video, playlist)
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

test('MJPEG of five pictures a second is recorded at the time that it came, without a cut', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.avi'), { rate: 5, video: ['-c:v', 'mjpeg'] })
  const { uid, base } = await recordFor(
    video,
    played(tape, '-f', 'mpjpeg'),
    5,
    'multipart/x-mixed-replace;boundary=ffmpeg',
  )
  const playlist = await playlistOf(video, base, `index.m3u8?${minuteAround()}`)
  const { whole } = await wholeOf(video, playlist)
  expect(cutsOf(playlist)).toBe(0)
  expect(probed(whole)).toMatchObject({ codecs: ['h264'], width: 320, height: 180 })
  const recorded = await video.site.index.period(uid)
  const seconds = ((recorded?.endTime ?? 0) - (recorded?.startTime ?? 0)) / 1000
  expect(probed(whole).packets / seconds).toBeCloseTo(5, 0)
})

test('a segment begins when its first picture is shown, also where B-frames come before it', async () => {
  const video = await startVideo()
  const tape = makeTape(join(tapes(), 'tape.mp4'), {
    rate: 24,
    video: h264(24, '-bf', '3', '-x264-params', 'open-gop=1:b-adapt=0'),
    seconds: 4,
  })
  const { uid, base } = await recordFor(video, played(tape, '-f', 'mpegts'), 4)
  const playlist = await playlistOf(video, base, `index.m3u8?${minuteAround()}`)
  const { init, parts } = await wholeOf(video, playlist)
  const found = (await video.site.index.within(uid, 0, Date.now(), 10)).map(({ mediaStart }) => mediaStart)
  const shown = parts.map((part) => Math.min(...packetTimesOf(Buffer.concat([init, part]))))
  // ffprobe adds the same to each.
  const added = (shown[0] ?? 0) - (found[0] ?? 0)
  expect(found).toEqual(shown.map((time) => expect.closeTo(time - added, 3)))
  expect(found[1]).toBeCloseTo(45 / 24, 3)
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
  const playlists = await Promise.all(
    [often, seldom].map(({ base }) => playlistOf(video, base, `index.m3u8?${minuteAround()}`)),
  )
  expect(playlists.map(cutsOf)).toEqual([0, 0])
  const durations = playlists.map(({ media }) => media.segments.map(({ duration }) => Math.round(duration * 10) / 10))
  expect(durations[0]?.slice(0, 3)).toEqual([1, 1, 1])
  expect(durations[1]?.[0]).toBe(10)
})

test('a camera whose timestamps leap back and ahead is recorded without a gap or a stall', async () => {
  const video = await startVideo()
  const folder = tapes()
  const takes = ['1000', '997', '1004'].map((offset) =>
    readFileSync(
      makeTape(join(folder, `${offset}.ts`), {
        video: h264(25, '-bf', '2', '-output_ts_offset', offset),
        sound: ['-c:a', 'aac'],
      }),
    ),
  )
  const address = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    response.end(Buffer.concat(takes))
  })
  const uid = await create(video, `${address}/`)
  await segments(video.site, uid, 6)
  await pause(video, uid)
  const playlist = await playlistOf(video, `/v1/stream/${uid}/archive`, `index.m3u8?${minuteAround()}`)
  const durations = playlist.media.segments.slice(0, 6).map(({ duration }) => duration)
  expect(durations).toEqual(durations.map(() => expect.closeTo(1, 1)))
  expect(stepsOf(playlist).slice(0, 5)).toEqual(durations.slice(1).map(() => expect.closeTo(1, 1)))
  const { whole } = await wholeOf(video, playlist)
  expect(decoded(whole)).toBe('')
})
