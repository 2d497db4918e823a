import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createOverload, type Overload } from '../../../server/administration/host-load.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { transcoded } from '../../../server/media/transcode.ts'
import { createTranscodes } from '../../../server/media/transcodes.ts'
import { archiveOf, bytesOf, playlistOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause } from '../fixtures/recordings.ts'
import { h265, makeTape, played, tapes } from '../fixtures/tapes.ts'
import { camera, segments, serve, startVideo } from '../fixtures/video.ts'

const startLimited = async (transcodesMax: number, options: { overload?: Overload } = {}) => {
  const video = await startVideo({
    ...options,
    defaults: { ...builtInValues, limits: { ...builtInValues.limits, transcodesMax } },
  })
  const tape = makeTape(join(tapes(), 'tape.mp4'), { video: h265(25), seconds: 2 })
  const uid = await create(video, `${await serve(camera(played(tape, '-f', 'mpegts')))}/`)
  await segments(video.site, uid, 2)
  const refused = async (url: string, cookie = video.admin) => {
    const { status, headers, body } = await video.ask('GET', url, { cookie })
    return { status, body, retryAfter: headers['retry-after'] }
  }
  return { video, uid, refused }
}

const tooMany = { status: 503, body: { code: 'Unavailable' }, retryAfter: '10' }

test('the rendition compatible beyond the limit is 503 until other viewers have left', async () => {
  const { video, uid, refused } = await startLimited(1)
  const { variant, segments: listed } = await playlistOf(video, uid, 'rendition=compatible')
  expect(variant?.codecs).toBe('avc1.42c028')
  // What a worker sends are copies, whose video is no longer the object that is among the tracks.
  const init = video.site.supervisor(uid)?.live.newest()?.run.init
  if (init === undefined) throw new Error('no run')
  const copied = transcoded({ ...init, video: { ...init.video } })
  expect(copied.tracks.map(({ codec }) => codec)).toEqual(['avc1.42c028'])
  await bytesOf(video, listed[0]?.uri ?? '')

  const range = minuteAround()
  expect(await refused(`${archiveOf(uid)}index.m3u8?${range}&rendition=compatible`)).toEqual(tooMany)
  const [recorded] = (await playlistOf(video, uid, range)).segments
  const segment = recorded?.uri.replace('/archive/', '/archive/compatible/') ?? ''
  expect(await refused(segment)).toEqual(tooMany)

  // A live stream counts once for all its viewers, and the camera's own picture not at all.
  await video.addUser('bob', true)
  const bob = await video.signIn('bob')
  expect((await video.ask('GET', `${archiveOf(uid)}index.m3u8?rendition=compatible`, { cookie: bob })).status).toBe(200)
  expect((await playlistOf(video, uid)).variant?.codecs).toMatch(/^hvc1/)
})

test('an overloaded processor is a warning to administrators, and refuses new transcoding alone', async () => {
  let maxPercent = 95
  const { add, isOverloaded } = createOverload(() => maxPercent)
  // The load of the machine that runs the test doesn't count.
  const { video, uid, refused } = await startLimited(2, { overload: { add: () => undefined, isOverloaded } })
  const isWarned = async (as?: { cookie: string }) =>
    JSON.stringify((await video.ask('GET', '/v1/system/health', as)).body).includes('PROCESSOR_OVERLOADED')
  const { segments: listed } = await playlistOf(video, uid, 'rendition=compatible')
  for (let count = 0; count < 3; count += 1) add(95)
  expect(await isWarned({ cookie: video.admin })).toBe(false)
  add(100)
  expect([await isWarned({ cookie: video.admin }), await isWarned()]).toEqual([true, false])
  await bytesOf(video, listed[0]?.uri ?? '')
  const archive = `${archiveOf(uid)}index.m3u8?${minuteAround()}&rendition=compatible`
  expect(await refused(archive)).toEqual(tooMany)
  maxPercent = 0
  expect(await isWarned({ cookie: video.admin })).toBe(false)
  maxPercent = 95
  add(94)
  expect(await isWarned({ cookie: video.admin })).toBe(false)
  expect((await video.ask('GET', archive, { cookie: video.admin })).status).toBe(200)
})

test('where the limit is 0 no stream offers compatible, and the main rendition answers for it', async () => {
  const { video, uid, refused } = await startLimited(0)
  const { body } = await video.ask('GET', `/v1/stream/${uid}`, { cookie: video.admin })
  expect(Reflect.get(Object(body), 'renditions')).toEqual(['main'])
  const live = await playlistOf(video, uid, 'rendition=compatible')
  expect([live.path, live.variant?.codecs]).toEqual(['live.m3u8', expect.stringMatching(/^hvc1/)])
  await pause(video, uid)
  const archive = await playlistOf(video, uid, `${minuteAround()}&rendition=compatible`)
  expect([archive.path, archive.variant?.codecs]).toEqual(['recorded.m3u8', expect.stringMatching(/^hvc1/)])
  const missing = { status: 404, body: { code: 'NotFound' }, retryAfter: undefined }
  const [first] = archive.segments
  for (const uri of [first?.uri, first?.init])
    expect(await refused(uri?.replace('/archive/', '/archive/compatible/') ?? '')).toEqual(missing)
})

test('media is watched for 20 s after a request, or for two segments if that is longer', () => {
  const clock = { now: 1000 }
  const { admit } = createTranscodes(
    () => 1,
    () => clock.now,
  )
  const isRefused = (name: string, seconds: number) => {
    try {
      admit(name, seconds)
      return false
    } catch {
      return true
    }
  }
  admit('live gate', 2)
  clock.now += 19_999
  expect([isRefused('live yard', 30), isRefused('live gate', 2)]).toEqual([true, false])
  clock.now += 20_000
  expect(isRefused('live yard', 30)).toBe(false)
  clock.now += 59_999
  expect(isRefused('live gate', 2)).toBe(true)
  clock.now += 1
  expect(isRefused('live gate', 2)).toBe(false)
})
