import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../server/access/access.ts'
import { startServer, type Harness } from '../fixtures/harness.ts'

const cell = (streamUid: string, x: number, y: number, w = 1, h = 1) => ({ streamUid, x, y, w, h })
const draft = { name: 'Doors', columns: 2, rows: 2, cells: [cell('s1', 0, 0, 2, 1), cell('s2', 0, 1)] }

const server = async (): Promise<Harness & { ann: string; bob: string; admin: string; leased: string[] }> => {
  const harness = await startServer()
  const { context, addStream, addUser, signIn } = harness
  for (const login of ['ann', 'bob']) await addUser(login)
  await addUser('admin', true)
  await addStream('s1', 'ann')
  await addStream('s2', 'ann')
  await addStream('s3', 'bob')
  const leased: string[] = []
  context.streams = {
    ...context.streams,
    view: async (caller, uids) => {
      const all = await context.access.rightsTo(caller, uids)
      return [...all].map(([uid, rights]) => ({
        uid,
        name: `name of ${uid}`,
        streamSource: '',
        tags: [],
        status: 'running',
        failureReason: '',
        location: { name: '' },
        meta: { marker: '', isShared: false, canAdmin: rights.canAdmin, canViewArchive: rights.canViewArchive },
        archive: { isEnable: true, depthHours: -1 },
        live: { onDemand: true },
        node: { id: 'local', available: true },
      }))
    },
    extendLease: (uid) => leased.push(uid),
  }
  return { ...harness, leased, ann: await signIn('ann'), bob: await signIn('bob'), admin: await signIn('admin') }
}

const made = async ({ ask, ann }: Awaited<ReturnType<typeof server>>): Promise<string> => {
  const { status, body } = await ask('POST', '/v1/mosaic', { cookie: ann, body: draft })
  expect({ status, body }).toEqual({ status: 200, body: { id: expect.stringMatching(/^[\w-]{12}$/) } })
  return String(Reflect.get(Object(body), 'id'))
}

describe('a mosaic', () => {
  test("is its owner's and the administrators', unknown to others", async () => {
    const opened = await server()
    const { ask, ann, bob, admin } = opened
    const id = await made(opened)
    const mosaic = { id, ...draft, meta: { canAdmin: true } }
    for (const cookie of [ann, admin])
      expect((await ask('GET', '/v1/mosaics', { cookie })).body).toEqual({ items: [{ ...mosaic, missing: [] }] })
    expect((await ask('GET', '/v1/mosaics', { cookie: bob })).body).toEqual({ items: [] })
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', draft],
      ['DELETE', undefined],
    ] as const) {
      const refused = await ask(method, `/v1/mosaic/${id}`, { cookie: bob, body })
      expect({ method, status: refused.status, body: refused.body }).toEqual({
        method,
        status: 404,
        body: { code: 'NotFound' },
      })
    }
    const found = await ask('GET', '/v1/system/search?query=DOOR', { cookie: ann })
    expect(found.body).toEqual({ streams: [], mosaics: [{ id, name: 'Doors' }], users: [] })
    expect((await ask('GET', '/v1/system/search?query=door', { cookie: bob })).body).toEqual({
      streams: [],
      mosaics: [],
      users: [],
    })
  })

  test('comes with the streams that the caller may see, whose leases it extends', async () => {
    const opened = await server()
    const { ask, admin, ann, context, leased } = opened
    const id = await made(opened)
    const caller: Caller = {
      kind: 'user',
      id: 'ann',
      login: 'ann',
      isAdmin: false,
      maxStreamCreation: 0,
      mustAddTotp: false,
      mustChangePassword: false,
      via: { token: '' },
    }
    const { body } = await ask('GET', `/v1/mosaic/${id}`, { cookie: ann })
    expect({ body, leased }).toEqual({
      body: { id, ...draft, meta: { canAdmin: true }, streams: await context.streams.view(caller, ['s1', 's2']) },
      leased: [],
    })
    await context.store.run("UPDATE streams SET owner = 'bob' WHERE uid = 's1'")
    expect((await ask('GET', `/v1/mosaic/${id}?extend_lease=true`, { cookie: ann })).body).toMatchObject({
      streams: [{ uid: 's2' }],
    })
    expect(leased).toEqual(['s2'])
    expect((await ask('GET', `/v1/mosaic/${id}`, { cookie: admin })).body).toMatchObject({
      streams: expect.toSatisfy((streams: readonly { uid: string }[]) =>
        isDeepStrictEqual(streams.map(({ uid }) => uid).toSorted(), ['s1', 's2']),
      ),
    })
  })

  test('is saved as a whole; a tile whose stream is gone keeps its cell', async () => {
    const opened = await server()
    const { ask, ann, context } = opened
    const id = await made(opened)
    await context.store.run("DELETE FROM streams WHERE uid = 's1'")
    const changed = { name: 'Gates', columns: 3, rows: 1, cells: [cell('s2', 0, 0), cell('s1', 1, 0), cell('', 2, 0)] }
    const saved = await ask('POST', `/v1/mosaic/${id}`, { cookie: ann, body: changed })
    expect({ status: saved.status, body: saved.body }).toEqual({
      status: 200,
      body: { id, ...changed, meta: { canAdmin: true } },
    })
    expect((await ask('GET', '/v1/mosaics', { cookie: ann })).body).toEqual({
      items: [{ id, ...changed, meta: { canAdmin: true }, missing: ['s1', ''] }],
    })
  })

  test('is deleted for good; malformed and unknown ids are not found', async () => {
    const opened = await server()
    const { ask, ann } = opened
    const id = await made(opened)
    const gone = await ask('DELETE', `/v1/mosaic/${id}`, { cookie: ann })
    expect({ status: gone.status, body: gone.body }).toEqual({ status: 200, body: {} })
    for (const unknown of [id, 'x', '%00', "'", 'a'.repeat(400)]) {
      const { status, body } = await ask('GET', `/v1/mosaic/${unknown}`, { cookie: ann })
      expect({ unknown, status, body }).toEqual({ unknown, status: 404, body: { code: 'NotFound' } })
    }
  })

  test('outlives its owner for the administrators, and follows a rename', async () => {
    const opened = await server()
    const { ask, admin, ann } = opened
    const id = await made(opened)
    await ask('PATCH', '/v1/user/ann', { cookie: admin, body: { name: 'anna' } })
    expect((await ask('GET', `/v1/mosaic/${id}`, { cookie: ann })).status).toBe(200)
    await ask('DELETE', '/v1/user/anna', { cookie: admin })
    expect((await ask('GET', `/v1/mosaic/${id}`, { cookie: admin })).body).toMatchObject({ id, name: 'Doors' })
  })
})

test('a layout that does not fit, and streams one may not see, are reported field by field', async () => {
  const { ask, ann } = await server()
  const cells = [
    cell('s1', 0, 0, 2, 2),
    cell('s2', 1, 1),
    cell('s1', 2, 0, 2),
    cell('s1', 0, -1),
    cell('s1', 0.5, 2),
    cell('s3', 2, 2),
    cell('none', 0, 2),
  ]
  const { status, body } = await ask('POST', '/v1/mosaic', {
    cookie: ann,
    body: { name: 'x', columns: 3, rows: 3, cells },
  })
  expect({ status, body }).toEqual({
    status: 400,
    body: {
      code: 'ValidationError',
      details: {
        'cells.1': 'Must not overlap cell 1',
        'cells.2': 'Must be inside the grid',
        'cells.3': 'Must be placed in whole columns and rows',
        'cells.4': 'Must be placed in whole columns and rows',
        'cells.5.streamUid': 'Unknown stream',
        'cells.6.streamUid': 'Unknown stream',
      },
    },
  })
  const most = {
    name: 'x',
    columns: 12,
    rows: 12,
    cells: Array.from({ length: 37 }, (_, index) => cell('s1', index % 12, Math.floor(index / 12))),
  }
  const tooMany = await ask('POST', '/v1/mosaic', { cookie: ann, body: most })
  expect({ status: tooMany.status, body: tooMany.body }).toEqual({
    status: 400,
    body: { code: 'ValidationError', details: { cells: 'At most 36 entries' } },
  })
  const blank = await ask('POST', '/v1/mosaic', { cookie: ann, body: { name: ' ', columns: 0, rows: 13, cells: [] } })
  expect(blank.body).toEqual({
    code: 'ValidationError',
    details: {
      name: 'Required',
      columns: 'At least 1',
      rows: 'At most 12',
    },
  })
})
