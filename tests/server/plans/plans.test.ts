import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { maxPictureBytes } from '../../../src/api/contract/plans.ts'
import { pictureSizeOf } from '../../../server/media/picture-size.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { startServer, type Harness } from '../fixtures/harness.ts'
import { jpegOf, pngOf, webpOf } from '../fixtures/pictures.ts'

const Id = z.object({ id: z.string() })
const Uid = z.object({ uid: z.string() })

/** Ann is an administrator, Bob may watch the dock, Cid nothing. The plan `floor` has the cameras of gate and dock. */
const open = async () => {
  const server = await startServer({ plugins: [createStreamsPlugin()] })
  const { addUser, ask, app, signIn, context } = server
  for (const login of ['ann', 'bob', 'cid']) await addUser(login, login === 'ann')
  const cookies = { ann: await signIn('ann'), bob: await signIn('bob'), cid: await signIn('cid') }
  const call = (
    method: Parameters<Harness['ask']>[0],
    url: string,
    body?: object,
    login: keyof typeof cookies = 'ann',
  ) => ask(method, url, { cookie: cookies[login], ...(body === undefined ? {} : { body }) })
  const addStream = async (name: string): Promise<string> => {
    const body = { name, streamSource: 'demo:gate', live: { onDemand: true } }
    return z.parse(Uid, (await call('POST', '/v1/stream', body)).body).uid
  }
  const add = async (body: object): Promise<string> => z.parse(Id, (await call('POST', '/v1/plans', body)).body).id
  const gate = { streamId: await addStream('Gate'), x: 0.25, y: 0.5, direction: 90, fieldOfView: 70 }
  const dock = { streamId: await addStream('Dock'), x: 1, y: 0 }
  const sql =
    'INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin) VALUES (?, ?, 1, 0, 0)'
  await context.store.run(sql, 'bob', dock.streamId)
  const floor = await add({ title: ' Ground floor ', cameras: [dock, gate] })
  const url = `/v1/plan/${floor}`
  const put = async (payload: Buffer, type = 'image/png', login: keyof typeof cookies = 'ann') =>
    app.inject({
      method: 'PUT',
      url: `${url}/picture`,
      headers: { host: 'localhost', origin: 'http://localhost', cookie: cookies[login], 'content-type': type },
      payload,
    })
  const picture = async (headers: Record<string, string> = {}) =>
    app.inject({ url: `${url}/picture`, headers: { host: 'localhost', cookie: cookies.bob, ...headers } })
  return { ...server, call, add, addStream, floor, gate, dock, url, put, picture }
}

test('plans are added, changed, listed by title and deleted, with the cameras as they were placed', async () => {
  const { call, add, addStream, floor, gate, dock, url } = await open()
  const plan = { id: floor, title: 'Ground floor', width: 0, height: 0, picture: '', cameras: [dock, gate] }
  const roof = await addStream('Roof')
  const attic = await add({ title: 'attic', cameras: [{ streamId: roof, x: 0, y: 0 }] })
  const streams = [{ uid: dock.streamId }, { uid: gate.streamId }]
  expect(await call('GET', url)).toMatchObject({ status: 200, body: { ...plan, streams } })
  const moved = { ...gate, x: 0.3 }
  const changed = await call('PATCH', url, { title: 'Ground', cameras: [moved, dock] })
  expect(changed.body).toEqual({ ...plan, title: 'Ground', cameras: [dock, moved] })
  expect((await call('PATCH', url, { title: 'Ground floor' })).body).toEqual({ ...plan, cameras: [dock, moved] })
  expect((await call('GET', '/v1/plans')).body).toMatchObject({ items: [{ id: attic }, { id: floor }] })

  expect((await call('DELETE', `/v1/stream/${roof}`)).status).toBe(200)
  expect((await call('GET', `/v1/plan/${attic}`)).body).toMatchObject({ cameras: [], streams: [] })
  expect((await call('DELETE', `/v1/plan/${attic}`)).status).toBe(200)
  for (const method of ['GET', 'DELETE'] as const) expect((await call(method, `/v1/plan/${attic}`)).status).toBe(404)
  expect((await call('PATCH', `/v1/plan/${attic}`, { title: 'Attic' })).status).toBe(404)
})

test('others see a plan with a camera that they may see, and only those cameras; they change nothing', async () => {
  const { call, url, put, floor, gate, dock } = await open()
  expect((await put(pngOf(3, 2))).statusCode).toBe(200)
  expect((await call('GET', '/v1/plans', undefined, 'bob')).body).toMatchObject({
    items: [{ id: floor, cameras: [dock] }],
  })
  const { body } = await call('GET', url, undefined, 'bob')
  expect(body).toMatchObject({ cameras: [dock], streams: [{ uid: dock.streamId }] })
  expect(JSON.stringify(body)).not.toContain(gate.streamId)
  expect((await call('GET', '/v1/plans', undefined, 'cid')).body).toEqual({ items: [] })
  for (const path of [url, `${url}/picture`]) {
    expect((await call('GET', path, undefined, 'bob')).status).toBe(200)
    expect((await call('GET', path, undefined, 'cid')).status).toBe(404)
  }
  for (const login of ['bob', 'cid'] as const) {
    expect((await call('PATCH', url, { title: 'Mine' }, login)).status).toBe(403)
    expect((await call('DELETE', url, undefined, login)).status).toBe(403)
    expect((await call('POST', '/v1/plans', { title: 'Mine' }, login)).status).toBe(403)
    expect((await put(pngOf(3, 2), 'image/png', login)).statusCode).toBe(403)
  }
  expect((await call('GET', url)).body).toMatchObject({ title: 'Ground floor', cameras: [dock, gate] })
})

test('a plan takes no stream that is unknown or placed twice, and nothing outside its picture', async () => {
  const { call, url, gate, dock } = await open()
  const refused = async (camera: object) => (await call('PATCH', url, { cameras: [gate, camera] })).body
  expect(await refused({ ...dock, streamId: 'no' })).toMatchObject({
    details: { 'cameras.1.streamId': 'Unknown stream' },
  })
  expect(await refused(gate)).toMatchObject({ details: { 'cameras.1.streamId': 'Already used' } })
  expect(await refused({ ...dock, x: 1.1 })).toMatchObject({ details: { 'cameras.1.x': 'At most 1' } })
  expect(await refused({ ...dock, direction: -1 })).toMatchObject({ code: 'ValidationError' })
  const many = Array.from({ length: 301 }, () => gate)
  expect((await call('PATCH', url, { cameras: many })).status).toBe(400)
  expect((await call('GET', url)).body).toMatchObject({ cameras: [dock, gate] })
})

test('a picture is served as it came, and browsers ask each time whether it has changed', async () => {
  const { call, url, put, picture } = await open()
  expect((await picture()).statusCode).toBe(404)
  const large = pngOf(4000, 3000, 700_000)
  expect((await put(large)).statusCode).toBe(200)
  const { body } = await call('GET', url)
  expect(body).toMatchObject({ width: 4000, height: 3000 })
  const { rawPayload, headers } = await picture()
  expect(rawPayload.equals(large)).toBe(true)
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    etag: `"${String(Reflect.get(Object(body), 'picture'))}"`,
  })
  const known = { 'if-none-match': String(headers['etag']) }
  expect((await picture(known)).statusCode).toBe(304)
  await put(jpegOf(48, 32))
  expect((await picture(known)).headers).toMatchObject({ 'content-type': 'image/jpeg' })
})

test('what is no picture, or too large, leaves the one before', async () => {
  const { call, url, put } = await open()
  await put(webpOf('VP8L'))
  const before = (await call('GET', url)).body
  const refused = [
    await put(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    await put(Buffer.from('<svg/>'), 'image/svg+xml'),
    await put(Buffer.alloc(0)),
    await put(pngOf(12_000, 12_000)),
    await put(pngOf(20_000, 10)),
    await put(pngOf(0, 10)),
    await put(Buffer.alloc(maxPictureBytes + 1)),
  ]
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400, 400, 413])
  expect((await call('GET', url)).body).toEqual(before)
})

test.each([
  ['a PNG', pngOf(640, 360), 'image/png', 640, 360],
  ['a WebP, lossy', webpOf('VP8 '), 'image/webp', 640, 360],
  ['a WebP, lossless', webpOf('VP8L'), 'image/webp', 640, 360],
  ['a WebP, extended', webpOf('VP8X'), 'image/webp', 640, 360],
  ['a JPEG', jpegOf(640, 360), 'image/jpeg', 640, 360],
  ['a JPEG of a camera that was held upright', jpegOf(640, 360, 6), 'image/jpeg', 360, 640],
  ['a JPEG that is upside down', jpegOf(640, 360, 3), 'image/jpeg', 640, 360],
])('the size of %s is read, and no part of it breaks the reader', (_what, bytes, type, width, height) => {
  expect(pictureSizeOf(bytes)).toEqual({ type, width, height })
  for (let length = 0; length < Math.min(bytes.length, 150); length += 1) pictureSizeOf(bytes.subarray(0, length))
})

test('there are at most 100 plans', async () => {
  const { call, context } = await open()
  for (let index = 1; index < 100; index += 1)
    await context.store.run(
      "INSERT INTO plans (id, title, pixel_width, pixel_height, media_type, version) VALUES (?, '', 0, 0, '', '')",
      `p${index}`,
    )
  expect(await call('POST', '/v1/plans', { title: 'One more' })).toMatchObject({ status: 403 })
})

test('each change is in the audit log', async () => {
  const { call, url, put } = await open()
  await put(pngOf(3, 2))
  await call('PATCH', url, { title: 'Ground' })
  await call('DELETE', url)
  const { body } = await call('GET', '/v1/admin/audit-logs?action=plan')
  const Entries = z.object({ items: z.array(z.object({ action: z.string(), outcome: z.string() })) })
  expect(z.parse(Entries, body).items).toEqual(
    ['delete', 'change', 'picture', 'create'].map((verb) => ({ action: `plan.${verb}`, outcome: 'ok' })),
  )
})
