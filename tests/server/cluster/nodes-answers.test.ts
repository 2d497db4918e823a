import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasPostgres } from '../../../scripts/postgres.ts'
import type { RouteAccess } from '../../../server/access/gate.ts'
import { createSampleStore } from '../../../server/administration/samples.ts'
import { createSigning } from '../../../server/cluster/signing.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { createChanges } from '../../../server/store/changes.ts'
import { password } from '../fixtures/harness.ts'
import { endPostgres, openNodes, secret, type Node } from '../fixtures/nodes.ts'

endPostgres()

const draft = { name: 'Gate', streamSource: 'demo:gate', archive: { isEnable: false } }

const noSample = {
  cpu: null,
  memory: null,
  disk: null,
  received: null,
  sent: null,
  running: null,
  pending: null,
  paused: null,
  failed: null,
  viewers: null,
  recorded: null,
}

const addStream = async ({ ask, admin }: Node, body: object = {}): Promise<string> => {
  const { status, body: made } = await ask('POST', '/v1/stream', { cookie: admin, body: { ...draft, ...body } })
  expect(status).toBe(200)
  return String(Reflect.get(Object(made), 'uid'))
}

/** A call that waits until its caller loses the right to it. */
const waiting = (path = '/v1/test/waiting', access: RouteAccess = { to: 'self' }) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const plugin: ServerPlugin = (app) => {
    app.get(path, { config: { access } }, async () => {
      resolve()
      return new Promise(() => undefined)
    })
  }
  return { plugin, begun: promise }
}

describe('changes of others', () => {
  test('call the listeners of a table, and never one that still runs', async () => {
    const changes = createChanges()
    const calls: string[] = []
    const first = Promise.withResolvers<void>()
    changes.follow(['users', 'streams'], async () => {
      calls.push('both')
      if (calls.length === 1) await first.promise
    })
    changes.follow(['licence'], async () => calls.push('licence'))
    changes.note('streams')
    changes.note('mosaics')
    await expect.poll(() => calls).toEqual(['both'])
    for (const table of ['users', 'users', 'streams']) changes.note(table)
    changes.note('licence')
    await expect.poll(() => calls).toEqual(['both', 'licence'])
    first.resolve()
    await expect.poll(() => calls).toEqual(['both', 'licence', 'both'])
    changes.note()
    await expect.poll(() => calls.length).toBe(5)
    expect(changes.tables()).toEqual(['users', 'streams', 'licence'])
  })
})

describe('a signature', () => {
  const call = { method: 'GET', path: '/v1/internal/pass/v1/streams?page=1' }
  const open = (nodeId: string, now = 0, key = secret) => createSigning(key, nodeId, () => now)

  test('is valid once, for a minute, for one node, and for what it signs', () => {
    const b = open('b')
    const header = open('a').sign(call, 'b')
    expect(open('b').verify(call, header)).toMatchObject({ from: 'a', to: 'b' })
    expect(b.verify(call, header)).toBeDefined()
    expect(b.verify(call, header)).toBeUndefined()
    expect(open('c').verify(call, header)).toBeUndefined()
    expect(open('b', 60_001).verify(call, header)).toBeUndefined()
    expect(open('b', -60_001).verify(call, header)).toBeUndefined()
    expect(open('b', 0, `${secret} `).verify(call, header)).toBeUndefined()
    expect(open('b').verify({ ...call, path: `${call.path}0` }, header)).toBeUndefined()
    expect(open('b').verify({ ...call, method: 'HEAD' }, header)).toBeUndefined()
    for (const given of [undefined, '', '.', `x${header}`, header.slice(1), ['a']]) {
      expect(open('b').verify(call, given)).toBeUndefined()
    }
  })

  test('carries for whom the call is made', () => {
    const share = { kind: 'share', streamUid: 'door' } as const
    for (const caller of [share, { ...share, needsPassword: true }, { ...share, passwordId: 'x' }] as const) {
      const origin = { caller, ip: '192.0.2.1', isHttp2: true }
      expect(open('b').verify(call, open('a').sign(call, 'b', origin))).toMatchObject({ origin })
    }
  })
})

describe.runIf(hasPostgres())('nodes on one database', () => {
  test('follow what the others write: streams, configuration, rights, keys and attempts', async () => {
    const { start, startListening, beat } = await openNodes()
    const answer = waiting()
    const watched = waiting('/v1/test/watched/:uid', { to: 'view', from: 'params.uid' })
    const a = await start('a')
    const b = await startListening('b', { plugins: [answer.plugin, watched.plugin] })
    await beat()

    const uid = await addStream(a, { node: { id: 'a' }, live: { onDemand: true } })
    await expect.poll(() => b.site.store.find(uid)?.name).toBe('Gate')
    await a.ask('PUT', `/v1/stream/${uid}`, { cookie: a.admin, body: { ...draft, name: 'Door' } })
    await expect.poll(() => b.site.store.find(uid)?.name).toBe('Door')

    const body = { values: { application: { title: 'Site 7' } } }
    expect((await a.ask('PUT', '/v1/admin/configuration', { cookie: a.admin, body })).status).toBe(200)
    await expect.poll(() => b.context.configuration.values().application.title).toBe('Site 7')

    const share = await a.ask('GET', `/v1/stream/${uid}/share`, { cookie: a.admin })
    const token = String(Reflect.get(Object(share.body), 'token'))
    expect(token).not.toBe('undefined')
    expect((await b.ask('GET', `/v1/stream/${uid}`, { headers: { 'share-token': token } })).status).toBe(200)

    await a.addUser('bob')
    const bob = await b.signIn('bob')
    const outcomeOf = (path: string) =>
      fetch(`${b.url}${path}`, { headers: { cookie: bob } }).then(
        () => 'answered',
        () => 'broken',
      )
    const { body: group } = await a.ask('POST', '/v1/groups', {
      cookie: a.admin,
      body: { kind: 'users', name: 'Guards', members: ['bob'] },
    })
    const address = `/v1/group/${String(Reflect.get(Object(group), 'id'))}`
    const permissions = [{ streamId: uid, canView: true }]
    await a.ask('PUT', `${address}/permissions`, { cookie: a.admin, body: { permissions } })
    const lost = outcomeOf(`/v1/test/watched/${uid}`)
    await watched.begun
    expect((await a.ask('PATCH', address, { cookie: a.admin, body: { members: [] } })).status).toBe(200)
    expect(await lost).toBe('broken')

    const ended = outcomeOf('/v1/test/waiting')
    await answer.begun
    expect((await a.ask('POST', '/v1/user/bob/block', { cookie: a.admin })).status).toBe(200)
    expect(await ended).toBe('broken')
    expect((await b.ask('GET', '/v1/streams', { cookie: bob })).status).toBe(401)

    const attempt = ({ ask }: Node) =>
      ask('POST', '/v1/sign-in', { body: { name: 'bob', password: `${password}!` }, ip: '198.51.100.7' })
    for (let count = 0; count < 5; count += 1) {
      expect([(await attempt(a)).status, (await attempt(b)).status]).toEqual([401, 401])
    }
    expect([(await attempt(a)).status, (await attempt(b)).status]).toEqual([429, 429])

    await expect(start('c', { cluster: { nodeId: 'c', url: 'http://c', secret: `${secret}!` } })).rejects.toThrow(
      'CLUSTER_SECRET is not that of the other nodes',
    )
  })

  test('count attempts at second factors and old passwords together', async () => {
    const { start, beat } = await openNodes()
    const nodes = [await start('a'), await start('b')]
    await beat()
    const [a] = nodes
    expect((await a?.ask('POST', '/v1/user/totp', { cookie: a.admin, body: { password } }))?.status).toBe(200)
    const confirm = ({ ask, admin }: Node) =>
      ask('POST', '/v1/user/totp/confirm', { cookie: admin, body: { code: '000000' } })
    const change = ({ ask, admin }: Node) =>
      ask('PATCH', '/v1/user', { cookie: admin, body: { password: 'another horse 8', oldPassword: 'wrong' } })
    for (const attempt of [confirm, change]) {
      const statuses: number[] = []
      for (let count = 0; count < 6; count += 1) for (const node of nodes) statuses.push((await attempt(node)).status)
      expect(statuses.slice(0, 10)).not.toContain(429)
      expect(statuses.slice(10)).toEqual([429, 429])
    }
  })

  test('pass calls for live video on to the node that records, which answers them to nobody else', async () => {
    const { startListening, beat } = await openNodes()
    const a = await startListening('a')
    const b = await startListening('b')
    await beat()
    const recorded = Promise.withResolvers<void>()
    a.site.segmentListeners.push(() => recorded.resolve())
    const uid = await addStream(a, { node: { id: 'a' } })
    await beat(2)
    await recorded.promise
    await beat()
    await expect.poll(() => b.site.store.find(uid)).toBeDefined()

    const get = (path: string, cookie = b.admin) => b.ask('GET', `/v1/stream/${uid}/archive/${path}`, { cookie })
    expect((await get('index.m3u8')).status).toBe(200)
    const playlist = await get('live.m3u8')
    expect(playlist).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    const [segment = ''] = /live\/\d+\.m4s/.exec(String(playlist.body)) ?? []
    expect(await get(segment)).toMatchObject({ status: 200, headers: { 'content-type': 'video/mp4' } })
    expect(a.site.supervisor(uid)?.viewers()).toBe(1)
    const preview = await b.ask('GET', `/v1/stream/preview?stream_id=${uid}`, { cookie: b.admin })
    expect(preview).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } })
    expect(await get('live/1.m4s')).toMatchObject({ status: 404, body: { code: 'NotFound' } })
    await a.addUser('bob')
    expect((await get('live.m3u8', await b.signIn('bob'))).status).toBe(404)

    const path = `/v1/internal/pass/v1/stream/${uid}/archive/live.m3u8`
    const call = (header?: string) =>
      fetch(a.url + path, { headers: header === undefined ? {} : { 'x-sightline-call': header } })
    expect([(await call()).status, (await call('x.y')).status]).toEqual([404, 421])
    const signing = createSigning(secret, 'b', b.context.now)
    expect((await call(signing.sign({ method: 'GET', path }, 'a'))).status).toBe(421)
    const anonymous = { caller: { kind: 'anonymous' }, ip: '192.0.2.1', isHttp2: false } as const
    expect((await call(signing.sign({ method: 'GET', path }, 'a', anonymous))).status).toBe(401)

    const bytes = randomBytes(1000)
    writeFileSync(join(a.context.dataDir, 'exports', 'made.zip'), bytes)
    await a.context.store.run(
      `INSERT INTO exports (id, owner, login, note, overlay, status, reason, bytes, sha256, created, expires, node)
       VALUES ('made', 'admin', 'admin', '', 0, 'ready', '', 1000, 'x', 0, ?, 'a')`,
      a.context.now() + 60_000,
    )
    const file = await fetch(`${b.url}/v1/export/made/file`, { headers: { cookie: b.admin, range: 'bytes=100-299' } })
    expect([file.status, file.headers.get('content-range')]).toEqual([206, 'bytes 100-299/1000'])
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes.subarray(100, 300))).toBe(true)

    const logged = await b.ask('GET', '/v1/admin/audit-logs?action=stream', { cookie: b.admin })
    expect(logged.body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ action: 'stream.create', node: 'a' })]),
    })
    await createSampleStore(a.context.store, 'a').then((samples) => samples.add(1000, { ...noSample, viewers: 7 }))
    const series = (query: string) =>
      b.ask('GET', `/v1/admin/stats?from=1970-01-01T00:00:00.000Z&to=1970-01-01T01:00:00.000Z${query}`, {
        cookie: b.admin,
      })
    expect(JSON.stringify((await series('&node=a')).body)).toContain(',7]')
    expect((await series('')).body).toEqual({ series: [] })
    expect((await series(`&node=${'a'.repeat(61)}`)).status).toBe(400)
    await createSampleStore(b.context.store, 'b').then((samples) => samples.add(b.context.now(), noSample))
    const bundle = await b.ask('GET', '/v1/system/support-bundle', { cookie: b.admin })
    expect(bundle.body).toMatchObject({
      statistics: expect.arrayContaining([expect.objectContaining({ name: 'Viewers' })]),
    })

    await a.app.close()
    expect(await get('live.m3u8')).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  })
})
