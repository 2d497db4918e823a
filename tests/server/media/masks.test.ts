import { expect, test } from 'vitest'
import { maskDrawing } from '../../../server/archive/playback/masked-download.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { maskFilter, masksKey } from '../../../server/media/masks.ts'
import { at, difference, greys } from '../fixtures/export-file.ts'
import { camera, expectBurnedIn, inFile, masked, middle, put, range } from '../fixtures/masked-camera.ts'
import { init } from '../fixtures/paused-stream.ts'
import { archiveOf, bytesOf } from '../fixtures/playlists.ts'
import { create } from '../fixtures/recordings.ts'
import { add, record } from '../fixtures/tape.ts'
import { segments as recorded, startVideo } from '../fixtures/video.ts'

const preview = (query = '') => `/v1/stream/preview?stream_id=door&time=${at(0)}${query}`

test('masks are shown to whoever sees the stream, visitors of a share too, and none are absent', async () => {
  const video = await camera()
  const { ask, admin, addUser, signIn, context } = video
  const shown = async (how: Parameters<typeof ask>[2]) => Object((await ask('GET', '/v1/stream/door', how)).body)
  expect(await shown({ cookie: admin })).not.toHaveProperty('masks')
  expect(Object((await put(video, [middle])).body)).toMatchObject({ uid: 'door', masks: [middle] })
  await addUser('bob')
  const permissions = [{ login: 'bob', canView: true, canViewArchive: true, canAdmin: false }]
  await ask('POST', '/v1/stream/door/permissions', { cookie: admin, body: { permissions } })
  const bob = await signIn('bob')
  const token = await context.shares.open('door')
  expect((await shown({ cookie: bob })).masks).toEqual([middle])
  expect((await shown({ headers: { 'share-token': token } })).masks).toEqual([middle])
  expect((await put(video, [], bob)).status).toBe(403)
  expect((await ask('GET', preview('&unmasked=true'), { cookie: bob })).status).toBe(403)
  await addUser('eve')
  expect((await put(video, [], await signIn('eve'))).status).toBe(404)
  await video.site.reload()
  expect((await shown({ cookie: admin })).masks).toEqual([middle])
  expect((await put(video, [])).body).not.toHaveProperty('masks')
})

test('a change of the stream keeps its masks', async () => {
  const video = await camera([middle])
  const body = { name: 'Back door', streamSource: 'rtsp://192.0.2.1/x' }
  const { body: saved } = await video.ask('PUT', '/v1/stream/door', { cookie: video.admin, body })
  expect(saved).toMatchObject({ name: 'Back door', masks: [middle] })
})

test('masks are rectangles within the picture, at most 16', async () => {
  const video = await camera()
  const bad = [
    { ...middle, w: 0 },
    { ...middle, x: 0.6 },
    { ...middle, y: -0.1 },
    { ...middle, h: 1.1 },
    { ...middle, x: '0' },
    { x: 0, y: 0, w: 0.5 },
  ]
  for (const mask of bad)
    expect(await put(video, [mask])).toMatchObject({ status: 400, body: { code: 'ValidationError' } })
  for (const masks of [Array.from({ length: 17 }, () => middle), 'none', undefined])
    expect(await put(video, masks)).toMatchObject({ status: 400, body: { code: 'ValidationError' } })
  expect(
    (
      await put(
        video,
        Array.from({ length: 16 }, () => middle),
      )
    ).status,
  ).toBe(200)
  expect((await put(video, [{ x: 0.7, y: 0.1, w: 0.3, h: 0.9 }])).status).toBe(200)
})

test('a change of masks is in the audit log with the masks, and so is a picture without them', async () => {
  const video = await camera([middle])
  await bytesOf(video, preview('&unmasked=true'))
  await bytesOf(video, preview('&unmasked=true'))
  // A picture of a URL has no masks either.
  const ofUrl = `/v1/stream/preview?stream_id=door&url=${encodeURIComponent('rtsp://127.0.0.1:1/x')}`
  await video.ask('GET', ofUrl, { cookie: video.admin })
  await put(video, [])
  const { body } = await video.ask('GET', '/v1/admin/audit-logs', { cookie: video.admin })
  const items: unknown[] = Object(body).items
  const found = items.map(Object).filter(({ action }) => /mask/.test(action))
  expect(found.map(({ action, target, changes }) => [action, target, changes?.length])).toEqual([
    ['stream.masks', 'door', 1],
    ['stream.preview-unmasked', 'door', undefined],
    ['stream.preview-unmasked', expect.stringContaining('door'), undefined],
    ['stream.masks', 'door', 1],
  ])
  expect(found.at(-1).changes).toEqual([{ path: 'masks.0', to: JSON.stringify(middle) }])
})

test('previews are black below a mask, and change with the masks', async () => {
  const video = await camera([middle])
  const picture = async (query = '') => inFile(await bytesOf(video, preview(query)), 'preview.jpg')
  const plain = await picture('&unmasked=true')
  expectBurnedIn(await picture(), plain)
  const newest = inFile(await bytesOf(video, '/v1/stream/preview?stream_id=door'), 'preview.jpg')
  expect(Math.max(...greys(newest, masked))).toBeLessThanOrEqual(20)
  const { headers } = await video.ask('GET', preview(), { cookie: video.admin })
  await put(video, [])
  const { status } = await video.ask('GET', preview(), {
    cookie: video.admin,
    headers: { 'if-none-match': String(headers['etag']) },
  })
  expect(status).toBe(200)
  expect(difference(greys(await picture(), masked), greys(plain, masked))).toBe(0)
})

test('visitors of a share get the live picture with masks alone, from the moment that there are masks', async () => {
  const video = await startVideo()
  const uid = await create(video, 'demo:gate')
  await recorded(video.site, uid, 2)
  const token = await video.context.shares.open(uid)
  const get = async (url: string) => {
    const reply = await video.app.inject({ url, headers: { host: 'localhost', 'share-token': token } })
    return { status: reply.statusCode, text: reply.body, bytes: reply.rawPayload }
  }
  const path = archiveOf(uid)
  expect((await get(`${path}index.m3u8`)).text).toMatch(/\nlive\.m3u8\n/)
  const listed = (await get(`${path}live.m3u8`)).text.split('\n').filter((line) => line.endsWith('.m4s'))
  const body = { masks: [middle] }
  expect((await video.ask('PUT', `/v1/stream/${uid}/masks`, { cookie: video.admin, body })).status).toBe(200)
  for (const url of ['live.m3u8', listed[0], 'sub/live.m3u8']) expect((await get(`${path}${url}`)).status).toBe(404)
  const { renditions } = Object(JSON.parse((await get(`/v1/stream/${uid}`)).text))
  expect(renditions).toEqual(['compatible'])
  const index = await get(`${path}index.m3u8?rendition=main`)
  expect(index.text).toMatch(/\ncompatible\/live\.m3u8\n/)
  const playlist = (await get(`${path}compatible/live.m3u8`)).text
  const init = /URI="([^"]+)"/.exec(playlist)?.[1] ?? ''
  const media = playlist.split('\n').find((line) => line.includes('.m4s')) ?? ''
  const parts = await Promise.all([init, media].map(async (url) => (await get(`${path}compatible/${url}`)).bytes))
  expect(Math.max(...greys(inFile(Buffer.concat(parts)), masked))).toBeLessThanOrEqual(20)
})

test('compatible is refused rather than sent without masks where transcoding is off', async () => {
  const defaults = { ...builtInValues, limits: { ...builtInValues.limits, transcodesMax: 0 } }
  const video = await startVideo({ defaults })
  await add(video)
  await record(video, 0, 4, { scene: 'yard' })
  await put(video, [middle])
  const answer = await video.ask('GET', `${archiveOf('door')}index.m3u8?${range}&rendition=compatible`, {
    cookie: video.admin,
  })
  expect(answer).toMatchObject({ status: 503, body: { code: 'Unavailable' } })
})

test('a download that is given up while its beginning is encoded has not failed', async () => {
  const leaving = new AbortController()
  const drawing = maskDrawing([middle], { caller: 'ann', signal: leaving.signal })
  const beginning = drawing.initOf(init)
  leaving.abort()
  await expect(beginning).rejects.toMatchObject({ name: 'AbortError' })
})

test('a filter has numbers alone, rounded outwards to even pixels, and another key for other masks', () => {
  expect(maskFilter([])).toBe('')
  expect(maskFilter([{ x: 0.1, y: 0, w: 1e-9, h: 1 }])).toBe(
    'drawbox=x=2*floor(iw*0.100000/2):y=2*floor(ih*0.000000/2):w=2*ceil(iw*0.100000/2)-2*floor(iw*0.100000/2):' +
      'h=2*ceil(ih*1.000000/2)-2*floor(ih*0.000000/2):color=black:t=fill',
  )
  expect(masksKey([])).toBe('')
  expect(masksKey([middle])).not.toBe(masksKey([{ ...middle, x: 0.2 }]))
})
