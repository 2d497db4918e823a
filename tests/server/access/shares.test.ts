import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { readServerKey } from '../../../server/access/shares.ts'
import { shareRoutes } from '../../../server/streams/share-routes.ts'
import { start, startServer } from '../fixtures/harness.ts'
import type { ServerPlugin } from '../../../server/context.ts'

const watch: ServerPlugin = (app) => {
  app.get('/v1/stream/:uid', { config: { access: { to: 'view', from: 'params.uid' } } }, async ({ caller }) => caller)
}

const shared: ServerPlugin = (app, context) => shareRoutes(app, context)

test('a share shows the same token while it is on, another after it was withdrawn, and is kept hashed', async () => {
  const { context, addUser, addStream } = await startServer()
  await addUser('ann', true)
  await addStream('s1')
  const { shares, store } = context
  expect(await shares.isOpen('s1')).toBe(false)
  const token = await shares.open('s1')
  expect(token).toMatch(/^[\w-]{43}$/)
  expect({
    again: await shares.open('s1'),
    found: await shares.find(token),
    isOpen: await shares.isOpen('s1'),
  }).toEqual({
    again: token,
    found: { uid: 's1', needsPassword: false, passwordId: '' },
    isOpen: true,
  })
  expect(
    JSON.stringify(await store.all(z.unknown(), 'SELECT hex(nonce) AS n, hex(token_hash) AS h FROM stream_shares')),
  ).not.toContain(Buffer.from(token, 'base64url').toString('hex').toUpperCase())
  await shares.close('s1')
  expect({ found: await shares.find(token), isOpen: await shares.isOpen('s1') }).toEqual({
    found: undefined,
    isOpen: false,
  })
  expect(await shares.open('s1')).not.toBe(token)
})

test('its visitor sees that stream alone; withdrawn, the stream is not found; a user of their own right stays that user', async () => {
  const { ask, context, addUser, addStream, signIn } = await startServer({ plugins: [watch] })
  await addUser('ann', true)
  await addUser('bob')
  await addStream('s1')
  await addStream('s2')
  const token = await context.shares.open('s1')
  const as = { headers: { 'share-token': token } }
  const share = { kind: 'share', streamUid: 's1' }
  expect((await ask('GET', '/v1/stream/s1', as)).body).toEqual(share)
  expect((await ask('GET', '/v1/stream/s2', as)).status).toBe(404)
  expect((await ask('GET', '/v1/user', as)).status).toBe(401)
  const cookie = await signIn('bob')
  expect((await ask('GET', '/v1/stream/s1', { cookie })).status).toBe(404)
  expect((await ask('GET', '/v1/stream/s1', { ...as, cookie })).body).toEqual(share)
  const ann = await signIn('ann')
  expect((await ask('GET', '/v1/stream/s1', { ...as, cookie: ann })).body).toMatchObject({ kind: 'user', login: 'ann' })
  await context.shares.close('s1')
  const gone = await ask('GET', '/v1/stream/s1', as)
  expect({ status: gone.status, body: gone.body }).toEqual({ status: 404, body: { code: 'NotFound' } })
  expect((await ask('GET', '/v1/stream/s1')).status).toBe(401)
})

const link = (body: unknown) => z.parse(z.looseObject({ token: z.string(), url: z.string() }), body)

test('a share that has run out is as one that was withdrawn; shared again, it has another token', async () => {
  const { ask, context, addUser, addStream, signIn, wait } = await startServer({ plugins: [watch, shared] })
  await addUser('ann', true)
  await addStream('s1')
  const cookie = await signIn('ann')
  const expireTime = new Date(start + 60_000).toISOString()
  const made = await ask('PUT', '/v1/stream/s1/share', { cookie, body: { expireTime } })
  expect(made.body).toMatchObject({ expireTime })
  const { token } = link(made.body)
  const as = { headers: { 'share-token': token } }
  wait(59_999)
  expect((await ask('GET', '/v1/stream/s1', as)).status).toBe(200)
  expect(await context.shares.openOf(['s1'])).toEqual(new Map([['s1', { range: null }]]))
  wait(1)
  expect((await ask('GET', '/v1/stream/s1', as)).status).toBe(404)
  expect(await context.shares.openOf(['s1'])).toEqual(new Map())
  const again = await ask('GET', '/v1/stream/s1/share', { cookie })
  expect(link(again.body).token).not.toBe(token)
  expect(again.body).not.toHaveProperty('expireTime')
  const past = await ask('PUT', '/v1/stream/s1/share', { cookie, body: { expireTime: new Date(start).toISOString() } })
  expect(past.body).toEqual({ code: 'ValidationError', details: { expireTime: 'Must be in the future' } })
})

describe('a share with a password', () => {
  const secret = 'gate code 7'

  const opened = async () => {
    const harness = await startServer({ plugins: [watch, shared] })
    await harness.addUser('ann', true)
    await harness.addUser('bob')
    await harness.addStream('s1')
    const cookie = await harness.signIn('ann')
    const { ask } = harness
    const put = (body: object) => ask('PUT', '/v1/stream/s1/share', { cookie, body })
    const { token } = link((await put({ password: secret })).body)
    const watchAs = async (given: string, by?: string) => {
      const { status, body } = await ask('GET', '/v1/stream/s1', { headers: { 'share-token': given }, cookie: by })
      return { status, body }
    }
    const unlock = async (password: string, given = token, ip = '192.0.2.7') => {
      const body = { token: given, password }
      const answer = await ask('POST', '/v1/stream/s1/share/unlock', { body, ip })
      return { status: answer.status, body: answer.body }
    }
    const unlocked = async () => z.parse(z.object({ token: z.string() }), (await unlock(secret)).body).token
    return { ...harness, token, put, watchAs, unlock, unlocked, cookie }
  }
  const asked = { status: 403, body: { code: 'SharePasswordRequired' } }
  const wrong = { status: 400, body: { code: 'ValidationError', details: { password: 'Wrong password' } } }

  test('opens nothing without it, and with it for a day', async () => {
    const { token, watchAs, unlock, unlocked, signIn, wait } = await opened()
    expect(await watchAs(token)).toEqual(asked)
    expect(await watchAs(token, await signIn('bob'))).toEqual(asked)
    expect(await unlock('gate code 8')).toEqual(wrong)
    expect((await unlock(secret, 'x'.repeat(43))).status).toBe(404)
    const pass = await unlocked()
    expect(await watchAs(pass)).toMatchObject({ status: 200, body: { kind: 'share', streamUid: 's1' } })
    const [base = '', until = '', seal = ''] = pass.split('.')
    expect(await watchAs([base, String(Number(until) + 1), seal].join('.'))).toEqual(asked)
    expect(await watchAs([base, until].join('.'))).toEqual(asked)
    wait(86_400_000)
    expect(await watchAs(pass)).toEqual(asked)
  })

  test('does not open again without it once it has run out', async () => {
    const { put, wait, context } = await opened()
    await put({ password: '***', expireTime: new Date(start + 60_000).toISOString() })
    wait(60_000)
    expect(await put({ password: '***' })).toMatchObject({
      status: 400,
      body: { code: 'ValidationError', details: { password: 'Enter the password again' } },
    })
    expect(await context.shares.optionsOf('s1')).toBeUndefined()
  })

  test('is shown to nobody, kept by ***, and another one closes what the first opened', async () => {
    const { ask, cookie, put, watchAs, unlocked, context } = await opened()
    const pass = await unlocked()
    expect((await ask('GET', '/v1/stream/s1/share', { cookie })).body).toMatchObject({ password: '***' })
    await put({ password: '***' })
    expect((await watchAs(pass)).status).toBe(200)
    expect((await put({ password: 'short' })).body).toEqual({
      code: 'ValidationError',
      details: { password: 'At least 8 characters' },
    })
    const hash = (await context.shares.optionsOf('s1'))?.passwordHash ?? ''
    await put({ password: 'gate code 8' })
    expect(await watchAs(pass)).toEqual(asked)
    expect(await context.shares.provePassword(pass, hash)).toBeUndefined()
    await put({ password: '' })
    expect((await watchAs(pass)).status).toBe(200)
    const rows = await context.store.all(z.unknown(), 'SELECT action FROM audit_logs')
    expect(JSON.stringify(rows)).toContain('stream.change-share')
    expect(JSON.stringify(await context.store.all(z.unknown(), 'SELECT * FROM audit_logs'))).not.toContain('gate code')
  })

  test('can not be guessed without end', async () => {
    const { unlock } = await opened()
    for (let host = 0; host < 30; host += 1)
      expect(await unlock('guess 1234', undefined, `198.51.100.${host}`)).toEqual(wrong)
    expect((await unlock(secret)).status).toBe(429)
  })
})

test("the server's key is made once, for the owner alone", () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  const key = readServerKey(folder)
  expect({
    length: key.length,
    same: readServerKey(folder).equals(key),
    mode: statSync(join(folder, 'server.key')).mode & 0o777,
  }).toEqual({
    length: 32,
    same: true,
    mode: 0o600,
  })
  rmSync(folder, { recursive: true })
})
