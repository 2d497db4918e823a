import { describe, expect, test } from 'vitest'
import { streamsPlugin } from '../../../server/streams/plugin.ts'
import { password, start, startServer } from '../fixtures/harness.ts'

const at = new Date(start).toISOString()
const grid = { name: 'Doors', columns: 2, rows: 2 }

describe('null in a body means absent', () => {
  test.each([
    [
      'POST',
      '/v1/user',
      {
        name: 'bob',
        password,
        email: null,
        fullName: null,
        language: null,
        permissionType: null,
        maxStreamCreation: null,
      },
      { name: 'bob', email: '' },
    ],
    ['PATCH', '/v1/user', { language: null, fullName: 'Ann' }, { fullName: 'Ann', language: '' }],
    ['POST', '/v1/token', { name: 'script', expireTime: null }, { name: 'script' }],
    ['POST', '/v1/bookmarks', { streamId: 's1', time: at, note: null }, { note: '' }],
    [
      'POST',
      '/v1/user/ann/permissions',
      { permissions: [{ uid: 's1', name: null, canView: true, canAdmin: null }] },
      { permissions: [{ uid: 's1' }] },
    ],
    ['POST', '/v1/mosaic', { ...grid, cells: null }, { id: expect.any(String) }],
    ['POST', '/v1/mosaic', grid, { id: expect.any(String) }],
    [
      'POST',
      '/v1/mosaic',
      { ...grid, cells: [{ streamUid: 's1', x: null, y: null, w: null, h: null }] },
      { id: expect.any(String) },
    ],
  ] as const)('%s %s %j', async (method, url, body, answer) => {
    const { ask, addUser, addStream, signIn } = await startServer()
    await addUser('ann', true)
    await addStream('s1')
    const { status, body: found } = await ask(method, url, { cookie: await signIn('ann'), body })
    expect({ status, body: found }).toMatchObject({ status: 200, body: answer })
  })

  test('to unlock', async () => {
    const { ask } = await startServer()
    expect(
      (await ask('POST', '/v1/system/unlock', { body: { login: 'ann', password, email: null, license: null } })).status,
    ).toBe(200)
  })

  test('in each part of a stream', async () => {
    const { ask, addUser, signIn } = await startServer({ plugins: [streamsPlugin] })
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const draft = { name: 'Gate', streamSource: 'rtsp://192.0.2.7/a' }
    const absent = { tags: null, location: null, archive: null, live: null, meta: null, node: null }
    const within = {
      location: { name: null },
      archive: { isEnable: null, depthHours: null },
      live: { onDemand: null },
      meta: { marker: null },
      node: { id: null },
    }
    for (const rest of [absent, within]) {
      expect((await ask('POST', '/v1/stream', { cookie, body: { ...draft, ...rest } })).status).toBe(200)
    }
  })

  test('where a field is required too, while an entry of a list stays, and so does a setting', async () => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const details = async (method: 'POST' | 'PUT', url: string, body: unknown) =>
      Reflect.get(Object((await ask(method, url, { cookie, body })).body), 'details')
    expect(await details('POST', '/v1/token', { name: null })).toEqual({ name: 'Required' })
    expect(await details('POST', '/v1/mosaic', { ...grid, cells: [null] })).toEqual({ 'cells.0': 'Must be an object' })
    expect(await details('PUT', '/v1/admin/configuration', { values: { mail: { port: null } } })).toEqual({
      'mail.port': 'Must be a number',
    })
  })

  test('however deep the body is', async () => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const body = `{"permissions":[],"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await ask('POST', '/v1/user/ann/permissions', { cookie: await signIn('ann'), body })).status).toBe(200)
  })
})

test('a mosaic has no more cells than before they could be left out', async () => {
  const { ask, addUser, signIn } = await startServer()
  await addUser('ann', true)
  const cells = Array.from({ length: 37 }, () => ({ streamUid: '' }))
  expect((await ask('POST', '/v1/mosaic', { cookie: await signIn('ann'), body: { ...grid, cells } })).body).toEqual({
    code: 'ValidationError',
    details: { cells: 'At most 36 entries' },
  })
})

test("a stream's location and marker are short", async () => {
  const { ask, addUser, signIn } = await startServer({ plugins: [streamsPlugin] })
  await addUser('ann', true)
  const cookie = await signIn('ann')
  const add = (length: number) => {
    const words = 'x'.repeat(length)
    return ask('POST', '/v1/stream', {
      cookie,
      body: { name: 'Gate', streamSource: 'rtsp://192.0.2.7/a', location: { name: words }, meta: { marker: words } },
    })
  }
  expect((await add(200)).status).toBe(200)
  expect((await add(201)).body).toEqual({
    code: 'ValidationError',
    details: { 'location.name': 'At most 200 characters', 'meta.marker': 'At most 200 characters' },
  })
})

describe('a body that is no JSON', () => {
  const types = [
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/json',
  ]

  test.each(types)('counts as absent where it is empty, of type %s', async (type) => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const { status, body } = await ask('POST', '/v1/sessions/terminate', {
      cookie: await signIn('ann'),
      body: '',
      headers: { 'content-type': type },
    })
    expect({ status, body }).toEqual({ status: 200, body: {} })
  })

  test.each(types.slice(0, -1))('is refused, of type %s', async (type) => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    for (const [url, words] of [
      ['/v1/token', '{"name":"script"}'],
      ['/v1/sessions/terminate', '{}'],
      ['/v1/sessions/terminate', ' '],
    ] as const) {
      const { status, body } = await ask('POST', url, { cookie, body: words, headers: { 'content-type': type } })
      expect({ status, body }).toEqual({ status: 400, body: { code: 'RequestDecodeError' } })
    }
    expect((await ask('POST', '/v1/nothing', { cookie, body: 'x', headers: { 'content-type': type } })).status).toBe(
      404,
    )
  })
})
