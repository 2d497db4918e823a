import { expect, test, vi } from 'vitest'
import { createAnnotationStore } from '../../../server/archive/events/annotations.ts'
import { searchEvents } from '../../../server/archive/events/event-search.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { addObjects } from '../../../scripts/access-table.ts'
import { at, start, startServer } from '../fixtures/harness.ts'

const car = { streamId: 's1', type: 'event', time: at(-60_000), label: 'car' }
const box = { x: 0.1, y: 0.2, w: 0.3, h: 0.4 }

/** Bob administers `s1`, Cid watches its archive, Dan only its live; `s2` has no owner. */
const open = async () => {
  const server = await startServer({ plugins: [createStreamsPlugin()] })
  const { ask, addUser, signIn, context } = server
  for (const login of ['root', 'owner', 'viewer', 'archive watcher', 'archive viewer', 'stream admin'])
    await addUser(login, login === 'root')
  await addObjects(context)
  const cookies = {
    root: await signIn('root'),
    admin: await signIn('stream admin'),
    archive: await signIn('archive viewer'),
    live: await signIn('viewer'),
  }
  const post = async (cookie: string, body: unknown) => {
    const answer = await ask('POST', '/v1/annotations', { cookie, body })
    return { status: answer.status, body: answer.body }
  }
  const find = async (cookie: string, query = '') => {
    const { status, body } = await ask('GET', `/v1/events/search?${query}`, { cookie })
    return { status, body }
  }
  return { ...server, ...cookies, post, find }
}

test('a detector adds one event or many, by a token too, and they are read with all their fields', async () => {
  const { post, find, ask, admin, archive, context } = await open()
  expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({
    features: expect.arrayContaining(['events']),
  })
  const full = { ...car, timeEnd: at(-50_000), score: 0.87, box, source: 'yolo' }
  expect(await post(admin, full)).toEqual({ status: 200, body: { items: [{ id: '1' }] } })
  const { token } = await context.tokens.create('stream admin', 'detector', null)
  const answer = await ask('POST', '/v1/annotations', {
    headers: { authorization: `Bearer ${token}` },
    body: { items: [{ ...car, label: null, timeEnd: null, type: 'line' }, car] },
  })
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: { items: [{ id: '2' }, { id: '3' }] },
  })
  const items = [
    { id: '1', type: 'event', time: car.time, timeEnd: at(-50_000), label: 'car', score: 0.87, box, source: 'yolo' },
    { id: '2', type: 'line', time: car.time, source: 'stream admin' },
    { id: '3', type: 'event', time: car.time, label: 'car', source: 'stream admin' },
  ]
  const listed = await ask('GET', `/v1/annotations?streamId=s1&from=${at(-120_000)}&to=${at(0)}`, { cookie: archive })
  expect(listed.body).toEqual({ items })
  expect(await find(archive)).toEqual({
    status: 200,
    body: { items: items.toReversed().map((each) => ({ ...each, streamId: 's1' })), page: 1, pageSize: 50, total: 3 },
  })
})

test('only who administers the stream adds and removes them, all of a list or none', async () => {
  const { post, find, ask, root, admin, archive, live, context } = await open()
  expect(await post(archive, car)).toMatchObject({ status: 403 })
  expect(await post(admin, { ...car, streamId: 's2' })).toMatchObject({ status: 404 })
  expect(await post(admin, { items: [car, { ...car, streamId: 's2' }] })).toMatchObject({ status: 404 })
  expect((await find(root)).body).toMatchObject({ total: 0 })
  await post(root, { items: [car, { ...car, streamId: 's2' }] })
  const remove = async (cookie: string, id: string) => (await ask('DELETE', `/v1/annotation/${id}`, { cookie })).status
  expect([await remove(archive, '1'), await remove(admin, '2'), await remove(admin, '9')]).toEqual([403, 404, 404])
  expect(await remove(admin, '1')).toBe(200)
  expect((await find(root)).body).toMatchObject({ items: [{ id: '2', streamId: 's2' }], total: 1 })
  expect([await find(archive), await find(live)]).toMatchObject([{ body: { total: 0 } }, { body: { total: 0 } }])
  const log = await context.audit.read({ action: 'event' }, 1)
  expect(log.items.map(({ action, login, target, outcome }) => [action, login, target, outcome])).toEqual([
    ['event.delete', 'stream admin', '1', 'ok'],
    ['event.delete', 'stream admin', '', 'NotFound'],
    ['event.delete', 'stream admin', '', 'NotFound'],
    ['event.delete', 'archive viewer', '', 'Forbidden'],
    ['event.create', 'root', 's1', 'ok'],
    ['event.create', 'stream admin', 's1', 'NotFound'],
    ['event.create', 'stream admin', 's2', 'NotFound'],
    ['event.create', 'archive viewer', 's1', 'Forbidden'],
  ])
})

test('an id that no event can have is not found', async () => {
  const { ask, admin } = await open()
  const statuses = ['none', '1e0', '-1', '1'.repeat(20)].map(
    async (id) => (await ask('DELETE', `/v1/annotation/${id}`, { cookie: admin })).status,
  )
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404])
})

test('an impossible event is refused with its field', async () => {
  const { post, admin } = await open()
  const details = async (body: object) => Object((await post(admin, body)).body).details
  expect(await details({ ...car, time: at(3_600_000) })).toEqual({ time: 'In the future' })
  expect(await details({ items: [car, { ...car, timeEnd: at(-70_000) }] })).toEqual({
    'items.1.timeEnd': 'Not after the start, or in the future',
  })
  const timeless = { ...car, time: undefined }
  expect(await details(timeless)).toEqual({ time: expect.any(String) })
  expect(await details({ items: [car, timeless] })).toEqual({ 'items.1.time': expect.any(String) })
  expect(await details({ ...car, score: 'high' })).toEqual({ score: expect.any(String) })
  expect((await post(admin, { ...car, score: 2 })).status).toBe(400)
  expect(Object((await post(admin, [])).body).code).toBe('RequestDecodeError')
  expect((await post(admin, { items: Array.from({ length: 1001 }, () => car) })).status).toBe(400)
  expect((await post(admin, { items: [{ ...car, box: { ...box, x: -1 } }] })).status).toBe(400)
})

test('found by stream, label, type and time, in pages, newest first', async () => {
  const { post, find, root, archive } = await open()
  const one = (streamId: string, type: string, seconds: number, label: string) => ({
    streamId,
    type,
    time: at(seconds * 1000 - 600_000),
    label,
  })
  const many = Array.from({ length: 60 }, (_, index) => one('s1', 'event', index, 'car'))
  await post(root, { items: [...many, one('s1', 'line', 70, 'Car'), one('s2', 'event', 80, 'person')] })
  const ids = async (query: string, cookie = root) => {
    const { body } = await find(cookie, query)
    const { items, total } = Object(body)
    return [total, items.map((each: unknown) => Object(each).id).join(' ')]
  }
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index).join(' ')
  expect(await ids('')).toEqual([62, down(62, 13)])
  expect(await ids('page=2')).toEqual([62, down(12, 1)])
  expect(await ids('', archive)).toEqual([61, `61 ${down(60, 12)}`])
  expect(await ids('label=Car')).toEqual([1, '61'])
  expect(await ids('type=line&streamId=s1&streamId=s2')).toEqual([1, '61'])
  expect(await ids('streamId=s2')).toEqual([1, '62'])
  expect(await ids(`label=car&from=${at(-600_000)}&to=${at(-598_000)}`)).toEqual([2, '2 1'])
  expect(await ids('label=nothing')).toEqual([0, ''])
  expect([(await find(archive, 'streamId=s2')).status, (await find(archive, 'streamId=none')).status]).toEqual([
    404, 404,
  ])
})

test('the events of detectors are limited by stream, and a change of scene extends none of them', async () => {
  const { context } = await open()
  const { store } = context
  const annotations = createAnnotationStore(store, 3)
  const draft = { streamId: 's1', type: 'event', label: '', source: 'yolo', time: start }
  for (const later of [0, 1, 2, 3, 4]) await annotations.addDetected([{ ...draft, time: start + later }])
  await annotations.add('s1', 'event', start - 10, start - 5)
  const search = async () =>
    (await searchEvents(store, { streams: { sql: 'TRUE', values: [] }, uids: [] }, 1)).items.map(
      ({ time, timeEnd }) => [time - start, timeEnd === undefined ? undefined : timeEnd - start],
    )
  expect(await search()).toEqual([
    [4, undefined],
    [3, undefined],
    [2, undefined],
    [-10, -5],
  ])
  expect(await annotations.extendEvent('s1', start, start + 9)).toBe(false)
  expect(await annotations.extendEvent('s1', start - 10, start + 9)).toBe(true)
  await annotations.deleteEvents('s1', start - 20, start + 20)
  expect(await search()).toHaveLength(3)
  await annotations.deleteSome('s1', start + 4, async () => [])
  expect(await search()).toEqual([[4, undefined]])
})

test('the events of a stream at its limit are not counted again with each that is added', async () => {
  const { context } = await open()
  const { store } = context
  const asked = vi.spyOn(store, 'get')
  const annotations = createAnnotationStore(store, 200)
  const draft = { streamId: 's1', type: 'event', label: '', source: 'yolo', time: start }
  await annotations.addDetected(Array.from({ length: 200 }, (_, index) => ({ ...draft, time: start + index })))
  for (const later of [200, 201, 202]) await annotations.addDetected([{ ...draft, time: start + later }])
  const counted = asked.mock.calls.filter(([, sql]) => /^SELECT count.* FROM annotations/.test(sql))
  expect(counted).toHaveLength(2)
  const { items, total } = await searchEvents(store, { streams: { sql: 'TRUE', values: [] }, uids: [] }, 4)
  expect([total, items.at(-1)?.time]).toEqual([200, start + 3])
})
