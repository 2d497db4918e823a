import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { replaceStreamPermissions } from '../../../server/access/permissions.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'

const server = async (): Promise<Harness & { cookie: string }> => {
  const harness = await startServer()
  await harness.addUser('ann', true)
  await harness.addUser('bob')
  return { ...harness, cookie: await harness.signIn('ann') }
}

const user = (name: string, change: object = {}) => ({
  name,
  email: '',
  fullName: '',
  language: '',
  isAdmin: false,
  permissionType: 'user',
  maxStreamCreation: -1,
  isManaged: false,
  isBlocked: false,
  ...change,
})
const ann = user('ann', { isAdmin: true, permissionType: 'admin' })

describe('an administrator', () => {
  test('makes a user, who must change the password', async () => {
    const { ask, cookie } = await server()
    const draft = {
      name: 'cid',
      email: 'cid@example.org',
      fullName: 'Cid',
      password,
      language: 'ru',
      permissionType: 'user',
      maxStreamCreation: 0,
    }
    const cid = user('cid', {
      email: 'cid@example.org',
      fullName: 'Cid',
      language: 'ru',
      maxStreamCreation: 0,
      mustChangePassword: true,
    })
    const made = await ask('POST', '/v1/user', { cookie, body: draft })
    expect({ status: made.status, body: made.body }).toEqual({ status: 200, body: cid })
    expect((await ask('GET', '/v1/users', { cookie })).body).toEqual({ items: [ann, user('bob'), cid] })
    const signedIn = await ask('POST', '/v1/sign-in', { body: { name: 'cid', password } })
    expect(signedIn.body).toEqual({ mustChangePassword: true })
    const again = await ask('POST', '/v1/user', { cookie, body: { ...draft, email: '' } })
    expect({ status: again.status, body: again.body }).toEqual({
      status: 409,
      body: { code: 'AlreadyUsed', details: { name: 'Already used' } },
    })
  })

  test('gets the wrong fields of a new user', async () => {
    const { ask, cookie } = await server()
    const { status, body } = await ask('POST', '/v1/user', {
      cookie,
      body: { name: '', email: 'x', password: 7, permissionType: 'god', maxStreamCreation: 1.5 },
    })
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 'ValidationError',
        details: {
          name: 'Required',
          email: 'Must be an e-mail address',
          password: 'Must be text',
          permissionType: 'One of: admin, user',
          maxStreamCreation: 'Must be a whole number',
        },
      },
    })
  })

  test('changes and renames a user, whose sessions and permissions follow; a new password ends the sessions', async () => {
    const { ask, cookie, signIn, addStream, context } = await server()
    await addStream('s1')
    const bob = await signIn('bob')
    await ask('POST', '/v1/user/bob/permissions', { cookie, body: { permissions: [{ uid: 's1', canView: true }] } })
    const renamed = await ask('PATCH', '/v1/user/BOB', {
      cookie,
      body: { name: 'rob', fullName: 'Rob', permissionType: 'admin' },
    })
    const rob = user('rob', { fullName: 'Rob', isAdmin: true, permissionType: 'admin' })
    expect({ status: renamed.status, body: renamed.body }).toEqual({ status: 200, body: rob })
    expect((await ask('GET', '/v1/user', { cookie: bob })).body).toEqual(rob)
    expect((await ask('GET', '/v1/user/rob/permissions', { cookie })).body).toEqual({
      permissions: [{ uid: 's1', name: 'name of s1', canView: true, canViewArchive: false, canAdmin: false }],
    })
    expect((await ask('GET', '/v1/user/bob', { cookie })).status).toBe(404)
    expect((await ask('PATCH', '/v1/user/rob', { cookie, body: { password: 'another horse 8' } })).status).toBe(200)
    expect((await ask('GET', '/v1/user', { cookie: bob })).status).toBe(401)
    expect((await context.accounts.get('rob')).mustChangePassword).toBe(true)
    const own = await ask('PATCH', '/v1/user/ann', { cookie, body: { password: 'another horse 8' } })
    expect(own.body).toEqual({ code: 'ActionNotAcceptable', message: 'Change your own password in your profile' })
  })

  test('blocks a user, whose calls stop at once by cookie and token, and unblocks', async () => {
    const { ask, cookie, signIn, context } = await server()
    const bob = await signIn('bob')
    const { token } = await context.tokens.create('bob', 't', null)
    const byToken = { headers: { authorization: `Bearer ${token}` } }
    expect((await ask('GET', '/v1/user', byToken)).status).toBe(200)
    expect((await ask('POST', '/v1/user/bob/block', { cookie })).body).toEqual(user('bob', { isBlocked: true }))
    expect((await ask('GET', '/v1/user', { cookie: bob })).status).toBe(401)
    expect((await ask('GET', '/v1/user', byToken)).status).toBe(401)
    expect((await ask('POST', '/v1/user/bob/unblock', { cookie })).body).toEqual(user('bob'))
    expect((await ask('GET', '/v1/user', { cookie: bob })).status).toBe(401)
    expect((await ask('GET', '/v1/user', byToken)).status).toBe(401)
    const self = await ask('POST', '/v1/user/ann/block', { cookie })
    expect({ status: self.status, body: self.body }).toEqual({
      status: 409,
      body: { code: 'ActionNotAcceptable', message: 'You can not block yourself' },
    })
  })

  test('can not remove or demote the last administrator', async () => {
    const { ask, cookie, addUser, signIn, context } = await server()
    const last = { status: 409, body: { code: 'ActionNotAcceptable', message: 'The last administrator must stay' } }
    const demoted = await ask('PATCH', '/v1/user/ann', { cookie, body: { permissionType: 'user', fullName: 'x' } })
    expect({ status: demoted.status, body: demoted.body }).toEqual(last)
    const removed = await ask('DELETE', '/v1/user/ann', { cookie })
    expect({ status: removed.status, body: removed.body }).toEqual(last)
    expect((await ask('GET', '/v1/user/ann', { cookie })).body).toEqual(ann)
    await addUser('dee', true)
    await context.accounts.change('ann', { isBlocked: true })
    const dee = await signIn('dee')
    expect((await ask('DELETE', '/v1/user/dee', { cookie: dee })).status).toBe(409)
    expect((await ask('DELETE', '/v1/user/ann', { cookie: dee })).status).toBe(200)
  })

  test('deletes a user with sessions, tokens and permissions; the streams stay', async () => {
    const { ask, cookie, signIn, addStream, context } = await server()
    await addStream('s1', 'bob')
    const bob = await signIn('bob')
    await context.tokens.create('bob', 't', null)
    expect((await ask('DELETE', '/v1/user/bob', { cookie })).body).toEqual({})
    expect((await ask('GET', '/v1/user', { cookie: bob })).status).toBe(401)
    expect((await ask('DELETE', '/v1/user/bob', { cookie })).status).toBe(404)
    expect(await context.store.all(z.unknown(), 'SELECT uid, owner FROM streams')).toEqual([{ uid: 's1', owner: null }])
    expect(await context.tokens.list('bob')).toEqual([])
  })

  test("sees and ends a user's sessions", async () => {
    const { ask, cookie, signIn, context } = await server()
    const bob = await signIn('bob')
    const [session] = await context.sessions.list('bob')
    expect((await ask('GET', '/v1/user/bob/sessions', { cookie })).body).toEqual({
      items: [
        {
          id: session?.id,
          lastSeenTime: '2026-11-21T08:00:00.000Z',
          userAgent: 'lightMyRequest',
          ip: '192.0.2.1',
          isCurrent: false,
        },
      ],
    })
    expect((await ask('DELETE', `/v1/user/ann/session/${session?.id}`, { cookie })).status).toBe(404)
    expect((await ask('DELETE', `/v1/user/bob/session/${session?.id}`, { cookie })).body).toEqual({})
    expect((await ask('GET', '/v1/user', { cookie: bob })).status).toBe(401)
  })

  test('names users of any script in any case', async () => {
    const { ask, cookie, addUser, addStream, signIn, context } = await server()
    await addUser('Юля')
    await addStream('s1')
    await signIn('Юля')
    const [session] = await context.sessions.list('Юля')
    const path = `/v1/user/${encodeURIComponent('юля')}/session/${session?.id}`
    expect((await ask('DELETE', path, { cookie })).status).toBe(200)
    const permissions = [{ login: 'ЮЛЯ', canView: true, canViewArchive: false, canAdmin: false }]
    expect(await replaceStreamPermissions(context, 's1', { permissions })).toEqual({
      permissions: [{ ...permissions[0], login: 'Юля' }],
    })
  })

  test("replaces a user's permissions as a whole; more includes less", async () => {
    const { ask, cookie, addStream } = await server()
    for (const uid of ['s1', 's2', 's3']) await addStream(uid)
    const all = await ask('POST', '/v1/user/bob/permissions', {
      cookie,
      body: { permissions: [{ uid: 's3', canAdmin: true }, { uid: 's2', canViewArchive: true }, { uid: 's1' }] },
    })
    const s2 = { uid: 's2', name: 'name of s2', canView: true, canViewArchive: true, canAdmin: false }
    const s3 = { uid: 's3', name: 'name of s3', canView: true, canViewArchive: true, canAdmin: true }
    expect({ status: all.status, body: all.body }).toEqual({ status: 200, body: { permissions: [s2, s3] } })
    const last = await ask('POST', '/v1/user/bob/permissions', {
      cookie,
      body: { permissions: [{ uid: 's1', canView: true }, s2, s3, { uid: 's1' }] },
    })
    expect(last.body).toEqual({ permissions: [s2, s3] })
    const unknown = await ask('POST', '/v1/user/bob/permissions', {
      cookie,
      body: {
        permissions: [
          { uid: 's1', canView: true },
          { uid: 'gone', canView: true },
        ],
      },
    })
    expect({ status: unknown.status, body: unknown.body }).toEqual({
      status: 400,
      body: { code: 'ValidationError', details: { 'permissions.1.uid': 'Unknown stream' } },
    })
    expect((await ask('GET', '/v1/user/bob/permissions', { cookie })).body).toEqual({ permissions: [s2, s3] })
  })
})

test('search answers only what the caller may see', async () => {
  const { ask, cookie, addStream, signIn, context } = await server()
  await addStream('s1')
  await addStream('s2', 'bob')
  await context.store.run("UPDATE streams SET name = 'Вход ' || uid")
  const find = async (who: string, words: string) =>
    (await ask('GET', `/v1/system/search?query=${encodeURIComponent(words)}`, { cookie: who })).body
  const s1 = { uid: 's1', name: 'Вход s1' }
  const s2 = { uid: 's2', name: 'Вход s2' }
  expect(await find(cookie, 'вХОД')).toEqual({ streams: [s1, s2], mosaics: [], users: [] })
  expect(await find(cookie, 'BO')).toEqual({ streams: [], mosaics: [], users: [{ name: 'bob' }] })
  const bob = await signIn('bob')
  expect(await find(bob, 'вход')).toEqual({ streams: [s2], mosaics: [], users: [] })
  expect(await find(bob, 'ann')).toEqual({ streams: [], mosaics: [], users: [] })
})

test('the licence of the free edition; a text that is none is incorrect', async () => {
  const { ask, cookie } = await server()
  expect((await ask('GET', '/v1/system/license', { cookie })).body).toEqual({ expired: false, text: '', features: [] })
  const put = await ask('PUT', '/v1/system/license', { cookie, body: { text: 'nonsense' } })
  expect({ status: put.status, body: put.body }).toEqual({ status: 400, body: { code: 'IncorrectLicense' } })
})

test('gauges are numbers', async () => {
  const { ask, cookie } = await server()
  const number = expect.any(Number)
  expect((await ask('GET', '/v1/system/stats', { cookie })).body).toEqual({
    cpuPercent: number,
    memoryUsedBytes: number,
    memoryTotalBytes: number,
    disk: { usedBytes: number, totalBytes: number },
    streams: { total: 0, running: 0 },
    viewers: 0,
    uptimeSeconds: number,
  })
})
