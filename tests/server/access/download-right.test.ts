import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { accessSteps } from '../../../server/access/tables.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { streamPermissions } from '../../../server/access/permissions.ts'
import { schema } from '../../../server/schema.ts'
import { auditServer } from '../fixtures/audit-server.ts'
import { startServer } from '../fixtures/harness.ts'
import { memoryDatabase } from '../fixtures/memory-store.ts'

const Id = z.object({ id: z.string() })
const Uid = z.object({ uid: z.string() })
const live = { canView: true, canViewArchive: false, canAdmin: false }
const archive = { ...live, canViewArchive: true }
const watched = { ...archive, canDownload: false }
const all = { ...archive, canAdmin: true }

/** Ann is an administrator; the stream is hers. */
const open = async () => {
  const server = await startServer({ plugins: [createStreamsPlugin()] })
  const { addUser, ask, signIn } = server
  for (const login of ['ann', 'bob', 'cid', 'dan', 'eve']) await addUser(login, login === 'ann')
  const cookie = await signIn('ann')
  const call = async (method: Parameters<typeof ask>[0], url: string, body?: object) => {
    const answer = await ask(method, url, { cookie, ...(body === undefined ? {} : { body }) })
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const { uid } = z.parse(
    Uid,
    await call('POST', '/v1/stream', { name: 'Door', streamSource: 'demo:gate', live: { onDemand: true } }),
  )
  /** Adds a group of the user with a right to the stream. */
  const group = async (name: string, login: string, right: object) => {
    const { id } = z.parse(Id, await call('POST', '/v1/groups', { kind: 'users', name, members: [login] }))
    return {
      id,
      answer: await call('PUT', `/v1/group/${id}/permissions`, { permissions: [{ streamId: uid, ...right }] }),
    }
  }
  return { ...server, call, uid, group }
}

test('canDownload is answered only where it withholds the archive, and absent means as the archive', async () => {
  const { ask, call, uid, group } = await open()
  expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({
    features: expect.arrayContaining(['download-right']),
  })
  const permissions = [
    { login: 'bob', ...watched },
    { login: 'cid', ...all, canDownload: false },
    { login: 'dan', ...live, canDownload: false },
    { login: 'eve', ...archive, canDownload: true },
  ]
  const stored = [
    { login: 'bob', ...watched },
    { login: 'cid', ...all },
    { login: 'dan', ...live },
    { login: 'eve', ...archive },
  ]
  expect(await call('POST', `/v1/stream/${uid}/permissions`, { permissions })).toStrictEqual({ permissions: stored })
  expect(await call('GET', `/v1/stream/${uid}/permissions`)).toStrictEqual({ permissions: stored })
  const ofBob = { permissions: [{ uid, name: 'Door', ...watched }] }
  expect(await call('GET', '/v1/user/bob/permissions')).toStrictEqual(ofBob)
  expect(await call('POST', '/v1/user/bob/permissions', ofBob)).toStrictEqual(ofBob)
  expect(await call('POST', '/v1/user/bob/permissions', { permissions: [{ uid, ...archive }] })).toStrictEqual({
    permissions: [{ uid, name: 'Door', ...archive }],
  })
  const { answer } = await group('Guards', 'bob', watched)
  expect(answer).toStrictEqual({ permissions: [{ streamId: uid, name: 'Door', ...watched }] })
})

test('whoever has a grant of the archive with downloads may download, others are refused', async () => {
  const { ask, signIn, call, uid, group } = await open()
  const bob = await signIn('bob')
  const day = 'start_time=2026-11-21T08:00:00.000Z&end_time=2026-11-21T08:01:00.000Z'
  const look = async () => {
    const { body } = await ask('GET', `/v1/stream/${uid}`, { cookie: bob })
    const { status } = await ask('GET', `/v1/stream/${uid}/archive/download?${day}`, { cookie: bob })
    const { canViewArchive, canDownload } = Object(Object(body).meta)
    return { canViewArchive, canDownload, status }
  }
  const refused = { canViewArchive: true, canDownload: false, status: 403 }
  // Nothing is recorded.
  const allowed = { canViewArchive: true, canDownload: undefined, status: 404 }
  await call('POST', '/v1/user/bob/permissions', { permissions: [{ uid, ...watched }] })
  expect(await look()).toEqual(refused)
  expect((await ask('GET', `/v1/stream/${uid}/archive/ranges?${day}`, { cookie: bob })).status).toBe(200)
  await group('Watchers', 'bob', watched)
  const { id } = await group('Guards', 'bob', live)
  expect(await look()).toEqual(refused)
  expect(await call('GET', '/v1/user/bob/group-permissions')).toStrictEqual({
    permissions: [{ uid, name: 'Door', ...watched, groups: ['Guards', 'Watchers'] }],
  })
  await call('PUT', `/v1/group/${id}/permissions`, { permissions: [{ streamId: uid, ...archive }] })
  expect(await look()).toEqual(allowed)
  expect(await call('GET', `/v1/stream/${uid}/group-permissions`)).toMatchObject({
    permissions: [
      { name: 'Guards', ...archive },
      { name: 'Watchers', ...watched },
    ],
  })
  await call('PUT', `/v1/group/${id}/permissions`, { permissions: [] })
  expect(await look()).toEqual(refused)
  await call('POST', '/v1/user/bob/permissions', { permissions: [{ uid, ...all }] })
  expect(await look()).toEqual(allowed)
})

test('the audit log tells that a group may watch the archive without downloading it', async () => {
  const { ask, ann, log } = await auditServer()
  const { body } = await ask('POST', '/v1/groups', { cookie: ann, body: { kind: 'users', name: 'Guards' } })
  const { id } = z.parse(Id, body)
  const permissions = [{ streamId: 's1', name: 'Door', ...watched }]
  await ask('PUT', `/v1/group/${id}/permissions`, { cookie: ann, body: { permissions } })
  expect(await log('?action=group.permissions')).toMatchObject([
    { changes: [{ path: 'permissions.Door (s1)', from: '', to: 'canViewArchive without canDownload' }] },
  ])
})

test('whoever may watch the archive before the upgrade may download it after it', async () => {
  const reopen = await memoryDatabase()
  const before = await reopen(new Map([...schema, ['access', accessSteps.slice(0, 4)]]))
  await before.run(
    `INSERT INTO streams (uid, name, source, tags, location, marker, is_archived, depth_hours, is_on_demand, is_paused, owner, created_at, needle)
     VALUES ('s1', '', '', '[]', '', '', 0, 0, 0, 1, NULL, 0, '')`,
  )
  await before.run(
    "INSERT INTO users (login, email, full_name, language, is_admin, is_blocked, is_managed, max_stream_creation, password_hash, must_change_password, created_at) VALUES ('bob', '', '', '', 0, 0, 0, 0, '', 0, 0)",
  )
  await before.run("INSERT INTO stream_permissions VALUES ('bob', 's1', 1, 1, 0)")
  const store = await reopen(schema)
  expect((await streamPermissions(store, 's1')).permissions).toStrictEqual([{ login: 'bob', ...archive }])
})
