import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createAnnotationStore } from '../../../server/archive/events/annotations.ts'
import { createSnapshotStore } from '../../../server/archive/events/snapshots.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { addObjects } from '../../../scripts/access-table.ts'
import { maxSnapshotBytes } from '../../../src/api/contract/events.ts'
import { at, start, startServer } from '../fixtures/harness.ts'
import { jpegOf, pngOf, webpOf } from '../fixtures/pictures.ts'

const car = { streamId: 's1', type: 'event', time: at(-60_000), label: 'car' }
const Id = z.object({ id: z.number() })
const base64 = (bytes: Buffer) => bytes.toString('base64')

const open = async () => {
  const server = await startServer({ plugins: [createStreamsPlugin()] })
  const { app, ask, addUser, signIn, context } = server
  for (const login of ['root', 'owner', 'viewer', 'archive watcher', 'archive viewer', 'stream admin'])
    await addUser(login, login === 'root')
  await addObjects(context)
  const cookie = await signIn('stream admin')
  const post = async (body: unknown) => ask('POST', '/v1/annotations', { cookie, body })
  const found = async (): Promise<unknown[]> => Object((await ask('GET', '/v1/events/search', { cookie })).body).items
  const snapshot = async (id: string | number, headers = {}, uid = 's1') => {
    const url = `/v1/stream/${uid}/annotation/${id}/snapshot`
    return app.inject({ url, headers: { host: 'localhost', cookie, ...headers } })
  }
  return { ...server, cookie, post, found, snapshot }
}

test('a snapshot is kept as it came, with the type of its bytes, and the search says that there is one', async () => {
  const { post, found, snapshot, ask, cookie } = await open()
  const pictures = [jpegOf(640, 360), pngOf(64, 36), webpOf('VP8 ')]
  const items = [...pictures.map((bytes) => ({ ...car, snapshot: base64(bytes) })), { ...car, snapshot: '' }, car]
  expect((await post({ items })).status).toBe(200)
  expect((await found()).map((each) => [Object(each).id, Object(each).hasSnapshot])).toEqual([
    ['5', undefined],
    ['4', undefined],
    ['3', true],
    ['2', true],
    ['1', true],
  ])
  for (const [index, type] of ['image/jpeg', 'image/png', 'image/webp'].entries()) {
    const { rawPayload, headers } = await snapshot(index + 1)
    expect(rawPayload.equals(pictures[index] ?? Buffer.of())).toBe(true)
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    })
    expect((await snapshot(index + 1, { 'if-none-match': headers['etag'] })).statusCode).toBe(304)
  }
  for (const [id, uid] of [['4'], ['9'], ['none'], ['1', 's2']] as const)
    expect((await snapshot(id, {}, uid)).statusCode).toBe(404)
  expect((await ask('GET', '/v1/system/internal/ui/settings', { cookie })).body).toMatchObject({
    features: expect.arrayContaining(['event-snapshots']),
  })
})

test('what is no picture, or too large, is refused with its field, and nothing of the request is added', async () => {
  const { post, found } = await open()
  const details = async (snapshot: unknown) => {
    const { status, body } = await post({ items: [car, { ...car, snapshot }] })
    return [status, Object(Object(body).details)['items.1.snapshot']]
  }
  const refused = [
    await details(base64(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))),
    await details(base64(pngOf(20_000, 10))),
    await details(base64(pngOf(64, 36, maxSnapshotBytes))),
    await details('not Base64!'),
    await details(7),
  ]
  expect(refused).toEqual([
    [400, 'Must be a PNG, JPEG or WebP picture'],
    [400, 'Has too many pixels'],
    [400, expect.any(String)],
    [400, expect.any(String)],
    [400, expect.any(String)],
  ])
  expect(Object((await post({ ...car, snapshot: base64(Buffer.from('GIF89a')) })).body).details).toEqual({
    snapshot: 'Must be a PNG, JPEG or WebP picture',
  })
  expect(await found()).toEqual([])
})

test('a snapshot is removed with its event, by a call or by retention', async () => {
  const { post, snapshot, ask, cookie, context } = await open()
  const one = { ...car, snapshot: base64(jpegOf(640, 360)) }
  await post({ items: [one, one, { ...one, time: at(0) }] })
  await ask('DELETE', '/v1/annotation/1', { cookie })
  await createAnnotationStore(context.store).deleteSome('s1', start - 1, async () => [])
  expect(await context.store.all(Id, 'SELECT annotation AS id FROM annotation_snapshots')).toEqual([{ id: 3 }])
  expect([(await snapshot(2)).statusCode, (await snapshot(3)).statusCode]).toEqual([404, 200])
})

test('an event that is deleted while it is being added has its snapshot until then', async () => {
  const { store } = (await open()).context
  const annotations = createAnnotationStore(store)
  const event = { streamId: 's1', type: 'event', label: '', source: 'yolo', time: start }
  const adding = annotations.addDetected([event], [{ type: 'image/png', bytes: Buffer.of(1) }])
  const deleting = store.run('DELETE FROM annotations')
  expect([await adding, await deleting]).toEqual([[1], { changes: 1 }])
  expect(await store.all(Id, 'SELECT annotation AS id FROM annotation_snapshots')).toEqual([])
})

test('while the stream has privacy masks, no snapshot is shown', async () => {
  const { post, found, snapshot, ask, cookie } = await open()
  await post({ ...car, snapshot: base64(jpegOf(640, 360)) })
  const seen = async () => [Object((await found())[0]).hasSnapshot, (await snapshot(1)).statusCode]
  const mask = (masks: unknown[]) => ask('PUT', '/v1/stream/s1/masks', { cookie, body: { masks } })
  expect((await mask([{ x: 0, y: 0, w: 0.5, h: 0.5 }])).status).toBe(200)
  expect(await seen()).toEqual([undefined, 404])
  await mask([])
  expect(await seen()).toEqual([true, 200])
})

test('the newest snapshots of each stream are kept, however old their events are', async () => {
  const { context } = await open()
  const { store } = context
  const annotations = createAnnotationStore(store)
  const snapshots = createSnapshotStore(store, 2)
  const draft = { type: 'event', label: '', source: 'yolo', time: start }
  for (const streamId of ['s1', 's2', 's1', 's1']) {
    const [id = 0] = await annotations.addDetected([{ ...draft, streamId }])
    await snapshots.add(streamId, id, { type: 'image/png', bytes: Buffer.of(id) })
  }
  expect(await store.all(Id, 'SELECT annotation AS id FROM annotation_snapshots ORDER BY annotation')).toEqual([
    { id: 2 },
    { id: 3 },
    { id: 4 },
  ])
})
