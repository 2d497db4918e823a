import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { addPeople, openForWalking } from '../../../scripts/access-table.ts'
import { calls as specified } from '../../specification/calls.ts'
import { createAccess, visibleStreams, type Caller } from '../../../server/access/access.ts'

const Uid = z.object({ uid: z.string() })

const open = async () => {
  const opened = await openForWalking()
  onTestFinished(opened.close)
  return opened
}

test('every call of docs/wire.md §5 is there', async () => {
  const shape = (path: string) => path.replaceAll(/:\w+|\{\w+\}/g, '*')
  const { routes } = await open()
  const there = new Set(routes.map(({ method, url }) => shape(`${method} ${url}`)))
  expect(specified.filter((call) => !there.has(shape(call)))).toEqual([])
})

test('before the first administrator every call but four answers 423', async () => {
  const { app, routes } = await open()
  const answered: string[] = []
  for (const { method, url } of routes.filter((route) => route.url.startsWith('/v1/'))) {
    const { statusCode } = await app.inject({ method, url, headers: { host: 'localhost', origin: 'http://localhost' } })
    if (statusCode !== 423) answered.push(`${method} ${url}`)
  }
  expect(answered.toSorted()).toEqual([
    'GET /v1/system/health',
    'GET /v1/system/internal/ui/settings',
    'GET /v1/system/ready',
    'POST /v1/system/unlock',
  ])
})

test('every change is refused from a foreign page, even to an administrator', async () => {
  const { app, context, routes } = await open()
  await addPeople(context)
  const { secret } = await context.sessions.open('administrator', { userAgent: '', ip: '127.0.0.1' })
  const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, headers: Record<string, string>) =>
    app.inject({
      method,
      url: url.replace(':uid', 's1').replaceAll(/:\w+/g, 'x'),
      headers: { host: 'localhost', cookie: `session=${secret}`, ...headers },
    })
  const changes = routes.filter(({ changes }) => changes)
  expect(changes.length).toBeGreaterThan(20)
  for (const { method, url } of changes) {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://elsewhere' },
      {},
    ]) {
      const { statusCode } = await call(method, url, headers)
      expect({ method, url, headers, statusCode }).toEqual({ method, url, headers, statusCode: 403 })
    }
    expect((await call(method, url, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(299)
  }
})

test('a list shows exactly the streams whose rights the decision grants', async () => {
  const { context } = await open()
  await addPeople(context)
  const access = createAccess(context.store)
  const user = (login: string, isAdmin = false): Caller => ({
    kind: 'user',
    id: login,
    login,
    isAdmin,
    maxStreamCreation: 0,
    mustAddTotp: false,
    mustChangePassword: false,
    via: { token: '' },
  })
  const callers: Caller[] = [
    { kind: 'anonymous' },
    { kind: 'share', streamUid: 's1' },
    { kind: 'share', streamUid: '' },
    ...['user', 'viewer', 'archive watcher', 'archive viewer', 'stream admin', 'owner'].map((login) => user(login)),
    user('administrator', true),
  ]
  const rights = (caller: Caller) => Promise.all(['s1', 's2'].map((uid) => access.streamRights(caller, uid)))
  const live = { canView: true, canViewArchive: false, canAdmin: false }
  const archive = { canView: true, canViewArchive: true, canAdmin: false }
  const all = { canView: true, canViewArchive: true, canAdmin: true }
  const none = [undefined, undefined]
  expect(await Promise.all(callers.map(rights))).toEqual([
    none,
    [live, undefined],
    none,
    none,
    [live, undefined],
    [{ ...archive, canDownload: false }, undefined],
    [archive, undefined],
    [all, undefined],
    [all, undefined],
    [all, all],
  ])
  for (const caller of callers) {
    const { sql, values } = visibleStreams(caller)
    const listed = await context.store.all(Uid, `SELECT uid FROM streams WHERE ${sql} ORDER BY uid`, ...values)
    expect(listed.map(({ uid }) => uid)).toEqual([...(await access.rightsTo(caller, ['s1', 's2'])).keys()].toSorted())
  }
})
