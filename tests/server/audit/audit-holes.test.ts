import { describe, expect, test, vi } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import { StoreAway } from '../../../server/store/connection.ts'
import { isOnFile } from '../fixtures/database.ts'
import { auditServer, entry, noId, type AuditServer } from '../fixtures/audit-server.ts'
import { at, features, password, start } from '../fixtures/harness.ts'

const configuration = '/v1/admin/configuration'
const off = { ...builtInValues, audit: { isEnabled: false, livePictures: false } }

const total = async ({ context }: Pick<AuditServer, 'context'>, filter = {}) =>
  (await context.audit.read(filter, 1)).total

describe('whether it is recorded', () => {
  test('is the last entry where it is switched off, and the first where it is switched on again', async () => {
    const { ask, ann, wait, log } = await auditServer()
    const put = (isEnabled: boolean) =>
      ask('PUT', configuration, { cookie: ann, body: { values: { audit: { isEnabled } } } })
    expect((await put(false)).status).toBe(200)
    wait(1000)
    await ask('POST', '/v1/user', { cookie: ann, body: { name: 'unseen', password } })
    await ask('GET', '/v1/stream/s1/archive/live.m3u8', { cookie: ann })
    expect((await put(true)).status).toBe(200)
    const switched = (from: string, to: string) => ({ changes: [{ path: 'audit.isEnabled', from, to }] })
    expect(await log()).toEqual([
      entry(3, 'ann', 'configuration.change', '', { time: at(1000), ...switched('false', 'true') }),
      entry(2, 'ann', 'configuration.change', '', switched('true', 'false')),
      entry(1, 'ann', 'session.sign-in'),
    ])
  })

  test('says so where it is switched off, and records nothing but that', async () => {
    const { ask, ann, context } = await auditServer({ defaults: off })
    const { status, body } = await ask('GET', '/v1/admin/audit-logs', { cookie: ann })
    expect({ status, body }).toEqual({ status: 403, body: { code: 'AuditLogsDisabled' } })
    expect((await context.audit.read({}, 1)).items.map(({ login, action }) => [login, action])).toEqual([
      ['', 'audit.off'],
    ])
    expect((await ask('GET', '/v1/system/internal/ui/settings', { cookie: ann })).body).toMatchObject({
      features: features.filter((name) => name !== 'audit'),
    })
  })

  test('is recorded too where the deployment switches it', async () => {
    const { context } = await auditServer({ defaults: off })
    await context.audit.recordState(false, 'start')
    expect(await total({ context })).toBe(1)
    await context.audit.recordState(true, 'start')
    expect((await context.audit.read({}, 1)).items.map(({ action }) => action)).toEqual(['audit.on', 'audit.off'])
  })
})

test('a change of the configuration is recorded with what was changed, but not with secrets', async () => {
  const { ask, ann, log } = await auditServer()
  const put = (values: object) => ask('PUT', configuration, { cookie: ann, body: { values } })
  const mail = { host: 'mail.example.org', password: 'hush' }
  await put({ mail, limits: { playlistMaxSeconds: 7200 }, tunnel: { locations: ['eu', 'us'] } })
  await put({ kiosk: { password: 'another' }, application: { logo: `data:image/png;base64,${'A'.repeat(5000)}` } })
  await put({ mail: { port: 'x' } })
  const [refused, second, first] = await log('?action=configuration.change')
  expect(first).toMatchObject({
    outcome: 'ok',
    changes: [
      { path: 'limits.playlistMaxSeconds', from: '604800', to: '7200' },
      { path: 'mail.host', from: '', to: 'mail.example.org' },
      { path: 'mail.password', from: '', to: '***' },
      { path: 'tunnel.locations', from: '["default"]', to: '["eu","us"]' },
    ],
  })
  expect(second).toMatchObject({
    changes: [
      { path: 'application.logo', from: '', to: expect.stringMatching(/^data:image.{90}…$/) },
      { path: 'kiosk.password', from: '', to: '***' },
    ],
  })
  expect(refused).toEqual(entry(4, 'ann', 'configuration.change', '', { outcome: 'ValidationError' }))
})

test('who reads the log, the configuration, the users or a bundle is recorded, once in some minutes', async () => {
  const { ask, ann, signIn, wait, log } = await auditServer()
  const bob = await signIn('bob')
  const bundle = '/v1/system/support-bundle'
  for (const cookie of [ann, ann, bob]) {
    for (const address of ['/v1/admin/audit-logs', configuration, `${configuration}/history`, '/v1/users', bundle]) {
      await ask('GET', address, { cookie })
    }
  }
  wait(11 * 60_000)
  await ask('GET', '/v1/users', { cookie: ann })
  const entries = (await log()).map((one) => ['login', 'action', 'outcome'].map((key) => Reflect.get(Object(one), key)))
  const read = ['audit.read', 'configuration.read', 'user.list', 'server.support-bundle']
  expect(entries.toReversed().slice(2)).toEqual([
    ...read.map((action) => ['ann', action, 'ok']),
    ['ann', 'server.support-bundle', 'ok'],
    ...read.map((action) => ['bob', action, 'Forbidden']),
    ['ann', 'user.list', 'ok'],
  ])
})

test('who goes on reading is recorded again every ten minutes', async () => {
  const { ask, ann, wait, log } = await auditServer()
  for (let turn = 0; turn < 5; turn += 1) {
    await ask('GET', '/v1/users', { cookie: ann })
    wait(4 * 60_000)
  }
  expect(await log('?action=user.list')).toHaveLength(2)
})

test('a viewing after the clock was set back is recorded', async () => {
  const { ask, ann, wait, log } = await auditServer()
  for (const ms of [0, -60 * 60_000, 11 * 60_000]) {
    wait(ms)
    await ask('GET', '/v1/users', { cookie: ann })
  }
  expect(await log('?action=user.list')).toHaveLength(2)
})

test('live pictures are recorded where the configuration asks for it', async () => {
  const { ask, ann, log } = await auditServer()
  await ask('GET', '/v1/stream/preview?stream_id=s1', { cookie: ann })
  await ask('PUT', configuration, { cookie: ann, body: { values: { audit: { livePictures: true } } } })
  for (let turn = 0; turn < 3; turn += 1) await ask('GET', '/v1/stream/preview?stream_id=s1', { cookie: ann })
  expect(await log('?action=stream')).toEqual([entry(3, 'ann', 'stream.preview', 's1')])
})

describe('nobody chooses what an entry says', () => {
  test('a token that opens nothing leaves none, and hides nobody', async () => {
    const { ask, log } = await auditServer()
    const headers = { 'share-token': 'junk' }
    for (const uid of ['s1', 'made up', '%0aforged']) {
      await ask('GET', `/v1/stream/${uid}/archive/live.m3u8`, { headers })
    }
    await ask('POST', '/v1/mosaic', { headers, body: {} })
    await ask('POST', '/v1/sign-in', { headers, body: { name: 'bob', password: 'wrong' } })
    expect(await log()).toEqual([
      entry(2, 'bob', 'session.sign-in', '', { outcome: 'AuthorizationFailed' }),
      entry(1, 'ann', 'session.sign-in'),
    ])
  })

  test('what is called nothing is only claimed: short, and with nothing unseen in it', async () => {
    const { ask, signIn, context, log } = await auditServer()
    const bob = await signIn('bob')
    const share = { 'share-token': await context.shares.open('s1') }
    const junk = encodeURIComponent(`ann\u202e\n${'x'.repeat(300)}`)
    await ask('GET', `/v1/stream/${junk}/archive/download?start_time=forged&end_time=text`, { cookie: bob })
    await ask('GET', `/v1/stream/${junk}/archive/live.m3u8`, { headers: share })
    await ask('DELETE', '/v1/user/ghost', { cookie: bob })
    await ask('DELETE', '/v1/user/ANN', { cookie: bob })
    await ask('POST', '/v1/sign-in', { body: { name: 'x'.repeat(150), password } })
    const long = (text: string) => `${text}${'x'.repeat(100 - text.length)}…`
    const seen = long(String.raw`ann\u{202e}\u{a}`)
    expect(await log()).toEqual([
      entry(7, '', 'session.sign-in', '', { ...noId, claimed: long(''), outcome: 'AuthorizationFailed' }),
      entry(6, 'bob', 'user.delete', 'ann', { targetId: (await context.accounts.get('ann')).id, outcome: 'Forbidden' }),
      entry(5, 'bob', 'user.delete', '', { claimed: 'ghost', outcome: 'Forbidden' }),
      entry(4, 'share link', 'stream.view', '', { ...noId, claimed: seen, outcome: 'NotFound' }),
      entry(3, 'bob', 'archive.download', '', { claimed: seen, outcome: 'NotFound' }),
      entry(2, 'bob', 'session.sign-in'),
      entry(1, 'ann', 'session.sign-in'),
    ])
  })

  test('who acts under the likeness of another login is found by their own', async () => {
    const { ask, ann, signIn, context, log } = await auditServer()
    const bob = await signIn('bob')
    const rename = (name: string) => ask('PATCH', '/v1/user', { cookie: bob, body: { name, oldPassword: password } })
    await rename('ann.b')
    await ask('POST', '/v1/mosaic', { cookie: bob, body: { name: 'm', columns: 1, rows: 1, cells: [] } })
    await rename('bob')
    const { id } = await context.accounts.get('bob')
    const renamed = (from: string, to: string) => ({ userId: id, changes: [{ path: 'name', from, to }] })
    const entries = [
      entry(5, 'ann.b', 'profile.change', '', { ...renamed('ann.b', 'bob'), userName: 'bob' }),
      expect.objectContaining({ id: '4', login: 'ann.b', userName: 'bob', userId: id, action: 'mosaic.create' }),
      entry(3, 'bob', 'profile.change', '', renamed('bob', 'ann.b')),
      entry(2, 'bob', 'session.sign-in', '', { userId: id }),
    ]
    expect(await log('?login=bob')).toEqual(entries)
    expect(await log('?login=ann.b')).toEqual(entries)
    await ask('PATCH', '/v1/user/bob', { cookie: ann, body: { name: 'rob' } })
    const [change] = await log('?action=user.change')
    const changes = [{ path: 'name', from: 'bob', to: 'rob' }]
    expect(change).toEqual(entry(7, 'ann', 'user.change', 'bob', { targetId: id, name: 'rob', changes }))
    await ask('DELETE', '/v1/user/rob', { cookie: ann })
    expect((await log('?action=user.delete'))[0]).toEqual(entry(8, 'ann', 'user.delete', 'rob', { targetId: id }))
  })
})

describe('nobody avoids it', () => {
  test('who asks for single moments of the archive is recorded too', async () => {
    const { ask, ann, log } = await auditServer()
    const hour = 3_600_000
    const get = (address: string) => ask('GET', address, { cookie: ann })
    const moments = [0, 2000, 1.5 * hour, 1.5 * hour + 2000, 5 * hour]
    for (const ms of moments) await get(`/v1/stream/s1/archive/recorded/${start + ms}.m4s`)
    for (const ms of [0, 2000, 30 * hour]) await get(`/v1/stream/preview?stream_id=s1&time=${at(ms)}`)
    expect((await log('?action=archive')).map((one) => Reflect.get(Object(one), 'target')).toReversed()).toEqual(
      [0, 1.5 * hour, 5 * hour, 0, 30 * hour].map((ms) => `s1 ${at(ms)}`),
    )
  })

  test('what a GET changes is recorded of a HEAD as well', async () => {
    const { app, ann, log } = await auditServer()
    const headers = { host: 'localhost', origin: 'http://localhost', cookie: ann }
    await app.inject({ method: 'HEAD', url: '/v1/stream/s1/share', headers, remoteAddress: '192.0.2.1' })
    expect(await log('?action=stream')).toEqual([entry(2, 'ann', 'stream.share', 's1')])
  })

  test('a viewer who watches without end pushes out nothing of others', async () => {
    const { ask, ann, signIn, context, wait, addStream } = await auditServer()
    const bob = await signIn('bob')
    await addStream('s2', 'bob')
    await ask('POST', '/v1/user', { cookie: ann, body: { name: 'cid', password } })
    for (let turn = 0; turn < 1000; turn += 1) {
      wait(10)
      const range = `start_time=${at(turn)}&end_time=${at(turn + 1000)}`
      await ask('GET', `/v1/stream/s2/archive/recorded.m3u8?${range}`, { cookie: bob })
    }
    expect(await total({ context }, { login: 'bob' })).toBeLessThan(130)
    const [last] = (await context.audit.read({ action: 'archive.view' }, 1)).items
    expect(last).toMatchObject({ target: expect.stringMatching(/^s2 /), endTime: start + 10_000 })
    expect(last?.times).toBeGreaterThan(800)
    expect(await total({ context }, { login: 'ann' })).toBe(2)
  })

  test('what could not be recorded is in the log of the server, also for the database', async () => {
    const { ask, ann, context } = await auditServer()
    vi.spyOn(context.audit, 'settle').mockRejectedValueOnce(new StoreAway('it does not answer'))
    const body = { name: 'cid', password, permissionType: 'user' }
    expect((await ask('POST', '/v1/user', { cookie: ann, body })).status).toBe(200)
    expect(context.serverLog.read(undefined).at(-1)).toMatchObject({
      level: 'error',
      message: 'what was done could not be recorded (Not recorded: The database is away: it does not answer)',
    })
  })

  test.runIf(isOnFile)('while the disk takes nothing no change is made, and watching goes on', async () => {
    const { ask, ann, context, log } = await auditServer()
    await context.store.run('PRAGMA query_only = ON')
    const body = { name: 'unseen', password, permissionType: 'admin' }
    const refused = await ask('POST', '/v1/user', { cookie: ann, body })
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([503, { code: 'Unavailable' }, '60'])
    expect((await ask('GET', '/v1/stream/s1/archive/live.m3u8', { cookie: ann })).status).toBe(200)
    expect((await ask('GET', '/v1/admin/audit-logs', { cookie: ann })).status).toBe(200)
    await context.store.run('PRAGMA query_only = OFF')
    expect(await context.accounts.find('unseen')).toBeUndefined()
    expect(await log()).toEqual([entry(1, 'ann', 'session.sign-in')])
  })
})
