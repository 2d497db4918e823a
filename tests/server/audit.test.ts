import { describe, expect, onTestFinished, test } from 'vitest'
import { openForWalking } from '../../scripts/access-table.ts'
import { createAuditLog } from '../../server/audit/audit-log.ts'
import { auditedRoutes } from '../../server/audit/audited-routes.ts'
import { builtInValues } from '../../server/configuration/values.ts'
import type { Room } from '../../server/context.ts'
import { openDatabase } from '../../server/store/database.ts'
import { password, start, startServer, streamsTable, type Harness } from './harness.ts'

const watching: Room = (app) => {
  const uid = 'params.uid'
  for (const path of ['live.m3u8', 'live/:name']) {
    app.get(`/v1/stream/:uid/archive/${path}`, { config: { access: { to: 'view', from: uid } } }, async () => '')
  }
  for (const path of ['recorded.m3u8', 'recorded/:name', 'download']) {
    app.get(`/v1/stream/:uid/archive/${path}`, { config: { access: { to: 'viewArchive', from: uid } } }, async () => '')
  }
}

const server = async (): Promise<Harness & { ann: string; log: (query?: string) => Promise<unknown[]> }> => {
  const harness = await startServer({ rooms: [streamsTable, watching] })
  await harness.addUser('ann', true)
  await harness.addUser('bob')
  harness.addStream('s1')
  const ann = await harness.signIn('ann')
  const log = async (query = '') => {
    const { body } = await harness.ask('GET', `/v1/admin/audit-logs${query}`, { cookie: ann })
    const items: unknown = Reflect.get(Object(body), 'items')
    return Array.isArray(items) ? items : []
  }
  return { ...harness, ann, log }
}

const at = (ms: number) => new Date(start + ms).toISOString()
const entry = (id: number, login: string, action: string, target = '', change: object = {}) => ({
  id: String(id), time: at(0), login, action, target, name: '', ip: '192.0.2.1', outcome: 'ok', ...change,
})

test('every change is recorded, and every recorded call exists', async () => {
  const { routes, close } = await openForWalking()
  onTestFinished(close)
  const existing = new Map(routes.map(({ method, url, changes }) => [`${method} ${url}`, changes]))
  expect({
    unrecorded: [...existing].filter(([name, changes]) => changes && auditedRoutes[name] === undefined).map(([name]) => name),
    missing: Object.keys(auditedRoutes).filter((name) => !existing.has(name)),
  }).toEqual({ unrecorded: [], missing: [] })
})

describe('the log', () => {
  test('has who did what to what, from where, and what came of it, newest first', async () => {
    const { ask, ann, signIn, log } = await server()
    await ask('POST', '/v1/sign-in', { body: { name: 'ann', password: 'wrong' }, ip: '192.0.2.9' })
    await ask('POST', '/v1/sign-in', { body: { name: 'nobody here', password }, ip: '192.0.2.9' })
    const bob = await signIn('bob')
    await ask('POST', '/v1/user', { cookie: ann, body: { name: 'cid', password } })
    await ask('PATCH', '/v1/user/cid', { cookie: ann, body: { fullName: 'Cid' } })
    await ask('PATCH', '/v1/user/cid', { cookie: bob, body: { fullName: 'x' } })
    await ask('PATCH', '/v1/user/cid', { cookie: ann, body: { email: 'x' } })
    await ask('POST', '/v1/mosaic', { cookie: bob, body: { name: 'm', columns: 1, rows: 1, cells: [] } })
    await ask('POST', '/v1/sign-out', { cookie: bob })
    await ask('PATCH', '/v1/user/cid', { body: { fullName: 'x' } })
    expect(await log()).toEqual([
      entry(10, 'bob', 'session.sign-out'),
      entry(9, 'bob', 'mosaic.create', expect.stringMatching(/^[\w-]{12}$/), { name: 'm' }),
      entry(8, 'ann', 'user.change', 'cid', { outcome: 'ValidationError' }),
      entry(7, 'bob', 'user.change', 'cid', { outcome: 'Forbidden' }),
      entry(6, 'ann', 'user.change', 'cid'),
      entry(5, 'ann', 'user.create', 'cid'),
      entry(4, 'bob', 'session.sign-in'),
      entry(3, 'nobody here', 'session.sign-in', '', { ip: '192.0.2.9', outcome: 'AuthorizationFailed' }),
      entry(2, 'ann', 'session.sign-in', '', { ip: '192.0.2.9', outcome: 'AuthorizationFailed' }),
      entry(1, 'ann', 'session.sign-in'),
    ])
  })

  test('names a mosaic as it is called now, and by its id alone when it is gone', async () => {
    const { ask, ann, log } = await server()
    const draft = { columns: 1, rows: 1, cells: [] }
    const create = async (name: string) => String(Reflect.get(Object((await ask('POST', '/v1/mosaic', { cookie: ann, body: { name, ...draft } })).body), 'id'))
    const [kept, gone] = [await create('Yard'), await create('Hall')]
    await ask('POST', `/v1/mosaic/${kept}`, { cookie: ann, body: { name: 'Courtyard', ...draft } })
    await ask('DELETE', `/v1/mosaic/${gone}`, { cookie: ann })
    expect(await log('?action=mosaic')).toEqual([
      entry(5, 'ann', 'mosaic.delete', gone),
      entry(4, 'ann', 'mosaic.change', kept, { name: 'Courtyard' }),
      entry(3, 'ann', 'mosaic.create', gone),
      entry(2, 'ann', 'mosaic.create', kept, { name: 'Courtyard' }),
    ])
  })

  test('has a viewing once, however many playlists and segments it takes', async () => {
    const { ask, ann, context, wait, log } = await server()
    const share = { headers: { 'share-token': context.shares.open('s1') } }
    const get = (path: string, as: Parameters<typeof ask>[2] = { cookie: ann }) => ask('GET', `/v1/stream/s1/archive/${path}`, as)
    for (let second = 0; second < 120; second += 2) {
      await get('live.m3u8')
      await get(`live/${start + second * 1000}.m4s`, share)
      wait(2000)
    }
    wait(60_000)
    await get('live.m3u8')
    const stretch = (from: number) => `start_time=${at(from)}&end_time=${at(from + 60_000)}`
    await get(`recorded.m3u8?${stretch(0)}`)
    await get(`recorded.m3u8?${stretch(0)}`)
    await get(`recorded/${start}.m4s`)
    await get(`recorded.m3u8?${stretch(1000)}`)
    wait(600_000)
    await get(`recorded/${start + 4000}.m4s`)
    for (let round = 0; round < 2; round += 1) await get(`download?${stretch(0)}`)
    await get(`download?${stretch(0)}`, share)
    const times = (ms: number) => ({ time: at(ms) })
    expect(await log()).toEqual([
      entry(10, 'share link', 'archive.download', `s1 ${at(0)}/${at(60_000)}`, { ...times(780_000), outcome: 'Forbidden' }),
      entry(9, 'ann', 'archive.download', `s1 ${at(0)}/${at(60_000)}`, times(780_000)),
      entry(8, 'ann', 'archive.download', `s1 ${at(0)}/${at(60_000)}`, times(780_000)),
      entry(7, 'ann', 'archive.view', `s1 ${at(4000)}`, times(780_000)),
      entry(6, 'ann', 'archive.view', `s1 ${at(1000)}/${at(61_000)}`, times(180_000)),
      entry(5, 'ann', 'archive.view', `s1 ${at(0)}/${at(60_000)}`, times(180_000)),
      entry(4, 'ann', 'stream.view', 's1', times(180_000)),
      entry(3, 'share link', 'stream.view', 's1'),
      entry(2, 'ann', 'stream.view', 's1'),
      entry(1, 'ann', 'session.sign-in'),
    ])
  })

  test('is filtered by time, login and action, a page at a time', async () => {
    const { ask, ann, wait, log } = await server()
    for (let count = 0; count < 60; count += 1) {
      wait(1000)
      await ask('POST', '/v1/sessions/terminate', { cookie: ann })
    }
    const second = await ask('GET', '/v1/admin/audit-logs?page=2', { cookie: ann })
    expect(second.body).toMatchObject({ page: 2, pageSize: 50, total: 61 })
    expect(Object(second.body).items).toHaveLength(11)
    expect(await log('?action=session.sign-in')).toEqual([entry(1, 'ann', 'session.sign-in')])
    expect((await ask('GET', '/v1/admin/audit-logs?action=session&login=ANN', { cookie: ann })).body).toMatchObject({ total: 61 })
    expect(await log('?action=sess')).toEqual([])
    expect(await log('?login=bob')).toEqual([])
    expect(await log(`?from=${at(2000)}&to=${at(3000)}`)).toEqual([entry(3, 'ann', 'session.end-others', '', { time: at(2000) })])
    const wrong = await ask('GET', '/v1/admin/audit-logs?from=yesterday', { cookie: ann })
    expect({ status: wrong.status, body: wrong.body }).toEqual({
      status: 400, body: { code: 'ValidationError', details: { from: 'Must be a time like 2026-11-21T08:00:00.000Z' } },
    })
  })

  test('says so where it is switched off, and records nothing', async () => {
    const { ask, addUser, signIn, context } = await startServer({ defaults: { ...builtInValues, audit: { isEnabled: false } } })
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const { status, body } = await ask('GET', '/v1/admin/audit-logs', { cookie })
    expect({ status, body }).toEqual({ status: 403, body: { code: 'AuditLogsDisabled' } })
    expect(context.audit.read({}, 1)).toEqual({ items: [], total: 0 })
    expect((await ask('GET', '/v1/system/internal/ui/settings', { cookie })).body).toMatchObject({
      features: ['bookmarks', 'configuration-history', 'mosaic', 'support-bundle', 'token-revocation', 'user-tokens'],
    })
  })
})

test('what is kept is bounded, and refusals push out only refusals', () => {
  const audit = createAuditLog(openDatabase(':memory:'), () => start, { all: 1000, refusals: 100 })
  const write = (outcome: string, count: number) => {
    for (let index = 0; index < count; index += 1) audit.write({ login: 'ann', action: 'a.b', target: '', ip: '', outcome })
  }
  write('ok', 600)
  write('AuthorizationFailed', 5000)
  expect(audit.read({}, 1).total).toBe(700)
  write('ok', 2000)
  expect(audit.read({}, 1).total).toBe(1000)
})
