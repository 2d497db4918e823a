import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createOverload, type Overload } from '../../../server/administration/host-load.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { transcoded } from '../../../server/media/transcode.ts'
import { createTranscodes } from '../../../server/media/transcodes.ts'
import { archiveOf, bytesOf, playlistOf } from '../fixtures/playlists.ts'
import { create, minuteAround, pause, recordedOneAfterAnother } from '../fixtures/recordings.ts'
import { h264, h265, makeTape, played, tapes } from '../fixtures/tapes.ts'
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

  // The picture may have taken longer than the 20 s for which its viewer counts.
  const watch = () => playlistOf(video, uid, 'rendition=compatible')
  const range = minuteAround()
  await watch()
  expect(await refused(`${archiveOf(uid)}index.m3u8?${range}&rendition=compatible`)).toEqual(tooMany)
  const [recorded] = (await playlistOf(video, uid, range)).segments
  const segment = recorded?.uri.replace('/archive/', '/archive/compatible/') ?? ''
  await watch()
  expect(await refused(segment)).toEqual(tooMany)

  // A live stream counts once for all its viewers, and the camera's own picture not at all.
  await video.addUser('bob', true)
  const bob = await video.signIn('bob')
  expect((await video.ask('GET', `${archiveOf(uid)}index.m3u8?rendition=compatible`, { cookie: bob })).status).toBe(200)
  expect((await playlistOf(video, uid)).variant?.codecs).toMatch(/^hvc1/)
})

test('an overload warns administrators, refuses new transcoding, and gives up the newest first', async () => {
  let maxPercent = 95
  const { add, overloadedSamples } = createOverload(() => maxPercent)
  // The load of the machine that runs the test doesn't count.
  const { video, uid, refused } = await startLimited(3, { overload: { add: () => undefined, overloadedSamples } })
  const isWarned = async (as?: { cookie: string }) =>
    JSON.stringify((await video.ask('GET', '/v1/system/health', as)).body).includes('PROCESSOR_OVERLOADED')
  await video.addUser('bob', true)
  const bob = await video.signIn('bob')
  const live = `${archiveOf(uid)}index.m3u8?rendition=compatible`
  const archive = `${archiveOf(uid)}index.m3u8?${minuteAround()}&rendition=compatible`
  const statuses = async (...cookies: string[]) => {
    const answers = [await refused(live)]
    for (const cookie of cookies) answers.push(await refused(archive, cookie))
    return answers.map(({ status }) => status)
  }
  expect(await statuses(video.admin)).toEqual([200, 200])
  for (let count = 0; count < 3; count += 1) add(95)
  expect(await isWarned({ cookie: video.admin })).toBe(false)
  add(100)
  expect([await isWarned({ cookie: video.admin }), await isWarned()]).toEqual([true, false])
  expect(await statuses(video.admin, bob)).toEqual([200, 200, 503])
  add(100)
  expect(await statuses(video.admin)).toEqual([200, 503])
  expect(await refused(archive)).toEqual(tooMany)
  add(100)
  expect(await statuses(video.admin)).toEqual([503, 503])
  maxPercent = 0
  expect(await isWarned({ cookie: video.admin })).toBe(false)
  maxPercent = 95
  add(94)
  expect(await isWarned({ cookie: video.admin })).toBe(false)
  expect(await statuses(video.admin, bob)).toEqual([200, 200, 200])
  // A new overload begins with a minute in which all go on.
  for (let count = 0; count < 4; count += 1) add(100)
  expect(await statuses(video.admin, bob)).toEqual([200, 200, 200])
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

test('a camera that was switched from H.265 to H.264 offers compatible, for what is older', async () => {
  const tapeOf = (name: string, video: string[]) => makeTape(join(tapes(), name), { video, seconds: 2 })
  const files = [tapeOf('h265.mp4', h265(25)), tapeOf('h264.mp4', h264(25))]
  const { video, uid, starts } = await recordedOneAfterAnother(files)
  const { body } = await video.ask('GET', `/v1/stream/${uid}`, { cookie: video.admin })
  expect(body).toMatchObject({ renditions: ['main', 'compatible'] })
  const [whole, newer] = [minuteAround(), new URLSearchParams(minuteAround())]
  newer.set('start_time', new Date(starts[1] ?? Number.NaN).toISOString())
  const pathOf = async (range: string) => (await playlistOf(video, uid, `${range}&rendition=compatible`)).path
  expect([await pathOf(whole), await pathOf(newer.toString())]).toEqual(['compatible/recorded.m3u8', 'recorded.m3u8'])
})

const watching = (maxWatched: number) => {
  const clock = { now: 1000, overloadedSamples: 0 }
  const { admit } = createTranscodes(
    () => maxWatched,
    () => clock.overloadedSamples,
    () => clock.now,
  )
  const isRefused = (name: string, seconds = 2) => {
    try {
      admit(name, seconds)
      return false
    } catch {
      return true
    }
  }
  return { clock, isRefused }
}

test('media is watched for 20 s after a request, or for two segments if that is longer', () => {
  const { clock, isRefused } = watching(1)
  expect(isRefused('live gate', 2)).toBe(false)
  clock.now += 19_999
  expect([isRefused('live yard', 30), isRefused('live gate', 2)]).toEqual([true, false])
  clock.now += 20_000
  expect(isRefused('live yard', 30)).toBe(false)
  clock.now += 59_999
  expect(isRefused('live gate', 2)).toBe(true)
  clock.now += 1
  expect(isRefused('live gate', 2)).toBe(false)
})

test('an overload gives up as much as it has lasted, also where nothing was requested meanwhile', () => {
  const { clock, isRefused } = watching(9)
  const refused = (...names: string[]) => names.filter((name) => isRefused(name))
  expect(refused('left', 'gate', 'yard', 'door', 'hall')).toEqual([])
  clock.now += 15_000
  expect(refused('gate', 'yard', 'door', 'hall')).toEqual([])
  clock.now += 15_000
  clock.overloadedSamples = 3
  expect(refused('gate', 'yard', 'door', 'hall', 'left')).toEqual(['door', 'hall', 'left'])
  clock.overloadedSamples = 4
  expect(refused('gate', 'yard', 'door')).toEqual(['yard', 'door'])
  clock.overloadedSamples = 400
  expect(refused('gate')).toEqual(['gate'])
  clock.overloadedSamples = 0
  expect(refused('gate', 'yard', 'door', 'hall')).toEqual([])
})
