import { expect, test } from 'vitest'
import { at, startServer, type Harness } from '../fixtures/harness.ts'

const server = async (): Promise<Harness & { ann: string; bob: string }> => {
  const harness = await startServer()
  const { addStream, addUser, signIn, context } = harness
  await addUser('admin', true)
  for (const login of ['ann', 'bob', 'cid']) await addUser(login)
  await addStream('s1', 'ann')
  await addStream('s2', 'bob')
  await context.store.run(
    "INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin) VALUES ('bob', 's1', 1, 1, 0), ('ann', 's2', 1, 0, 0)",
  )
  return { ...harness, ann: await signIn('ann'), bob: await signIn('bob') }
}

test('bookmarks are kept for each user alone, newest moment first, and change', async () => {
  const { ask, ann, bob } = await server()
  const keep = async (cookie: string, body: object) => {
    const { body: kept } = await ask('POST', '/v1/bookmarks', { cookie, body })
    expect(kept).toEqual({ note: '', ...body, id: expect.stringMatching(/^[\w-]{12}$/) })
    return String(Reflect.get(Object(kept), 'id'))
  }
  const first = await keep(ann, { streamId: 's1', time: at(0), note: 'the van' })
  const second = await keep(ann, { streamId: 's1', time: at(1) })
  const third = await keep(bob, { streamId: 's1', time: at(2) })
  expect((await ask('GET', '/v1/bookmarks', { cookie: ann })).body).toEqual({
    items: [
      { id: second, streamId: 's1', time: at(1), note: '' },
      { id: first, streamId: 's1', time: at(0), note: 'the van' },
    ],
  })
  const changed = await ask('PATCH', `/v1/bookmark/${first}`, { cookie: ann, body: { note: 'a van' } })
  expect({ status: changed.status, body: changed.body }).toEqual({
    status: 200,
    body: { id: first, streamId: 's1', time: at(0), note: 'a van' },
  })
  expect((await ask('PATCH', `/v1/bookmark/${second}`, { cookie: ann, body: { time: at(5) } })).body).toMatchObject({
    time: at(5),
  })
  for (const [method, body] of [
    ['PATCH', { note: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    const foreign = await ask(method, `/v1/bookmark/${third}`, { cookie: ann, body })
    expect({ method, status: foreign.status, body: foreign.body }).toEqual({
      method,
      status: 404,
      body: { code: 'NotFound' },
    })
  }
  const gone = await ask('DELETE', `/v1/bookmark/${second}`, { cookie: ann })
  expect({ status: gone.status, body: gone.body }).toEqual({ status: 200, body: {} })
  expect((await ask('GET', '/v1/bookmarks', { cookie: bob })).body).toEqual({
    items: [{ id: third, streamId: 's1', time: at(2), note: '' }],
  })
})

test('only moments of an archive that is open to the user, now too', async () => {
  const { ask, ann, bob, context } = await server()
  const answers = await Promise.all(
    ['s2', 'none', 's1'].map((streamId) =>
      ask('POST', '/v1/bookmarks', { cookie: ann, body: { streamId, time: at(0) } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([403, 404, 200])
  await ask('POST', '/v1/bookmarks', { cookie: bob, body: { streamId: 's1', time: at(0) } })
  await context.store.run("UPDATE stream_permissions SET can_view_archive = 0 WHERE login = 'bob'")
  expect((await ask('GET', '/v1/bookmarks', { cookie: bob })).body).toEqual({ items: [] })
  await context.store.run("DELETE FROM streams WHERE uid = 's1'")
  expect((await ask('GET', '/v1/bookmarks', { cookie: ann })).body).toEqual({ items: [] })
  const wrong = await ask('POST', '/v1/bookmarks', {
    cookie: ann,
    body: { streamId: 's1', time: 'noon', note: 'x'.repeat(2001) },
  })
  expect(wrong.body).toEqual({
    code: 'ValidationError',
    details: { time: 'Must be a time like 2026-11-21T08:00:00.000Z', note: 'At most 2000 characters' },
  })
})
