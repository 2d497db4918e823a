import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { cachedLists, cachedQuery } from '../../../server/store/cached-query.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { lastAnswerMs, withLastAnswers } from '../../../server/store/last-answers.ts'
import { tablesReadBy } from '../../../server/store/writes.ts'
import type { ServerOptions } from '../../../server/app.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { startServer, type Harness } from '../fixtures/harness.ts'
import { connectHere } from '../fixtures/local-connection.ts'
import { sqliteStore } from '../fixtures/memory-store.ts'
import { passMonotonic } from '../fixtures/monotonic.ts'

vi.mock(import('../../../server/store/cached-query.ts'), { spy: true })

const routes: ServerPlugin = (app) => {
  app.get('/v1/test/:uid', { config: { access: { to: 'view', from: 'params.uid' } } }, async () => ({}))
}

/** bob, who may view s1 by a grant and owns s2; ann is the administrator. */
const started = async (options: Partial<ServerOptions> = {}): Promise<Harness & { ann: string; bob: string }> => {
  const server = await startServer({ ...options, plugins: [routes] })
  await server.addUser('ann', true)
  await server.addUser('bob')
  await server.addStream('s1')
  await server.addStream('s2', 'bob')
  const ann = await server.signIn('ann')
  await server.ask('POST', '/v1/user/bob/permissions', {
    cookie: ann,
    body: { permissions: [{ uid: 's1', canView: true }] },
  })
  return { ...server, ann, bob: await server.signIn('bob') }
}

test('a repeated call needs no query for its caller and rights', async () => {
  // In PostgreSQL others may write, and nothing is cached.
  const { context, ask, bob } = await started({ connect: connectHere })
  const token = await context.shares.open('s1')
  const { token: bearer } = await context.tokens.create('bob', 'script', null)
  const calls = [
    () => ask('GET', '/v1/test/s1', { cookie: bob }),
    () => ask('GET', '/v1/test/s2', { cookie: bob, headers: { 'share-token': token } }),
    () => ask('GET', '/v1/test/s1', { headers: { authorization: `Bearer ${bearer}` } }),
  ]
  for (const call of calls) expect((await call()).status).toBe(200)
  const get = vi.spyOn(context.store, 'get')
  const all = vi.spyOn(context.store, 'all')
  for (const call of calls) expect((await call()).status).toBe(200)
  expect([...get.mock.calls, ...all.mock.calls].map(([, sql]) => sql)).toEqual([])
})

test('a change by another server voids the answers to every cached query that reads the table', async () => {
  vi.clearAllMocks()
  const { context } = await startServer()
  const rows = vi.mocked(cachedQuery).mock.calls.map(([, , sql]) => sql)
  const lists = vi.mocked(cachedLists).mock.calls.map(([, , sqlOf]) => sqlOf('?'))
  const tables = [...new Set([...rows, ...lists].flatMap(tablesReadBy))].toSorted()
  expect(tables).toEqual(expect.arrayContaining(['mosaics', 'sessions', 'stream_permissions', 'users']))
  for (const table of tables) {
    const version = async () => (await context.store.versionOf(`SELECT 1 FROM ${table}`)) ?? 0
    const known = await version()
    context.changes.note(table)
    await expect.poll(async () => [table, (await version()) > known]).toEqual([table, true])
  }
})

describe('what was allowed is refused with the next call once', () => {
  type Server = Harness & { ann: string; bob: string }
  const administrate = ({ ask, ann }: Server, method: 'POST' | 'DELETE' | 'PATCH', url: string, body?: object) =>
    ask(method, url, { cookie: ann, ...(body === undefined ? {} : { body }) })

  test.each<[string, string, (server: Server) => Promise<unknown>, number]>([
    ['the session is ended', 's1', ({ context }) => context.sessions.endAll('bob'), 401],
    ['the user signs out', 's1', ({ ask, bob }) => ask('POST', '/v1/sign-out', { cookie: bob }), 401],
    ['the session is too old', 's1', async ({ wait }) => wait(15 * 86_400_000), 401],
    ['the account is blocked', 's1', (server) => administrate(server, 'POST', '/v1/user/bob/block'), 401],
    ['the user is deleted', 's1', (server) => administrate(server, 'DELETE', '/v1/user/bob'), 401],
    [
      'the grant is revoked',
      's1',
      (server) => administrate(server, 'POST', '/v1/user/bob/permissions', { permissions: [] }),
      404,
    ],
    [
      'the stream belongs to somebody else',
      's2',
      ({ context }) => context.store.run("UPDATE streams SET owner = 'ann' WHERE uid = 's2'"),
      404,
    ],
    ['the stream is gone', 's2', ({ context }) => context.store.run("DELETE FROM streams WHERE uid = 's2'"), 404],
  ])('%s', async (_what, uid, change, status) => {
    const server = await started()
    const call = () => server.ask('GET', `/v1/test/${uid}`, { cookie: server.bob })
    expect([(await call()).status, (await call()).status]).toEqual([200, 200])
    await change(server)
    expect((await call()).status).toBe(status)
  })

  test('a user is no administrator any more, even if other changes were in the transaction', async () => {
    const { context, ask, ann, addUser, signIn } = await started()
    await addUser('eve', true)
    const eve = await signIn('eve')
    const call = () => ask('GET', '/v1/users', { cookie: eve })
    expect([(await call()).status, (await ask('GET', '/v1/users', { cookie: ann })).status]).toEqual([200, 200])
    await context.store.transaction(async () => {
      await context.accounts.change('eve', { isAdmin: false })
      await context.accounts.change('eve', { fullName: 'Eve' })
    })
    expect((await call()).status).toBe(403)
  })

  test('a share or a token is withdrawn', async () => {
    const { context, ask } = await started()
    const share = { 'share-token': await context.shares.open('s1') }
    const { token, id } = await context.tokens.create('bob', 'script', null)
    const bearer = { authorization: `Bearer ${token}` }
    const call = async () => [
      (await ask('GET', '/v1/test/s1', { headers: share })).status,
      (await ask('GET', '/v1/test/s1', { headers: bearer })).status,
    ]
    expect([await call(), await call()]).toEqual([
      [200, 200],
      [200, 200],
    ])
    await context.shares.close('s1')
    await context.tokens.remove('bob', id)
    expect(await call()).toEqual([404, 401])
  })
})

describe('a cached row', () => {
  const Row = z.object({ name: z.string() })
  const opened = async () => {
    const steps = [
      `CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT) STRICT;
       CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, owner INTEGER REFERENCES owners (id) ON DELETE CASCADE)
         STRICT;
       CREATE TABLE others (id INTEGER PRIMARY KEY) STRICT;
       INSERT INTO owners VALUES (1, 'ann');
       INSERT INTO things VALUES (1, 'lamp', 1)`,
    ]
    const store = await sqliteStore(new Map([['test', steps]]))
    const thing = cachedQuery(store, Row, 'SELECT name FROM things WHERE id = ?')
    const get = vi.spyOn(store, 'get')
    return { store, thing, asked: () => get.mock.calls.length }
  }

  test('is read once, and again only after a write to its table or one that it refers to', async () => {
    const { store, thing, asked } = await opened()
    for (const sql of [
      'INSERT INTO others VALUES (1)',
      'UPDATE others SET id = 2',
      "UPDATE things SET name = 'bulb'",
      'DELETE FROM owners WHERE id = 1',
    ]) {
      await thing.get(1)
      await store.run(sql)
    }
    expect([await thing.get(1), asked()]).toEqual([undefined, 3])
    // What isn't there is asked for each time.
    expect([await thing.get(1), asked()]).toEqual([undefined, 4])
  })

  test('is read again after a change of the schema', async () => {
    const { store, thing, asked } = await opened()
    await thing.get(1)
    await store.run('ALTER TABLE things ADD COLUMN size INTEGER')
    await thing.get(1)
    expect(asked()).toBe(2)
  })

  test('is read anew within a transaction, whose writes count once it has ended', async () => {
    const { store, thing } = await opened()
    expect(await thing.get(1)).toEqual({ name: 'lamp' })
    await store.transaction(async () => {
      await store.run("UPDATE things SET name = 'bulb'")
      expect(await thing.get(1)).toEqual({ name: 'bulb' })
    })
    expect(await thing.get(1)).toEqual({ name: 'bulb' })
    const failed = store.transaction(async () => {
      await store.run("UPDATE things SET name = 'wire'")
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await thing.get(1)).toEqual({ name: 'bulb' })
  })

  test('replaces an answer only while the database is away, in a scope that allows it, and until a write', async () => {
    const { store, thing } = await opened()
    const asking = () => new Promise((resolve) => withLastAnswers(() => resolve(thing.get(1).catch(String))))
    const { get } = store
    // Others may write.
    store.checkOutsideWrites = undefined
    await thing.get(1)
    await store.run("UPDATE things SET name = 'bulb'")
    const away = new StoreAway('it is off')
    const fail = (error: Error) => {
      store.get = async () => {
        throw error
      }
    }
    fail(away)
    expect(await asking()).toBe(String(away))
    store.get = get
    await thing.get(1)
    fail(new Error('no'))
    expect(await asking()).toBe('Error: no')
    fail(away)
    await expect(thing.get(1)).rejects.toBe(away)
    expect(await asking()).toEqual({ name: 'bulb' })
    passMonotonic(lastAnswerMs)
    expect(await asking()).toBe(String(away))
    store.get = get
    await thing.get(1)
    store.noteOutsideWrite('things')
    fail(away)
    expect(await asking()).toBe(String(away))
  })

  test('that was read during a write is read again', async () => {
    const { store, thing } = await opened()
    const { get } = store
    store.get = async (row, sql, ...values) => {
      const found = await get(row, sql, ...values)
      store.get = get
      await store.run("UPDATE things SET name = 'bulb'")
      return found
    }
    expect([await thing.get(1), await thing.get(1)]).toEqual([{ name: 'lamp' }, { name: 'bulb' }])
  })
})
