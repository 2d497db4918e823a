import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Action } from '../../../server/access/access.ts'
import type { ServerOptions } from '../../../server/app.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { portOf } from '../../../server/start.ts'
import { password, start as startTime, startServer } from '../fixtures/harness.ts'

const minute = Buffer.alloc(1000)

/** An answer without end, as long as somebody reads it. */
const endless: ServerPlugin = (app) => {
  const send = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      yield minute
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const schema = { params: z.object({ uid: z.string() }) }
  for (const [route, to] of [
    ['live', 'view'],
    ['download', 'downloadArchive'],
  ] as const) {
    app.get(
      `/v1/stream/:uid/${route}`,
      { config: { access: { to, from: 'params.uid' } }, schema },
      async (_request, reply) => reply.send(Readable.from(send())),
    )
  }
}

const start = async (options: Partial<ServerOptions> = {}) => {
  const server = await startServer({ plugins: [endless], ...options })
  const { app, context, addUser, addStream, signIn } = server
  for (const login of ['ann', 'bob']) await addUser(login, login === 'ann')
  await addStream('door')
  await context.store.run(
    "INSERT INTO stream_permissions (login, uid, can_view, can_view_archive, can_admin) VALUES ('bob', 'door', 1, 1, 0)",
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = `http://127.0.0.1:${portOf(app)}`
  const ann = await signIn('ann')
  const bob = await signIn('bob')

  /** Begins to read an answer; `ended` settles when it breaks off. */
  const open = async (headers: Record<string, string>, route: 'live' | 'download' = 'download') => {
    const { status, body } = await fetch(`${address}/v1/stream/door/${route}`, { headers })
    expect(status).toBe(200)
    const reader = body?.getReader()
    await reader?.read()
    const reading = new AbortController()
    const drain = async () => {
      while (!reading.signal.aborted) await reader?.read()
    }
    const ended = drain().then(
      () => 'read',
      () => 'broken',
    )
    return {
      ended,
      close: async () => {
        reading.abort()
        await ended
        await reader?.cancel()
      },
    }
  }
  return { ...server, ann, bob, open }
}

type Server = Awaited<ReturnType<typeof start>>

test.each<
  [
    name: string,
    headers: (server: Server) => Record<string, string> | Promise<Record<string, string>>,
    change: (server: Server) => Promise<unknown>,
  ]
>([
  [
    'a user is blocked',
    ({ bob }) => ({ cookie: bob }),
    ({ ask, ann }) => ask('POST', '/v1/user/bob/block', { cookie: ann }),
  ],
  [
    'a user is deleted',
    ({ bob }) => ({ cookie: bob }),
    ({ ask, ann }) => ask('DELETE', '/v1/user/bob', { cookie: ann }),
  ],
  [
    'a blocked user came by token',
    async ({ context }) => ({ authorization: `Bearer ${(await context.tokens.create('bob', 't', null)).token}` }),
    ({ ask, ann }) => ask('POST', '/v1/user/bob/block', { cookie: ann }),
  ],
  [
    'a token is deleted',
    async ({ context }) => ({ authorization: `Bearer ${(await context.tokens.create('bob', 't', null)).token}` }),
    async ({ ask, bob, context }) =>
      ask('DELETE', `/v1/token/${(await context.tokens.list('bob'))[0]?.id}`, { cookie: bob }),
  ],
  [
    'an administrator revokes a token',
    async ({ context }) => ({ authorization: `Bearer ${(await context.tokens.create('bob', 't', null)).token}` }),
    async ({ ask, ann, context }) =>
      ask('DELETE', `/v1/user/bob/token/${(await context.tokens.list('bob'))[0]?.id}`, { cookie: ann }),
  ],
  [
    'the password is changed, and with it the tokens go',
    async ({ context }) => ({ authorization: `Bearer ${(await context.tokens.create('bob', 't', null)).token}` }),
    ({ ask, bob }) =>
      ask('PATCH', '/v1/user', { cookie: bob, body: { password: 'quite another 8', oldPassword: password } }),
  ],
  [
    'a session is ended',
    ({ bob }) => ({ cookie: bob }),
    async ({ ask, ann, context }) =>
      ask('DELETE', `/v1/user/bob/session/${(await context.sessions.list('bob'))[0]?.id}`, { cookie: ann }),
  ],
  [
    'somebody signs out',
    ({ bob }) => ({ cookie: bob }),
    ({ ask, bob }) => ask('POST', '/v1/sign-out', { cookie: bob }),
  ],
  [
    'the right to the archive is taken',
    ({ bob }) => ({ cookie: bob }),
    ({ ask, ann }) =>
      ask('POST', '/v1/user/bob/permissions', {
        cookie: ann,
        body: { permissions: [{ uid: 'door', name: '', canView: true, canViewArchive: false, canAdmin: false }] },
      }),
  ],
  [
    'the right to download is taken',
    ({ bob }) => ({ cookie: bob }),
    ({ ask, ann }) =>
      ask('POST', '/v1/user/bob/permissions', {
        cookie: ann,
        body: { permissions: [{ uid: 'door', canViewArchive: true, canDownload: false }] },
      }),
  ],
])('what is being answered breaks off as soon as %s', async (_name, headers, change) => {
  const server = await start()
  const [lost, kept] = [await server.open(await headers(server)), await server.open({ cookie: server.ann })]
  expect(await change(server)).toMatchObject({ status: 200 })
  expect(await lost.ended).toBe('broken')
  await kept.close()
  expect(await kept.ended).toBe('read')
})

test.each<[name: string, change: (server: Server) => Promise<unknown>]>([
  [
    'a member leaves the group',
    ({ ask, ann }) => ask('PATCH', '/v1/group/guards', { cookie: ann, body: { members: ['ann'] } }),
  ],
  [
    'a stream leaves its group',
    ({ ask, ann }) => ask('PATCH', '/v1/group/yard', { cookie: ann, body: { members: [] } }),
  ],
  [
    "the group's right is taken",
    ({ ask, ann }) => ask('PUT', '/v1/group/guards/permissions', { cookie: ann, body: { permissions: [] } }),
  ],
  ['the group of users is deleted', ({ ask, ann }) => ask('DELETE', '/v1/group/guards', { cookie: ann })],
  ['the group of streams is deleted', ({ ask, ann }) => ask('DELETE', '/v1/group/yard', { cookie: ann })],
])('what a group gives breaks off for its members alone as soon as %s', async (_name, change) => {
  const server = await start()
  const { store } = server.context
  await store.run("DELETE FROM stream_permissions WHERE login = 'bob'")
  await store.run("INSERT INTO access_groups VALUES ('guards', 'users', 'Guards'), ('yard', 'streams', 'Yard')")
  await store.run("INSERT INTO group_users VALUES ('guards', 'bob')")
  await store.run("INSERT INTO group_streams VALUES ('yard', 'door')")
  await store.run("INSERT INTO group_grants VALUES ('guards', 'yard', 1, 1, 0, 1)")
  const [lost, kept] = [await server.open({ cookie: server.bob }), await server.open({ cookie: server.ann })]
  expect(await change(server)).toMatchObject({ status: 200 })
  expect(await lost.ended).toBe('broken')
  await kept.close()
  expect(await kept.ended).toBe('read')
})

test('what a share gives breaks off when it is withdrawn; live goes on where only the archive is taken', async () => {
  const server = await start()
  const { ask, ann, bob, context, open } = server
  const shared = await open({ 'share-token': await context.shares.open('door') }, 'live')
  const live = await open({ cookie: bob }, 'live')
  await context.shares.close('door')
  const body = { permissions: [{ uid: 'door', name: '', canView: true, canViewArchive: false, canAdmin: false }] }
  await ask('POST', '/v1/user/bob/permissions', { cookie: ann, body })
  expect(await shared.ended).toBe('broken')
  await live.close()
  expect(await live.ended).toBe('read')
})

test('a new password of a share breaks off what was opened with the former, its removal nothing', async () => {
  const { ask, ann, context, open } = await start()
  const { shares } = context
  const token = await shares.open('door')
  const openWith = (pass: string | undefined) => open({ 'share-token': pass ?? '' }, 'live')
  const setPassword = async (passwordHash: string) => {
    await shares.change('door', { expireTime: null, passwordHash, range: null })
    expect((await ask('POST', '/v1/user/bob/permissions', { cookie: ann, body: { permissions: [] } })).status).toBe(200)
  }
  const free = await openWith(token)
  await setPassword('one')
  expect(await free.ended).toBe('broken')
  const former = await openWith(await shares.provePassword(token, 'one'))
  await setPassword('one')
  await setPassword('two')
  expect(await former.ended).toBe('broken')
  const current = await openWith(await shares.provePassword(token, 'two'))
  await setPassword('')
  await current.close()
  expect(await current.ended).toBe('read')
})

test('a change that is refused breaks nothing off', async () => {
  const { ask, bob, open } = await start()
  const running = await open({ cookie: bob })
  expect((await ask('POST', '/v1/user/ann/block', { cookie: bob })).status).toBe(403)
  await running.close()
  expect(await running.ended).toBe('read')
})

test('a change is answered even where its own object is gone, whatever else is changed meanwhile', async () => {
  const going = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const slow: ServerPlugin = async (app, { store }) => {
    app.delete(
      '/v1/stream/:uid',
      { config: { access: { to: 'admin', from: 'params.uid' } }, schema: { params: z.object({ uid: z.string() }) } },
      async () => {
        await store.run("DELETE FROM streams WHERE uid = 'door'")
        asked.resolve()
        await going.promise
        return {}
      },
    )
  }
  const { ask, app, addUser, addStream, signIn } = await startServer({ plugins: [slow] })
  await addUser('ann', true)
  await addStream('door')
  const cookie = await signIn('ann')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = `http://127.0.0.1:${portOf(app)}`
  const deleted = fetch(`${address}/v1/stream/door`, { method: 'DELETE', headers: { cookie, origin: address } })
  await asked.promise
  expect((await ask('POST', '/v1/sign-out', {})).status).toBe(200)
  going.resolve()
  expect((await deleted).status).toBe(200)
})

test('answers end on this node when another one begins to require a second factor', async () => {
  const cluster = {
    nodeId: 'a',
    url: 'http://a.example',
    secret: 'a secret of all nodes',
    clock: `${startTime}`,
    beatMs: 0,
  }
  const { bob, context, open } = await start({ cluster })
  const { ended } = await open({ cookie: bob })
  await context.configuration.save({ signIn: { secondFactorOf: 'everybody' } }, 'ann')
  context.changes.note('configuration_versions')
  expect(await ended).toBe('broken')
})

/** Calls `meanwhile` with the number of each decision about downloads, once it is made and before it is used. */
const observeDecisions = ({ context }: Server, meanwhile: (count: number) => unknown = () => undefined) => {
  const { apiError } = context.access
  const isDownload = ({ to }: Action) => to === 'downloadArchive'
  let count = 0
  vi.spyOn(context.access, 'apiError').mockImplementation(async (caller, action) => {
    const error = await apiError(caller, action)
    if (!isDownload(action)) return error
    count += 1
    await meanwhile(count)
    return error
  })
  return { count: () => count }
}

/** Bob by a token, whose use writes nothing. */
const byToken = async ({ context }: Server) => ({
  authorization: `Bearer ${(await context.tokens.create('bob', 't', null)).token}`,
})

const signOutNobody = ({ ask }: Server) => ask('POST', '/v1/sign-out')

const withdraw = ({ ask, ann }: Server) =>
  ask('POST', '/v1/user/bob/permissions', { cookie: ann, body: { permissions: [] } })

const rename = ({ context }: Server, fullName: string) => context.accounts.change('bob', { fullName })

test('a sign-out without a session checks nothing again, and a change checks once what is in progress', async () => {
  const server = await start()
  const running = await server.open(await byToken(server))
  await signOutNobody(server)
  const decisions = observeDecisions(server)
  const answers = await Promise.all(Array.from({ length: 20 }, () => signOutNobody(server)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(decisions.count()).toBe(0)
  await rename(server, 'Bob')
  await signOutNobody(server)
  await signOutNobody(server)
  expect(decisions.count()).toBe(1)
  server.wait(60_000)
  await signOutNobody(server)
  expect(decisions.count()).toBe(2)
  await running.close()
})

test('changes that are made during a check share the next one', async () => {
  const server = await start()
  const running = await server.open(await byToken(server))
  const [began, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const decisions = observeDecisions(server, (count) => {
    began.resolve()
    return count === 1 ? going.promise : undefined
  })
  await rename(server, 'Bob')
  const first = signOutNobody(server)
  await began.promise
  const versionOf = vi.spyOn(server.context.store, 'versionOf')
  await rename(server, 'Robert')
  const others = Array.from({ length: 20 }, () => signOutNobody(server))
  // Each asks at its start, after its decision, and at its end.
  const asked = () => versionOf.mock.calls.filter(([sql]) => sql.includes(' JOIN plan_cameras')).length
  await expect.poll(asked).toBe(60)
  going.resolve()
  await Promise.all([first, ...others])
  expect(decisions.count()).toBe(2)
  await running.close()
})

test('a call is decided once while others change nothing of it, and twice while rights change all the time', async () => {
  const server = await start()
  const headers = await byToken(server)
  const quiet = observeDecisions(server, () => signOutNobody(server))
  const one = await server.open(headers)
  expect(quiet.count()).toBe(1)
  await one.close()
  vi.restoreAllMocks()
  const busy = observeDecisions(server, (count) => rename(server, `Bob ${count}`))
  const other = await server.open(headers)
  expect(busy.count()).toBe(2)
  await other.close()
})

test('a right that is withdrawn while a call is being decided ends it, whether decided once or twice', async () => {
  const server = await start()
  const headers = await byToken(server)
  observeDecisions(server, (count) => (count === 1 ? withdraw(server) : undefined))
  expect((await server.ask('GET', '/v1/stream/door/download', { headers })).status).toBe(404)
  vi.restoreAllMocks()
  const { store } = server.context
  await store.run("INSERT INTO stream_permissions VALUES ('bob', 'door', 1, 1, 0, 1)")
  observeDecisions(server, (count) =>
    count === 1 ? rename(server, 'Bob') : count === 2 ? withdraw(server) : undefined,
  )
  await expect(server.open(headers)).rejects.toThrow('fetch failed')
})
