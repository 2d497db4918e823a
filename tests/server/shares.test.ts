import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { readServerKey } from '../../server/access/shares.ts'
import { startServer } from './harness.ts'
import type { Room } from '../../server/context.ts'

const watch: Room = (app) => {
  app.get('/v1/stream/:uid', { config: { access: { to: 'view', from: 'params.uid' } } }, async ({ caller }) => caller)
}

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
    found: 's1',
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
  const { ask, context, addUser, addStream, signIn } = await startServer({ rooms: [watch] })
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
