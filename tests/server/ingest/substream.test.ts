import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { patience } from '../../fixtures/patience.ts'
import { archiveOf, bytesOf, playlistOf } from '../fixtures/playlists.ts'
import { numbersIn, pairCamera } from './substream-camera.ts'
import { logged, segments, serve, startVideo, type VideoHarness } from '../fixtures/video.ts'

const create = async ({ ask, admin }: VideoHarness, body: object): Promise<string> => {
  const answer = await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'Door', ...body } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return String(Reflect.get(Object(answer.body), 'uid'))
}

const streamOf = async ({ ask, admin }: VideoHarness, uid: string): Promise<unknown> =>
  (await ask('GET', `/v1/stream/${uid}`, { cookie: admin })).body

const lately = () =>
  `start_time=${new Date(Date.now() - 60_000).toISOString()}&end_time=${new Date(Date.now() + 60_000).toISOString()}`

/** When each numbered picture was, by the dates of a playlist. */
const momentsOf = async (video: VideoHarness, list: Awaited<ReturnType<typeof playlistOf>>['segments']) => {
  const moments = new Map<number, number>()
  for (const { uri, init, start, duration } of list) {
    const numbers = numbersIn(Buffer.concat([await bytesOf(video, init), await bytesOf(video, uri)]))
    for (const [index, number] of numbers.entries())
      moments.set(number, start + (index * duration * 1000) / numbers.length)
  }
  return moments
}

test('a substream is recorded beside the main stream, and played on request', async () => {
  const video = await startVideo()
  const address = await serve(pairCamera())
  const uid = await create(video, { streamSource: `${address}/main`, substreamSource: `${address}/sub` })
  await Promise.all([segments(video.site, uid, 4), segments(video.site, `${uid}.sub`, 4)])

  const [main, sub] = [await playlistOf(video, uid), await playlistOf(video, uid, 'rendition=sub')]
  expect([main.path, main.variant?.resolution]).toEqual(['live.m3u8', { width: 640, height: 180 }])
  expect([sub.path, sub.variant?.resolution]).toEqual(['sub/live.m3u8', { width: 320, height: 90 }])
  expect(sub.segments.length).toBeGreaterThan(0)
  expect(video.site.supervisor(uid)?.viewers()).toBe(1)

  const [whole, small] = [
    await playlistOf(video, uid, lately()),
    await playlistOf(video, uid, `rendition=sub&${lately()}`),
  ]
  expect([whole.path, whole.variant?.resolution]).toEqual(['recorded.m3u8', { width: 640, height: 180 }])
  expect([small.path, small.variant?.resolution]).toEqual(['sub/recorded.m3u8', { width: 320, height: 90 }])

  const moments = await momentsOf(video, whole.segments)
  const shared = [...(await momentsOf(video, small.segments))].filter(([number]) => moments.has(number))
  expect(shared.length).toBeGreaterThan(50)
  for (const [number, moment] of shared) expect(Math.abs(moment - (moments.get(number) ?? 0))).toBeLessThan(150)

  const widthIn = (jpeg: Buffer) => jpeg.readUInt16BE(jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 7)
  expect(widthIn(await bytesOf(video, `/v1/stream/preview?stream_id=${uid}`))).toBe(320)
  const [begin] = small.segments
  const moment = new Date((begin?.start ?? 0) + 500).toISOString()
  expect(widthIn(await bytesOf(video, `/v1/stream/preview?stream_id=${uid}&time=${moment}`))).toBe(320)

  expect(await streamOf(video, uid)).toMatchObject({
    status: 'running',
    failureReason: '',
    renditions: ['main', 'sub', 'compatible'],
    substreamSource: `${address}/sub`,
  })
  const messages = (await video.site.logs.read(uid, undefined)).map(({ message }) => message)
  expect(messages.filter((message) => message.startsWith('Connected'))).toEqual([
    expect.stringMatching(/^Connected: avc1\.\w+, 640×180; H\.264 pictures copied/),
  ])
  expect(messages.filter((message) => message.startsWith('Substream: Connected'))).toEqual([
    expect.stringMatching(/^Substream: Connected: avc1\.\w+, 320×90; H\.264 pictures copied/),
  ])
})

test('a substream that fails is named, and the main stream plays instead', async () => {
  const video = await startVideo()
  const address = await serve(pairCamera())
  const uid = await create(video, { streamSource: `${address}/main`, substreamSource: `${address}/none` })
  await Promise.all([
    segments(video.site, uid, 2),
    logged(video.site, uid, /^Substream: The camera has nothing at this path; trying again/),
  ])
  await vi.waitFor(async () => {
    expect(await streamOf(video, uid)).toMatchObject({
      status: 'running',
      failureReason: 'Substream: HTTP_NOT_FOUND',
      renditions: ['main', 'sub', 'compatible'],
    })
  }, patience)
  expect((await playlistOf(video, uid, 'rendition=sub')).path).toBe('live.m3u8')
  expect((await playlistOf(video, uid, `rendition=sub&${lately()}`)).path).toBe('recorded.m3u8')
  const { body } = await video.ask(
    'GET',
    `/v1/annotations?streamId=${uid}&${lately().replace('start_time', 'from').replace('end_time', 'to')}`,
    {
      cookie: video.admin,
    },
  )
  expect(body).toEqual({ items: [] })
})

test('a stream without a substream answers with its main rendition', async () => {
  const video = await startVideo()
  const uid = await create(video, { streamSource: 'demo:gate' })
  await segments(video.site, uid, 1)
  expect((await playlistOf(video, uid, 'rendition=sub')).path).toBe('live.m3u8')
  const { ask, admin } = video
  for (const url of ['sub/live.m3u8', 'sub/live/1.m4s', 'sub/part/1.m4s', 'sub/init/1.mp4', 'sub/recorded/1.m4s'])
    expect([url, (await ask('GET', archiveOf(uid) + url, { cookie: admin })).status]).toEqual([url, 404])
  expect(await streamOf(video, uid)).toMatchObject({ renditions: ['main', 'compatible'] })
  expect(Object.keys(Object(await streamOf(video, uid)))).not.toContain('substreamSource')
})

test('a substream begins, changes and ends with the settings of its stream', async () => {
  const video = await startVideo()
  const { ask, admin, site } = video
  const put = async (uid: string, substreamSource?: string) => {
    const body = {
      name: 'Door',
      streamSource: 'demo:gate',
      ...(substreamSource === undefined ? {} : { substreamSource }),
    }
    return ask('PUT', `/v1/stream/${uid}`, { cookie: admin, body })
  }
  const uid = await create(video, { streamSource: 'demo:gate' })
  await put(uid, 'demo:yard')
  await segments(site, `${uid}.sub`, 2)
  expect((await put(uid)).body).toMatchObject({
    substreamSource: 'demo:yard',
    renditions: ['main', 'sub', 'compatible'],
  })
  expect((await playlistOf(video, uid, 'rendition=sub')).path).toBe('sub/live.m3u8')
  await Promise.all([put(uid, 'demo:warehouse'), logged(site, uid, /^Substream: Stopped/)])
  await segments(site, `${uid}.sub`, 1)
  for (const next of ['', 'demo:yard', '']) await put(uid, next)
  await vi.waitFor(() => expect(site.supervisor(`${uid}.sub`)).toBeUndefined(), patience)
  expect(Object.keys(Object(await streamOf(video, uid)))).not.toContain('substreamSource')
  expect((await playlistOf(video, uid, 'rendition=sub')).path).toBe('live.m3u8')
  expect((await playlistOf(video, uid, `rendition=sub&${lately()}`)).path).toBe('sub/recorded.m3u8')
})

test('a removed stream and its substream are one recording, kept or deleted together', async () => {
  const video = await startVideo()
  const { ask, admin, site, context } = video
  const pair = { streamSource: 'demo:gate', substreamSource: 'demo:yard' }
  const record = async () => {
    const uid = await create(video, pair)
    await Promise.all([segments(site, uid, 2), segments(site, `${uid}.sub`, 2)])
    return uid
  }
  const left = async () => (await ask('GET', '/v1/admin/recordings', { cookie: admin })).body
  const [kept, deleted] = [await record(), await record()]
  expect(await left()).toEqual({ items: [] })
  await ask('DELETE', `/v1/stream/${deleted}?purge=true`, { cookie: admin })
  await ask('DELETE', `/v1/stream/${kept}`, { cookie: admin })
  const recordings = await Promise.all([kept, `${kept}.sub`].map(site.index.recording))
  const bytes = await Promise.all(recordings.map((each) => site.index.bytesOf(each?.recording ?? -1)))
  expect(bytes.every((each) => each > 0)).toBe(true)
  expect(await left()).toMatchObject({
    items: [{ uid: kept, name: 'Door', depthHours: -1, bytes: bytes.reduce((sum, each) => sum + each, 0) }],
  })
  expect((await ask('DELETE', `/v1/admin/recordings/${kept}.sub`, { cookie: admin })).status).toBe(404)
  await ask('DELETE', `/v1/admin/recordings/${kept}`, { cookie: admin })
  expect(await left()).toEqual({ items: [] })
  await vi.waitFor(() => expect(readdirSync(join(context.dataDir, 'archive'))).toEqual([]), patience)
})

test('an address of a substream is as well guarded as that of the main one', async () => {
  const video = await startVideo({ allowLoopback: false })
  const { ask, admin, addUser, signIn, context } = video
  const main = 'rtsp://root:main-secret@192.0.2.7/1'
  const draft = (substreamSource?: string) => ({ name: 'Door', streamSource: main, substreamSource })
  const refused = async (address: string) =>
    (await ask('POST', '/v1/stream', { cookie: admin, body: draft(address) })).body
  const error = (message: string) =>
    expect.objectContaining({ code: 'ValidationError', details: { substreamSource: message } })
  expect(await refused('nothing')).toEqual(error('Not an address'))
  expect(await refused('ftp://192.0.2.7/x')).toEqual(error('This kind of address is not supported'))
  expect(await refused('rtsp://127.0.0.1/x')).toEqual(error('This address is not allowed as a source'))
  expect(await refused('rtsp://***@192.0.2.8/x')).toEqual(error('Enter the login and password again'))

  const uid = await create(video, draft('rtsp://user:sub-secret@192.0.2.7/2'))
  await ask('POST', `/v1/stream/pause/${uid}`, { cookie: admin })
  await addUser('viewer')
  const viewer = await signIn('viewer')
  await ask('POST', `/v1/stream/${uid}/permissions`, {
    cookie: admin,
    body: { permissions: [{ login: 'viewer', canView: true, canViewArchive: false, canAdmin: false }] },
  })
  expect((await ask('GET', `/v1/stream/${uid}`, { cookie: viewer })).body).toMatchObject({
    substreamSource: 'rtsp://***@192.0.2.7/2',
  })
  const token = String(
    Reflect.get(Object((await ask('GET', `/v1/stream/${uid}/share`, { cookie: admin })).body), 'token'),
  )
  expect((await ask('GET', `/v1/stream/${uid}`, { headers: { 'share-token': token } })).body).toMatchObject({
    substreamSource: 'rtsp://192.0.2.7/2',
  })
  const put = (substreamSource?: string) =>
    ask('PUT', `/v1/stream/${uid}`, { cookie: admin, body: draft(substreamSource) })
  expect((await put('rtsp://***@192.0.2.7/3')).body).toMatchObject({
    substreamSource: 'rtsp://user:sub-secret@192.0.2.7/3',
  })
  expect((await put()).body).toMatchObject({ substreamSource: 'rtsp://user:sub-secret@192.0.2.7/3' })
  expect((await put('')).body).not.toHaveProperty('substreamSource')
  expect((await put('rtsp://***@192.0.2.7/4')).body).toMatchObject({
    substreamSource: 'rtsp://root:main-secret@192.0.2.7/4',
  })

  const found = async (word: string) =>
    Reflect.get(Object((await ask('GET', `/v1/streams?searchingValues=${word}`, { cookie: admin })).body), 'total')
  await put('rtsp://user:sub-secret@192.0.2.7/second-picture')
  expect([await found('second-picture'), await found('sub-secret')]).toEqual([1, 0])
  for (const role of [{ cookie: viewer }, { headers: { 'share-token': token } }])
    expect((await ask('GET', `${archiveOf(uid)}sub/recorded/1.m4s`, role)).status).toBe(403)
  for (const address of [
    `/v1/stream/${uid}.sub`,
    `${archiveOf(`${uid}.sub`)}live.m3u8`,
    `/v1/stream/preview?stream_id=${uid}.sub`,
  ])
    expect([address, (await ask('GET', address, { cookie: admin })).status]).toEqual([address, 404])
  expect(JSON.stringify(context.serverLog.read(undefined))).not.toMatch(/secret/)
})
