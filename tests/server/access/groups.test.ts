import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { visibleStreams, streamsOfArchive, type Caller } from '../../../server/access/access.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { auditServer } from '../fixtures/audit-server.ts'
import { startServer, type Harness } from '../fixtures/harness.ts'

const Id = z.object({ id: z.string() })
const rightsOf = (canView: boolean, canViewArchive = false, canAdmin = false) => ({ canView, canViewArchive, canAdmin })

/** Ann is an administrator; streams `s1` to `s4` are nobody's. */
const open = async () => {
  const server = await startServer()
  const { addUser, addStream, ask, signIn } = server
  for (const login of ['ann', 'bob', 'cid']) await addUser(login, login === 'ann')
  for (const uid of ['s1', 's2', 's3', 's4']) await addStream(uid)
  const cookie = await signIn('ann')
  const call = (method: Parameters<Harness['ask']>[0], url: string, body?: object) =>
    ask(method, url, { cookie, ...(body === undefined ? {} : { body }) })
  const add = async (kind: 'users' | 'streams', name: string, members: readonly string[] = []): Promise<string> => {
    const { status, body } = await call('POST', '/v1/groups', { kind, name, members })
    expect({ name, status, body }).toMatchObject({ name, status: 200 })
    return z.parse(Id, body).id
  }
  const grant = async (id: string, permissions: readonly object[]) => {
    const answer = await call('PUT', `/v1/group/${id}/permissions`, { permissions })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const callerOf = async (login: string): Promise<Caller> => {
    const account = await server.context.accounts.get(login)
    return { ...account, kind: 'user', mustAddTotp: false, via: { token: '' } }
  }
  /** What a user may do with each stream by the decision; the lists of streams must agree. */
  const rights = async (login: string) => {
    const caller = await callerOf(login)
    const { access, store } = server.context
    const uids = ['s1', 's2', 's3', 's4']
    const found = await access.rightsTo(caller, uids)
    for (const uid of uids) expect(await access.streamRights(caller, uid)).toEqual(found.get(uid))
    const listed = async ({ sql, values }: ReturnType<typeof visibleStreams>) => {
      const rows = await store.all(z.object({ uid: z.string() }), `SELECT uid FROM streams WHERE ${sql}`, ...values)
      return rows.map(({ uid }) => uid).toSorted()
    }
    expect(await listed(visibleStreams(caller))).toEqual([...found.keys()].toSorted())
    expect(await listed(streamsOfArchive(caller))).toEqual(
      [...found].flatMap(([uid, { canViewArchive }]) => (canViewArchive ? [uid] : [])).toSorted(),
    )
    return Object.fromEntries(found)
  }
  return { ...server, call, add, grant, rights }
}

test('groups are added, listed by kind and name a page at a time, renamed, filled anew and deleted', async () => {
  const { call, add } = await open()
  const yard = await add('streams', 'Yard', ['s2', 's1', 's2'])
  const guards = await add('users', ' Guards ', ['BOB'])
  const chiefs = await add('users', 'chiefs')
  expect((await call('GET', '/v1/groups')).body).toEqual({
    items: [
      { id: chiefs, kind: 'users', name: 'chiefs', memberCount: 0 },
      { id: guards, kind: 'users', name: 'Guards', memberCount: 1 },
      { id: yard, kind: 'streams', name: 'Yard', memberCount: 2 },
    ],
    page: 1,
    pageSize: 50,
    total: 3,
  })
  expect((await call('GET', '/v1/groups?page=2')).body).toMatchObject({ items: [], page: 2, total: 3 })
  expect((await call('GET', `/v1/group/${guards}`)).body).toEqual({
    id: guards,
    kind: 'users',
    name: 'Guards',
    members: ['bob'],
  })
  const changed = { id: guards, kind: 'users', name: 'Night', members: ['ann', 'cid'] }
  expect((await call('PATCH', `/v1/group/${guards}`, { name: 'Night', members: ['cid', 'ann'] })).body).toEqual(changed)
  expect((await call('PATCH', `/v1/group/${guards}`, { name: 'night' })).body).toEqual({ ...changed, name: 'night' })
  expect((await call('PATCH', `/v1/group/${guards}`, { members: [] })).body).toMatchObject({ members: [] })
  expect(await call('DELETE', `/v1/group/${guards}`)).toMatchObject({ status: 200, body: {} })
  for (const method of ['GET', 'PATCH', 'DELETE'] as const)
    expect([method, (await call(method, `/v1/group/${guards}`, method === 'PATCH' ? {} : undefined)).status]).toEqual([
      method,
      404,
    ])
})

test.each([
  ['a name in use', { kind: 'users', name: 'guards' }, 409, { name: 'Already used' }],
  ['no name', { kind: 'users', name: ' ' }, 400, { name: 'Required' }],
  ['an unknown login', { kind: 'users', name: 'New', members: ['bob', 'eve'] }, 400, { 'members.1': 'Unknown login' }],
  ['an unknown stream', { kind: 'streams', name: 'New', members: ['S1'] }, 400, { 'members.0': 'Unknown stream' }],
  ['an unknown kind', { kind: 'roles', name: 'New' }, 400, { kind: 'One of: users, streams' }],
])('a group with %s is refused, and nothing is added', async (_what, body, status, details) => {
  const { call, add } = await open()
  await add('users', 'Guards')
  expect(await call('POST', '/v1/groups', body)).toMatchObject({ status, body: { details } })
  expect((await call('GET', '/v1/groups')).body).toMatchObject({ total: 1 })
})

test('the same name may be that of users and of streams', async () => {
  const { add } = await open()
  expect(await add('users', 'Yard')).not.toBe(await add('streams', 'yard'))
})

test('rights are those of the user and of all groups together, and end with member, stream, grant or group', async () => {
  const { call, add, grant, rights, context } = await open()
  const [all, live, archive] = [rightsOf(true, true, true), rightsOf(true), rightsOf(true, true)]
  const guards = await add('users', 'Guards', ['bob'])
  const chiefs = await add('users', 'Chiefs', ['bob', 'cid'])
  const yard = await add('streams', 'Yard', ['s1', 's2'])
  const gates = await add('streams', 'Gates', ['s2', 's3'])
  await call('POST', '/v1/user/bob/permissions', { permissions: [{ uid: 's1', name: '', ...archive }] })
  await grant(guards, [{ streamGroupId: yard, ...live }])
  await grant(chiefs, [
    { streamGroupId: gates, canViewArchive: true },
    { streamId: 's4', canAdmin: true },
  ])
  expect(await rights('bob')).toEqual({ s1: archive, s2: archive, s3: archive, s4: all })
  expect(await rights('cid')).toEqual({ s2: archive, s3: archive, s4: all })

  await call('PATCH', `/v1/group/${gates}`, { members: ['s3'] })
  expect(await rights('bob')).toEqual({ s1: archive, s2: live, s3: archive, s4: all })
  await grant(chiefs, [{ streamGroupId: gates, ...live }])
  expect(await rights('bob')).toEqual({ s1: archive, s2: live, s3: live })
  await call('PATCH', `/v1/group/${chiefs}`, { members: ['cid'] })
  expect(await rights('bob')).toEqual({ s1: archive, s2: live })
  await call('DELETE', `/v1/group/${yard}`)
  expect(await rights('bob')).toEqual({ s1: archive })
  expect(await rights('cid')).toEqual({ s3: live })
  await call('PATCH', '/v1/user/cid', { name: 'cyd' })
  expect(await rights('cyd')).toEqual({ s3: live })
  await context.store.run("DELETE FROM streams WHERE uid = 's3'")
  expect(await rights('cyd')).toEqual({})
  await call('DELETE', '/v1/user/cyd')
  expect((await call('GET', `/v1/group/${chiefs}`)).body).toMatchObject({ members: [] })
})

test('rights of a group are answered as they count, and replaced as a whole', async () => {
  const { call, add, grant } = await open()
  const guards = await add('users', 'Guards')
  const yard = await add('streams', 'Yard')
  const granted = await grant(guards, [
    { streamId: 's1', name: 'anything', canViewArchive: true },
    { streamId: 's2' },
    { streamGroupId: yard, canAdmin: true },
  ])
  expect(granted).toEqual({
    permissions: [
      { streamGroupId: yard, name: 'Yard', ...rightsOf(true, true, true) },
      { streamId: 's1', name: 'name of s1', ...rightsOf(true, true) },
    ],
  })
  expect((await call('GET', `/v1/group/${guards}/permissions`)).body).toEqual(granted)
  const [gate, none] = [{ streamId: 's1', canView: true }, { streamId: 's1' }]
  expect(await grant(guards, [gate, none])).toEqual({ permissions: [] })
  expect(await grant(guards, [none, gate])).toMatchObject({ permissions: [{ streamId: 's1', ...rightsOf(true) }] })
  expect(await grant(guards, [])).toEqual({ permissions: [] })
  const refusals = [
    [{ streamGroupId: guards, canView: true }, { 'permissions.0.streamGroupId': 'Unknown group' }],
    [{ streamId: 'none', canView: true }, { 'permissions.0.streamId': 'Unknown stream' }],
    [{ canView: true }, { 'permissions.0': 'Must have either streamGroupId or streamId' }],
    [
      { streamId: 's1', streamGroupId: yard, canView: true },
      { 'permissions.0': 'Must have either streamGroupId or streamId' },
    ],
  ] as const
  for (const [permission, details] of refusals) {
    expect(await call('PUT', `/v1/group/${guards}/permissions`, { permissions: [permission] })).toMatchObject({
      status: 400,
      body: { code: 'ValidationError', details },
    })
  }
  expect((await call('GET', `/v1/group/${yard}/permissions`)).status).toBe(404)
  expect((await call('PUT', `/v1/group/${yard}/permissions`, { permissions: [] })).status).toBe(404)
})

test('the lists of own rights stay as they are; beside them is what comes from which group', async () => {
  const { call, add, grant } = await open()
  const guards = await add('users', 'Guards', ['bob', 'cid'])
  const chiefs = await add('users', 'Chiefs', ['bob'])
  const yard = await add('streams', 'Yard', ['s1', 's2'])
  const own = { permissions: [{ uid: 's1', name: 'name of s1', ...rightsOf(true, true) }] }
  await call('POST', '/v1/user/bob/permissions', own)
  await grant(guards, [{ streamGroupId: yard, ...rightsOf(true) }])
  await grant(chiefs, [{ streamId: 's2', ...rightsOf(true, true) }])
  expect((await call('GET', '/v1/user/bob/permissions')).body).toEqual(own)
  expect((await call('GET', '/v1/user/BOB/group-permissions')).body).toEqual({
    permissions: [
      { uid: 's1', name: 'name of s1', ...rightsOf(true), groups: ['Guards'] },
      { uid: 's2', name: 'name of s2', ...rightsOf(true, true), groups: ['Chiefs', 'Guards'] },
    ],
  })
  expect((await call('GET', '/v1/stream/s2/group-permissions')).body).toEqual({
    permissions: [
      { groupId: chiefs, name: 'Chiefs', memberCount: 1, ...rightsOf(true, true) },
      { groupId: guards, name: 'Guards', memberCount: 2, ...rightsOf(true) },
    ],
  })
})

test('a member sees the streams of the group in the list of streams, and gets what the group may', async () => {
  const { ask, addUser, signIn } = await startServer({ plugins: [createStreamsPlugin()] })
  for (const login of ['ann', 'bob']) await addUser(login, login === 'ann')
  const [ann, bob] = [await signIn('ann'), await signIn('bob')]
  const post = async (url: string, body: object) => (await ask('POST', url, { cookie: ann, body })).body
  const stream = { name: 'Door', streamSource: 'demo:gate', live: { onDemand: true } }
  const { uid } = z.parse(z.object({ uid: z.string() }), await post('/v1/stream', stream))
  const { id: yard } = z.parse(Id, await post('/v1/groups', { kind: 'streams', name: 'Yard', members: [uid] }))
  const { id: guards } = z.parse(Id, await post('/v1/groups', { kind: 'users', name: 'Guards', members: ['bob'] }))
  expect((await ask('GET', '/v1/streams', { cookie: bob })).body).toMatchObject({ total: 0 })
  const permissions = [{ streamGroupId: yard, canViewArchive: true }]
  await ask('PUT', `/v1/group/${guards}/permissions`, { cookie: ann, body: { permissions } })
  expect((await ask('GET', '/v1/streams', { cookie: bob })).body).toMatchObject({
    total: 1,
    items: [{ uid, meta: { canViewArchive: true, canAdmin: false } }],
  })
  expect((await ask('GET', `/v1/stream/${uid}/archive/stats`, { cookie: bob })).status).toBe(200)
  expect((await ask('GET', `/v1/stream/${uid}/logs`, { cookie: bob })).status).toBe(403)
  expect((await ask('GET', '/v1/system/search?query=door', { cookie: bob })).body).toMatchObject({ streams: [{ uid }] })
})

test('each change has an entry that says who and what was added, removed and granted', async () => {
  const { ask, ann, log } = await auditServer()
  const call = async (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, body?: object) =>
    (await ask(method, url, { cookie: ann, ...(body === undefined ? {} : { body }) })).body
  const { id } = z.parse(Id, await call('POST', '/v1/groups', { kind: 'users', name: 'Guards', members: ['bob'] }))
  await call('PATCH', `/v1/group/${id}`, { name: 'Night', members: ['ann'] })
  await call('PUT', `/v1/group/${id}/permissions`, { permissions: [{ streamId: 's1', name: 'Door', canView: true }] })
  await call('DELETE', `/v1/group/${id}`)
  const entries = (await log('?action=group')).map((entry) => z.parse(z.looseObject({ action: z.string() }), entry))
  expect(entries.map(({ action, target, outcome, changes }) => ({ action, target, outcome, changes }))).toEqual([
    { action: 'group.delete', target: id, outcome: 'ok', changes: [{ path: 'groupName', from: 'Night' }] },
    {
      action: 'group.permissions',
      target: id,
      outcome: 'ok',
      changes: [{ path: 'permissions.Door (s1)', from: '', to: 'canView' }],
    },
    {
      action: 'group.change',
      target: id,
      outcome: 'ok',
      changes: [
        { path: 'groupName', from: 'Guards', to: 'Night' },
        { path: 'members', from: '1', to: '1' },
        { path: 'members.bob', from: 'bob' },
        { path: 'members.ann', to: 'ann' },
      ],
    },
    {
      action: 'group.create',
      target: id,
      outcome: 'ok',
      changes: [
        { path: 'groupName', to: 'Guards' },
        { path: 'members', from: '0', to: '1' },
        { path: 'members.bob', to: 'bob' },
      ],
    },
  ])
})
