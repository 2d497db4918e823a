import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AnnotationIds } from '../../../src/api/contract/events.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import { startServer, type Harness } from '../fixtures/harness.ts'

type Method = Parameters<Harness['ask']>[0]

/** Every call of docs/access.md whose address names somebody's or something's id. */
const calls = [
  ...readFileSync('docs/access.md', 'utf8').matchAll(
    /^\| (GET|POST|PUT|PATCH|DELETE) (\S*(?::\w+|stream_?[iI]d=)\S*)/gm,
  ),
]
  .map(([, method = '', url = '']) => ({ method, url }))
  .filter(({ url }) => url.startsWith('/v1/'))

const methods: Record<string, Method> = { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' }

/** A body that each call would take, were it allowed: what is refused must be refused because of its owner. */
const bodies: Readonly<Record<string, object>> = {
  'PUT /v1/stream/:uid': { name: 'Taken', streamSource: 'demo:yard' },
  'POST /v1/stream/:uid/permissions': {
    permissions: [{ login: 'eve', canView: true, canViewArchive: true, canAdmin: true }],
  },
  'POST /v1/mosaic/:id': { name: 'Taken', columns: 1, rows: 1, cells: [] },
  'PATCH /v1/plan/:id': { title: 'Taken', cameras: [] },
  'PATCH /v1/bookmark/:id': { note: 'Taken' },
  'POST /v1/stream/:uid/archive/locks': {
    startTime: '2026-11-21T07:00:00.000Z',
    endTime: '2026-11-21T08:00:00.000Z',
    reason: 'Taken',
  },
  'POST /v1/stream/:uid/ptz': { stop: true },
  'POST /v1/stream/:uid/ptz/presets': { name: 'Taken' },
  'POST /v1/stream/:uid/share/unlock': { token: 'guessed', password: 'guessed' },
  'PATCH /v1/user/:login': { permissionType: 'admin' },
  'POST /v1/user/:login/permissions': { permissions: [] },
  'PATCH /v1/user/passkey/:id': { name: 'Taken' },
  'POST /v1/system/cluster/node/:id/drain': { drained: true },
  'POST /v1/system/cluster/stream/:uid/move': { nodeId: 'local' },
  'POST /v1/system/cluster/stream/:uid/pin': { nodeId: 'local' },
}

/** Ann has one of everything; Eve, who is signed in as well, has nothing. */
const open = async () => {
  const server = await startServer({ plugins: [createStreamsPlugin()] })
  const { ask, addUser, signIn, context } = server
  for (const login of ['root', 'ann', 'eve']) await addUser(login, login === 'root')
  const cookie = await signIn('ann')
  const made = async (method: Method, url: string, body: object, key: string) => {
    const answer = await ask(method, url, { cookie, body })
    expect([url, answer.status]).toEqual([url, 200])
    return String(Reflect.get(Object(answer.body), key))
  }
  const uid = await made(
    'POST',
    '/v1/stream',
    { name: 'Door', streamSource: 'demo:gate', live: { onDemand: true } },
    'uid',
  )
  const mosaic = await made('POST', '/v1/mosaic', { name: 'Doors', columns: 1, rows: 1, cells: [] }, 'id')
  const bookmark = await made(
    'POST',
    '/v1/bookmarks',
    { streamId: uid, time: '2026-11-21T08:00:00.000Z', note: 'mine' },
    'id',
  )
  const event = { streamId: uid, type: 'event', time: '2026-11-21T08:00:00.000Z' }
  const [added] = z.parse(AnnotationIds, (await ask('POST', '/v1/annotations', { cookie, body: event })).body).items
  const lock = { startTime: '2026-11-21T07:00:00.000Z', endTime: '2026-11-21T08:00:00.000Z', reason: 'Theft' }
  const locks = await made('POST', `/v1/stream/${uid}/archive/locks`, lock, 'id')
  await context.store.run(
    `INSERT INTO exports (id, owner, login, note, overlay, status, reason, bytes, sha256, created, expires)
     VALUES ('e1', 'ann', 'ann', '', 0, 'failed', '', 0, '', 0, 4102444800000)`,
  )
  await context.store.run(
    `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, host, transports, name, created_at)
     VALUES ('k1', ?, ?, ?, 0, 'localhost', '', 'Phone', 0)`,
    (await context.accounts.get('ann')).id,
    Buffer.from('credential'),
    Buffer.from('key'),
  )
  await context.store.run(
    `INSERT INTO plans (id, title, pixel_width, pixel_height, media_type, version)
     VALUES ('p1', 'Door plan', 2, 2, 'image/png', 'v')`,
  )
  await context.store.run("INSERT INTO plan_cameras (plan, uid, x, y) VALUES ('p1', ?, 0, 0)", uid)
  const token = await made('POST', '/v1/token', { name: 'script' }, 'id')
  const [session] = await context.sessions.list('ann')
  const annotation = added?.id ?? ''
  const ids: Record<string, string> = {
    mosaic,
    bookmark,
    annotation,
    export: 'e1',
    passkey: 'k1',
    plan: 'p1',
    alert: 'none',
    group: 'none',
    locks,
    token,
    session: session?.id ?? '',
    node: 'local',
  }
  const fill = (url: string) => {
    const kind = /(\w+)\/:id/.exec(url)?.[1] ?? ''
    return url
      .replace(/:uid|s1$/, uid)
      .replace(':login', 'ann')
      .replace(':name', '1.mp4')
      .replace(':id', ids[kind] ?? 'no such kind')
  }
  const tables = [
    'streams',
    'stream_permissions',
    'access_groups',
    'stream_shares',
    'mosaics',
    'plans',
    'plan_cameras',
    'bookmarks',
    'annotations',
    'archive_locks',
    'exports',
    'api_tokens',
    'passkeys',
    'users',
    'node_state',
  ]
  /** All that Ann has, as the database has it. */
  const possessions = async () => {
    const sessions = (await context.sessions.list('ann')).map(({ id }) => ({ id }))
    const all: [string, unknown[]][] = [['sessions', sessions]]
    for (const table of tables) all.push([table, await context.store.all(z.unknown(), `SELECT * FROM ${table}`)])
    return JSON.stringify(all)
  }
  return { ...server, fill, possessions, uid }
}

test('nobody reaches what is another’s by its id: each such call is not found or refused, and changes nothing', async () => {
  const { ask, signIn, fill, possessions, uid } = await open()
  expect(calls.length).toBeGreaterThan(40)
  const cookie = await signIn('eve')
  const before = await possessions()
  const reached: unknown[] = []
  for (const { method, url } of calls) {
    const known = methods[method]
    const address = fill(url)
    expect(address).not.toContain('no such kind')
    if (known === undefined) continue
    const body = bodies[`${method} ${url}`]
    const { status, body: answer } = await ask(known, address, { cookie, ...(body === undefined ? {} : { body }) })
    // What only administrators may do is refused before anybody is looked for.
    const isForAdministrators = method !== 'GET' && url.startsWith('/v1/plan/')
    const expected =
      isForAdministrators || /^\/v1\/(?:user(?!\/passkey)|system|admin|alert|group)\//.test(url) ? 403 : 404
    if (status !== expected || JSON.stringify(answer).includes(uid)) reached.push({ method, url, status, answer })
  }
  expect(reached).toEqual([])
  expect(await possessions()).toBe(before)
})

test('the same calls reach it for the owner', async () => {
  const { ask, signIn, fill } = await open()
  const cookie = await signIn('ann')
  const unreached: unknown[] = []
  const reached: string[] = []
  for (const { method, url } of calls.filter(
    ({ method, url }) => method === 'GET' && !/^\/v1\/(?:user|system|admin|group)\//.test(url),
  )) {
    const { status } = await ask('GET', fill(url), { cookie })
    if (status === 401 || status === 403) unreached.push({ method, url, status })
    if (status === 200) reached.push(url)
  }
  expect(unreached).toEqual([])
  // Nothing is recorded, so what needs a recording is not found.
  const found = ['/v1/stream/:uid', '/v1/stream/:uid/permissions', '/v1/stream/:uid/archive/locks', '/v1/mosaic/:id']
  expect(reached).toEqual(expect.arrayContaining(found))
})

test('what another has is in no list of one’s own, and can be put into nothing of one’s own', async () => {
  const { ask, signIn, uid } = await open()
  const cookie = await signIn('eve')
  const lists = [
    '/v1/streams',
    '/v1/mosaics',
    '/v1/plans',
    '/v1/bookmarks',
    '/v1/tokens',
    '/v1/system/search?query=door',
    '/v1/system/search?query=ann',
  ]
  for (const url of lists) {
    const { status, body } = await ask('GET', url, { cookie })
    expect({ url, status, isFound: /Door|mine|script|"ann"/.test(JSON.stringify(body)) }).toEqual({
      url,
      status: 200,
      isFound: false,
    })
  }
  const put = async (url: string, body: object) => (await ask('POST', url, { cookie, body })).status
  expect([
    await put('/v1/mosaic', { name: 'Mine', columns: 1, rows: 1, cells: [{ streamUid: uid, x: 0, y: 0, w: 1, h: 1 }] }),
    await put('/v1/bookmarks', { streamId: uid, time: '2026-11-21T08:00:00.000Z', note: '' }),
  ]).toEqual([400, 404])
})
