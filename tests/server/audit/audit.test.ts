import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openForWalking } from '../../../scripts/access-table.ts'
import { auditedRoutes } from '../../../server/audit/audited-routes.ts'
import { auditServer as server, entry, noId, someId } from '../fixtures/audit-server.ts'
import { at, password, start, startServer } from '../fixtures/harness.ts'
import { patience } from '../../fixtures/patience.ts'

test('every change is recorded before it is made, and every recorded call exists', async () => {
  const { routes, close } = await openForWalking()
  onTestFinished(close)
  const existing = new Map(routes.map(({ method, url, changes }) => [`${method} ${url}`, changes]))
  const changing = [...existing].filter(([, changes]) => changes).map(([name]) => name)
  expect({
    unrecorded: changing.filter((name) => auditedRoutes[name] === undefined),
    missing: Object.keys(auditedRoutes).filter((name) => !existing.has(name)),
    tooLate: changing.filter((name) => auditedRoutes[name]?.kind !== 'change'),
  }).toEqual({
    unrecorded: [],
    missing: [],
    tooLate: [
      'POST /v1/sign-in/passkey',
      'POST /v1/sign-in',
      'POST /v1/password/send-reset',
      'POST /v1/stream/:uid/share/unlock',
      'POST /v1/stream/:uid/ptz',
      'POST /v1/annotations',
    ],
  })
})

describe('the log', () => {
  test('has who did what to what, from where, and what came of it, newest first', async () => {
    const { ask, ann, signIn, log, context } = await server()
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
    const refused = { ip: '192.0.2.9', outcome: 'AuthorizationFailed' }
    const cid = { targetId: (await context.accounts.get('cid')).id }
    expect(await log()).toEqual([
      entry(10, 'bob', 'session.sign-out'),
      entry(9, 'bob', 'mosaic.create', someId, { name: 'm' }),
      entry(8, 'ann', 'user.change', 'cid', { ...cid, outcome: 'ValidationError' }),
      entry(7, 'bob', 'user.change', 'cid', { ...cid, outcome: 'Forbidden' }),
      entry(6, 'ann', 'user.change', 'cid', { ...cid, changes: [{ path: 'fullName', from: '', to: 'Cid' }] }),
      entry(5, 'ann', 'user.create', 'cid', cid),
      entry(4, 'bob', 'session.sign-in'),
      entry(3, '', 'session.sign-in', '', { ...noId, claimed: 'nobody here', ...refused }),
      entry(2, 'ann', 'session.sign-in', '', refused),
      entry(1, 'ann', 'session.sign-in'),
    ])
  })

  test('names a mosaic as it is called now, and by its id alone when it is gone', async () => {
    const { ask, ann, log } = await server()
    const draft = { columns: 1, rows: 1, cells: [] }
    const create = async (name: string) =>
      String(
        Reflect.get(Object((await ask('POST', '/v1/mosaic', { cookie: ann, body: { name, ...draft } })).body), 'id'),
      )
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
    const share = { headers: { 'share-token': await context.shares.open('s1') } }
    const get = (path: string, as: Parameters<typeof ask>[2] = { cookie: ann }) =>
      ask('GET', `/v1/stream/s1/archive/${path}`, as)
    for (let second = 0; second < 120; second += 2) {
      await get('live.m3u8')
      await get(`live/${start + second * 1000}.m4s`, share)
      wait(2000)
    }
    wait(60_000)
    await get('live.m3u8')
    const range = (from: number) => `start_time=${at(from)}&end_time=${at(from + 60_000)}`
    await get(`recorded.m3u8?${range(0)}`)
    await get(`recorded.m3u8?${range(0)}`)
    await get(`recorded/${start}.m4s`)
    await get(`recorded.m3u8?${range(1000)}`)
    wait(600_000)
    await get(`recorded/${start + 4000}.m4s`)
    for (let round = 0; round < 2; round += 1) await get(`download?${range(0)}`)
    await get(`download?${range(0)}`, share)
    await context.audit.flush()
    const times = (ms: number) => ({ time: at(ms) })
    const minute = `s1 ${at(0)}/${at(60_000)}`
    expect(await log()).toEqual([
      entry(10, 'share link', 'archive.download', minute, { ...times(780_000), ...noId, outcome: 'Forbidden' }),
      entry(9, 'ann', 'archive.download', minute, times(780_000)),
      entry(8, 'ann', 'archive.download', minute, times(780_000)),
      entry(7, 'ann', 'archive.view', `s1 ${at(4000)}`, times(780_000)),
      entry(6, 'ann', 'archive.view', `s1 ${at(1000)}/${at(61_000)}`, times(180_000)),
      entry(5, 'ann', 'archive.view', `s1 ${at(0)}/${at(60_000)}`, times(180_000)),
      entry(4, 'ann', 'stream.view', 's1', times(180_000)),
      entry(3, 'share link', 'stream.view', 's1', { ...noId, endTime: expect.any(String) }),
      entry(2, 'ann', 'stream.view', 's1', { endTime: expect.any(String) }),
      entry(1, 'ann', 'session.sign-in'),
    ])
  })

  test('says until when a viewing went on, without a write for each segment', async () => {
    const { ask, ann, context, wait, log } = await server()
    const extend = vi.spyOn(context.audit, 'extend')
    const get = (path: string) => ask('GET', `/v1/stream/s1/archive/${path}`, { cookie: ann })
    const range = `start_time=${at(0)}&end_time=${at(3_600_000)}`
    const minutes = 20
    await get(`recorded.m3u8?${range}`)
    await get('live.m3u8')
    wait(1000)
    await get('live.m3u8')
    for (let count = 0; count < minutes * 15; count += 1) {
      await get(`recorded/${start + count * 4000}.m4s`)
      await context.audit.flush()
      wait(4000)
    }
    const [live, recorded] = await log('?login=ann')
    expect(live).toEqual(entry(3, 'ann', 'stream.view', 's1'))
    const endTime: unknown = Reflect.get(Object(recorded), 'endTime')
    expect(recorded).toEqual(entry(2, 'ann', 'archive.view', `s1 ${at(0)}/${at(3_600_000)}`, { endTime }))
    expect(Date.parse(String(endTime))).toBeGreaterThan(start + (minutes - 1.2) * 60_000)
    expect(extend.mock.calls.length).toBeLessThan(3 * minutes)
  })

  test('has the ends of many viewings by one write, a short time later', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { ask, ann, context, wait, log } = await server()
    const written = [vi.spyOn(context.store, 'run'), vi.spyOn(context.store, 'all')]
    const viewers = Array.from({ length: 20 }, (_, index) => `192.0.2.${index + 1}`)
    const viewAll = async () => {
      for (const ip of viewers) await ask('GET', '/v1/stream/s1/archive/live.m3u8', { cookie: ann, ip })
    }
    await viewAll()
    for (let count = 0; count < 3; count += 1) {
      wait(3000)
      await viewAll()
    }
    await vi.advanceTimersByTimeAsync(2000)
    const ends = async () =>
      (await log('?action=stream.view')).map((each): unknown => Reflect.get(Object(each), 'endTime'))
    await vi.waitFor(async () => expect(await ends()).toEqual(viewers.map(() => at(9000))), patience)
    const statements = written.flatMap(({ mock }) => mock.calls.flat())
    expect(statements.filter((each) => String(each).startsWith('UPDATE audit_logs SET end_time'))).toHaveLength(1)
  })

  test('has the end of a viewing that went on when the server stopped', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sightline-audit-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const { app, ask, ann, wait } = await server({ dataDir })
    const view = () => ask('GET', '/v1/stream/s1/archive/live.m3u8', { cookie: ann })
    await view()
    wait(3000)
    await view()
    await app.close()
    const { context } = await startServer({ dataDir })
    const { items } = await context.audit.read({ action: 'stream.view' }, 1)
    expect(items.map(({ endTime }) => endTime)).toEqual([start + 3000])
  })

  test('has a viewing that could not be logged at first', async () => {
    const { ask, ann, context, log } = await server()
    vi.spyOn(context.audit, 'write').mockRejectedValueOnce(new Error('database or disk is full'))
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1)
      statuses.push((await ask('GET', '/v1/stream/s1/archive/live.m3u8', { cookie: ann })).status)
    expect(statuses).toEqual([200, 200, 200])
    expect(await log('?action=stream.view')).toEqual([entry(2, 'ann', 'stream.view', 's1')])
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
    expect((await ask('GET', '/v1/admin/audit-logs?action=session&login=ANN', { cookie: ann })).body).toMatchObject({
      total: 61,
    })
    expect(await log('?action=audit')).toEqual([entry(62, 'ann', 'audit.read', '', { time: at(60_000) })])
    expect(await log('?action=sess')).toEqual([])
    expect(await log('?login=bob')).toEqual([])
    expect(await log(`?from=${at(2000)}&to=${at(3000)}`)).toEqual([
      entry(3, 'ann', 'session.end-others', '', { time: at(2000) }),
    ])
    const wrong = await ask('GET', '/v1/admin/audit-logs?from=yesterday', { cookie: ann })
    expect({ status: wrong.status, body: wrong.body }).toEqual({
      status: 400,
      body: { code: 'ValidationError', details: { from: 'Must be a time like 2026-11-21T08:00:00.000Z' } },
    })
  })
})
