import { describe, expect, test } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import type { Site } from '../../../server/streams/site.ts'
import { row } from '../fixtures/paused-stream.ts'
import { startVideo, type VideoHarness } from '../fixtures/video.ts'

const add = (site: Site, uid: string, rest: object): Promise<void> =>
  site.add({ ...row, uid, name: uid, source: 'rtsp://192.0.2.7/live', createdAt: Date.now(), ...rest })

const names = (body: unknown): string[] => {
  const items: unknown = Reflect.get(Object(body), 'items')
  return Array.isArray(items) ? items.map((item) => String(Reflect.get(Object(item), 'name'))) : []
}
const list = async ({ ask }: VideoHarness, cookie: string, query = ''): Promise<string[]> =>
  names((await ask('GET', `/v1/streams?${query}`, { cookie })).body)

describe('the list', () => {
  test('is searched in names, sources, tags and locations, in any script, by every value', async () => {
    const video = await startVideo()
    await add(video.site, 'a', { name: 'Въезд', tags: ['Периметр'], createdAt: 4 })
    await add(video.site, 'b', { name: 'Yard', tags: ['Perimeter'], location: 'Двор', createdAt: 3 })
    await add(video.site, 'c', { name: 'Roof', source: 'rtsp://user:Secret@camera.example/roof', createdAt: 2 })
    const search = (...values: string[]) =>
      list(video, video.admin, values.map((value) => `searchingValues=${encodeURIComponent(value)}`).join('&'))
    expect(await search('въЕЗД')).toEqual(['Въезд'])
    expect(await search('ПЕРИ')).toEqual(['Въезд'])
    expect(await search('двор', 'perim')).toEqual(['Yard'])
    expect(await search('двор', 'периметр')).toEqual([])
    expect(await search('CAMERA.example')).toEqual(['Roof'])
    expect(await search('secret')).toEqual([])
    expect(await search('user:secret')).toEqual([])
    expect(await search('rtsp://user:Secret@camera.example/roof')).toEqual(['Roof'])
    expect(await search('rtsp://***@camera.example')).toEqual(['Roof'])
    expect(await search('%')).toEqual([])
  })

  test('is sorted and grouped: untagged last', async () => {
    const video = await startVideo()
    await add(video.site, '1', { name: 'Camera 10', tags: ['b'], createdAt: 1 })
    await add(video.site, '2', { name: 'camera 9', tags: [], createdAt: 2 })
    await add(video.site, '3', { name: 'Camera 2', tags: ['a', 'z'], createdAt: 3 })
    expect(await list(video, video.admin)).toEqual(['Camera 2', 'camera 9', 'Camera 10'])
    expect(await list(video, video.admin, 'sortType=name')).toEqual(['Camera 2', 'camera 9', 'Camera 10'])
    expect(await list(video, video.admin, 'sortType=name&groupType=tag')).toEqual(['Camera 2', 'Camera 10', 'camera 9'])
    expect((await video.ask('GET', '/v1/streams?sortType=size', { cookie: video.admin })).status).toBe(400)
  })

  test('comes in pages of 50, and only what is available where that was asked', async () => {
    const video = await startVideo()
    for (let position = 0; position < 53; position += 1)
      await add(video.site, `s${position}`, { name: `s${position}`, createdAt: position })
    await add(video.site, 'ready', { name: 'ready', isPaused: false, isOnDemand: true })
    const page = await video.ask('GET', '/v1/streams?page=2', { cookie: video.admin })
    expect(page.body).toMatchObject({ page: 2, pageSize: 50, total: 54 })
    expect(names(page.body)).toHaveLength(4)
    for (const flag of ['onlyAvailable', 'isOnlyAvailable'])
      expect(await list(video, video.admin, `${flag}=true`)).toEqual(['ready'])
  })
})

describe('a stream', () => {
  test('is made, read, changed, paused, resumed and deleted', async () => {
    const video = await startVideo()
    const { ask, admin: cookie } = video
    const made = await ask('POST', '/v1/stream', {
      cookie,
      body: {
        name: '  Door ',
        streamSource: 'demo:gate',
        tags: ['x', 'x', 'y'],
        location: { name: 'Hall' },
        live: { onDemand: true },
        archive: { isEnable: false, depthHours: 48 },
        meta: { marker: '#fff' },
        node: { id: 'local' },
      },
    })
    const uid = String(Reflect.get(Object(made.body), 'uid'))
    const read = await ask('GET', `/v1/stream/${uid}`, { cookie })
    expect(read.body).toMatchObject({
      uid,
      name: 'Door',
      streamSource: 'demo:gate',
      tags: ['x', 'y'],
      status: 'pending',
      failureReason: '',
      location: { name: 'Hall' },
      meta: { marker: '#fff', canAdmin: true, canViewArchive: true, isShared: false },
      archive: { isEnable: false, depthHours: 48 },
      live: { onDemand: true },
      node: { id: 'local', available: true },
    })
    const put = await ask('PUT', `/v1/stream/${uid}`, { cookie, body: { name: 'Gate', streamSource: 'demo:gate' } })
    expect(put.body).toMatchObject({ name: 'Gate', tags: ['x', 'y'], archive: { depthHours: 48 } })
    expect((await ask('POST', `/v1/stream/pause/${uid}`, { cookie })).body).toEqual({ status: 'paused' })
    expect((await ask('POST', `/v1/stream/resume/${uid}`, { cookie })).body).toEqual({ status: 'pending' })
    const lines = await ask('GET', `/v1/stream/${uid}/logs`, { cookie })
    expect(lines.body).toMatchObject({ items: [{ message: 'Created' }, { message: 'Paused' }, { message: 'Resumed' }] })
    const [first] = Reflect.get(Object(lines.body), 'items')
    expect((await ask('GET', `/v1/stream/${uid}/logs?after=${first.id}`, { cookie })).body).toMatchObject({
      items: [{ message: 'Paused' }, { message: 'Resumed' }],
    })
    expect((await ask('DELETE', `/v1/stream/${uid}`, { cookie })).status).toBe(200)
    expect((await ask('GET', `/v1/stream/${uid}`, { cookie })).status).toBe(404)
  })

  test('is changed from what the database has, as another node may have changed it', async () => {
    const { site, ask, admin: cookie, context } = await startVideo()
    await add(site, 'door', { depthHours: 48, source: 'rtsp://ann:old@192.0.2.7/live' })
    const { store } = context
    await store.run("UPDATE streams SET depth_hours = 24, source = 'rtsp://ann:new@192.0.2.7/live' WHERE uid = 'door'")
    const body = { name: 'door', streamSource: 'rtsp://***@192.0.2.7/other', archive: { depthHours: 48 } }
    const put = await ask('PUT', '/v1/stream/door', { cookie, body })
    expect(put).toMatchObject({ status: 200, body: { archive: { depthHours: 48 } } })
    expect(site.store.find('door')).toMatchObject({ depthHours: 48, source: 'rtsp://ann:new@192.0.2.7/other' })
  })

  test.each([
    ['its depth alone', { depthHours: 48 }, { isArchived: true, depthHours: 48, quotaBytes: 1e9 }],
    ['whether it is recorded alone', { isEnable: false }, { isArchived: false, depthHours: 72, quotaBytes: 1e9 }],
    ['its quota alone', { quotaBytes: -1 }, { isArchived: true, depthHours: 72, quotaBytes: null }],
    ['nothing', { isEnable: null, depthHours: null }, { isArchived: true, depthHours: 72, quotaBytes: 1e9 }],
  ])('changed in %s keeps the rest of its archive', async (_name, archive, kept) => {
    const { site, ask, admin: cookie } = await startVideo()
    await add(site, 'door', { isArchived: true, depthHours: 72, quotaBytes: 1e9, source: 'demo:gate' })
    const body = { name: 'door', streamSource: 'demo:gate', archive }
    expect((await ask('PUT', '/v1/stream/door', { cookie, body })).status).toBe(200)
    expect(site.store.find('door')).toMatchObject(kept)
  })

  test('that is new is recorded without a limit, unless its archive says otherwise', async () => {
    const { ask, admin: cookie } = await startVideo()
    const archiveOf = async (archive: object) => {
      const body = { name: 'Gate', streamSource: 'rtsp://192.0.2.7/live', ...archive }
      const made = await ask('POST', '/v1/stream', { cookie, body })
      const read = await ask('GET', `/v1/stream/${Reflect.get(Object(made.body), 'uid')}`, { cookie })
      return Reflect.get(Object(read.body), 'archive')
    }
    expect(await archiveOf({})).toEqual({ isEnable: true, depthHours: -1 })
    expect(await archiveOf({ archive: { isEnable: true } })).toEqual({ isEnable: true, depthHours: -1 })
    expect(await archiveOf({ archive: { depthHours: 48 } })).toEqual({ isEnable: false, depthHours: 48 })
    expect(await archiveOf({ archive: { isEnable: false } })).toEqual({ isEnable: false, depthHours: -1 })
  })

  test('keeps a depth above a limit that was lowered since, and takes no other one above it', async () => {
    const defaults = { ...builtInValues, limits: { ...builtInValues.limits, archiveMaxDepthHours: 72 } }
    const { site, ask, admin: cookie } = await startVideo({ defaults })
    await add(site, 'door', { depthHours: 168, source: 'demo:gate' })
    const put = (archive: object) =>
      ask('PUT', '/v1/stream/door', { cookie, body: { name: 'Hall', streamSource: 'demo:gate', ...archive } })
    const depth = (depthHours: number) => ({ archive: { isEnable: false, depthHours } })
    const statuses = [await put({}), await put(depth(168)), await put(depth(100)), await put(depth(-1))]
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 400, 400])
    expect((await put(depth(72))).status).toBe(200)
    const made = { name: 'Yard', streamSource: 'demo:gate', ...depth(-1) }
    expect((await ask('POST', '/v1/stream', { cookie, body: made })).status).toBe(400)
    await site.change('door', (before) => ({ ...before, depthHours: -1 }))
    expect((await put(depth(-1))).status).toBe(200)
  })

  test.each([
    ['a depth of nothing', { archive: { isEnable: true, depthHours: 0 } }, 'archive.depthHours'],
    ['a node that is not there', { node: { id: 'mars' } }, 'node.id'],
    ['no name', { name: ' ' }, 'name'],
    ['an empty tag', { tags: [''] }, 'tags.0'],
  ])('with %s is refused beside that field', async (_name, rest, field) => {
    const { ask, admin } = await startVideo()
    const reply = await ask('POST', '/v1/stream', {
      cookie: admin,
      body: { name: 'x', streamSource: 'demo:gate', ...rest },
    })
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'ValidationError', details: { [field]: expect.any(String) } },
    })
  })

  test('beyond a user’s share is refused', async () => {
    const { ask, addUser, signIn } = await startVideo()
    await addUser('one', false, { maxStreamCreation: 1 })
    await addUser('none', false, { maxStreamCreation: 0 })
    const body = { name: 'x', streamSource: 'demo:gate', live: { onDemand: true } }
    const one = await signIn('one')
    expect((await ask('POST', '/v1/stream', { cookie: one, body })).status).toBe(200)
    expect(await ask('POST', '/v1/stream', { cookie: one, body })).toMatchObject({
      status: 403,
      body: { code: 'QuotaReached' },
    })
    expect((await ask('POST', '/v1/stream', { cookie: await signIn('none'), body })).status).toBe(403)
  })
})

test('a share is switched on by a click, stays the same, and ends', async () => {
  const video = await startVideo()
  const { ask, admin: cookie, site } = video
  await add(site, 'door', {})
  expect(
    (
      await video.app.inject({
        method: 'HEAD',
        url: '/v1/stream/door/share',
        headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie },
      })
    ).statusCode,
  ).toBe(404)
  expect((await ask('GET', '/v1/stream/door', { cookie })).body).toMatchObject({ meta: { isShared: false } })
  const first = await ask('GET', '/v1/stream/door/share', { cookie })
  const token = String(Reflect.get(Object(first.body), 'token'))
  expect(first.body).toEqual({ url: `/ui/stream/door/view#token=${token}`, token })
  expect((await ask('GET', '/v1/stream/door/share', { cookie })).body).toEqual(first.body)
  expect((await ask('GET', '/v1/stream/door', { cookie })).body).toMatchObject({ meta: { isShared: true } })
  expect((await ask('GET', '/v1/stream/door', { headers: { 'share-token': token } })).status).toBe(200)
  await ask('DELETE', '/v1/stream/door/share', { cookie })
  expect((await ask('GET', '/v1/stream/door', { headers: { 'share-token': token } })).status).toBe(404)
  expect((await ask('GET', '/v1/stream/door/share', { cookie })).body).not.toEqual(first.body)
})

test('an on-demand stream starts with its first viewer and stops when its lease ends', async () => {
  const video = await startVideo()
  const { ask, admin: cookie } = video
  const made = await ask('POST', '/v1/stream', {
    cookie,
    body: { name: 'x', streamSource: 'demo:gate', live: { onDemand: true } },
  })
  const uid = String(Reflect.get(Object(made.body), 'uid'))
  const statusOf = async () => Reflect.get(Object((await ask('GET', `/v1/stream/${uid}`, { cookie })).body), 'status')
  expect(await statusOf()).toBe('pending')
  const live = async () => (await ask('GET', `/v1/stream/${uid}/archive/index.m3u8`, { cookie })).status
  await expect.poll(live).toBe(200)
  expect(await statusOf()).toBe('running')
  await new Promise<void>((done) => {
    const { write } = video.site.logs
    video.site.logs.write = (of, level, message) => {
      write(of, level, message)
      if (message === 'Stopped') done()
    }
  })
  expect(await statusOf()).toBe('pending')
})
