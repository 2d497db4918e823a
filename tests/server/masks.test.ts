import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtInValues } from '../../server/configuration/values.ts'
import { maskFilter, masksKey } from '../../server/media/masks.ts'
import { askFor, at, checked, difference, entriesOf, fileOf, greys, made } from './export-file.ts'
import { archiveOf, bytesOf, playlistOf, wholeOf } from './playlists.ts'
import { add, newFolder, open, record } from './tape.ts'
import { create } from './recordings.ts'
import { decoded, segments as recorded, startVideo, type VideoHarness } from './video.ts'

/** The middle of the picture: of 640 × 360 pixels those from 160, 90 to 480, 270. */
const middle = { x: 0.25, y: 0.25, w: 0.5, h: 0.5 }
/** Without its edges, where blocks of the encoder are partly masked. */
const masked = 'crop=288:148:176:106'
const beside = ['crop=144:360:0:0', 'crop=144:360:496:0', 'crop=320:76:160:0', 'crop=320:72:160:288']

const camera = async (masks: readonly object[] = []) => {
  const video = await open(newFolder())
  await add(video)
  await record(video, 0, 6, { scene: 'yard' })
  if (masks.length > 0) expect((await put(video, masks)).status).toBe(200)
  return video
}

const put = async ({ ask, admin }: VideoHarness, masks: unknown, cookie = admin) => {
  const { status, body } = await ask('PUT', '/v1/stream/door/masks', { cookie, body: { masks } })
  return { status, body: Object(body) }
}

const range = `start_time=${at(0)}&end_time=${at(4)}`
const preview = (query = '') => `/v1/stream/preview?stream_id=door&time=${at(0)}${query}`

const inFile = (bytes: Buffer, name = 'file.mp4'): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-masks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return file
}

const plainPicture = async (video: VideoHarness): Promise<string> =>
  inFile(await wholeOf(video, (await playlistOf(video, 'door', range)).segments.slice(0, 1)))

/** Black is 16 of 255 in video. */
const expectBurnedIn = (file: string, plain: string): void => {
  expect(Math.max(...greys(file, masked))).toBeLessThanOrEqual(20)
  expect(Math.max(...greys(plain, masked))).toBeGreaterThan(100)
  for (const area of beside) {
    expect(greys(file, area).length).toBeGreaterThan(0)
    expect(difference(greys(file, area), greys(plain, area)), area).toBeLessThan(6)
  }
}

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
  await put(video, [])
  const { body } = await video.ask('GET', '/v1/admin/audit-logs', { cookie: video.admin })
  const items: unknown[] = Object(body).items
  const found = items.map(Object).filter(({ action }) => /mask/.test(action))
  expect(found.map(({ action, target, changes }) => [action, target, changes?.length])).toEqual([
    ['stream.masks', 'door', 1],
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

test('compatible is black below a mask, for a codec that browsers play, too', async () => {
  const video = await camera()
  const plain = await plainPicture(video)
  const before = await playlistOf(video, 'door', `${range}&rendition=compatible`)
  expect(before.path).toBe('recorded.m3u8')
  await put(video, [middle])
  const { path, variant, segments } = await playlistOf(video, 'door', `${range}&rendition=compatible`)
  expect([path, variant?.codecs]).toEqual(['compatible/recorded.m3u8', 'avc1.42c028,mp4a.40.2'])
  const whole = await wholeOf(video, segments)
  expect(decoded(whole)).toBe('')
  expectBurnedIn(inFile(whole), plain)
  const { body } = await video.ask('GET', '/v1/stream/door', { cookie: video.admin })
  expect(Object(body).masks).toEqual([middle])
  // What was listed before masks were drawn is no longer sent as it is.
  const uri = before.segments[0]?.uri.replace('/recorded/', '/compatible/recorded/') ?? ''
  expect((await video.ask('GET', uri, { cookie: video.admin })).status).toBe(404)
  // A playlist from before the masks were removed still leads to media of one kind.
  await put(video, [])
  const later = await bytesOf(video, segments[0]?.uri ?? '')
  const file = inFile(Buffer.concat([await bytesOf(video, segments[0]?.init ?? ''), later]))
  expect(difference(greys(file, masked), greys(plain, masked))).toBeLessThan(6)
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
  expect(index.text).toMatch(/\ncompatible\/live\.m3u8\?masked=1\n/)
  const playlist = (await get(`${path}compatible/live.m3u8?masked=1`)).text
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

test('a download is black below a mask', async () => {
  const video = await camera()
  const plain = await plainPicture(video)
  await put(video, [middle, { x: 0, y: 0, w: 0.01, h: 0.01 }])
  const { app, admin } = video
  const url = `${archiveOf('door')}download?${range}`
  const reply = await app.inject({ url, headers: { cookie: admin, host: 'localhost' } })
  expect([reply.statusCode, reply.headers['content-length']]).toEqual([200, undefined])
  expect(decoded(reply.rawPayload)).toBe('')
  expectBurnedIn(inFile(reply.rawPayload), plain)
})

test('an export is black below a mask, with and without an overlay, and its manifest says so', async () => {
  const video = await camera()
  const plain = await plainPicture(video)
  await add(video, 'yard')
  await record(video, 0, 4, { of: 'yard', scene: 'yard' })
  await put(video, [middle])
  const exported = async (more: object = {}) => {
    const { id } = await askFor(
      video,
      [
        ['door', 0, 4],
        ['yard', 0, 4],
      ],
      { more },
    )
    expect(await made(video, id)).toMatchObject({ status: 'ready', failureReason: '' })
    const { bytes } = await fileOf(video, id)
    const { manifest, verdict } = await checked(bytes)
    expect([verdict, manifest?.items.map(({ masks }) => masks)]).toEqual(['unchanged', [[middle], undefined]])
    expect(manifest?.files.map(({ frames, codec, width }) => [frames, codec.slice(0, 4), width])).toEqual([
      [100, 'avc1', 640],
      [100, 'avc1', 640],
    ])
    return [...(await entriesOf(bytes)).values()]
  }
  const [door = Buffer.alloc(0), yard = Buffer.alloc(0)] = await exported()
  expect(decoded(door)).toBe('')
  expectBurnedIn(inFile(door), plain)
  expect(difference(greys(inFile(yard), masked), greys(plain, masked))).toBe(0)
  const [both = Buffer.alloc(0)] = await exported({ overlay: true })
  expect(Math.max(...greys(inFile(both), masked))).toBeLessThanOrEqual(20)
  expect(Math.max(...greys(inFile(both), 'crop=190:16:10:8'))).toBeGreaterThan(200)
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
