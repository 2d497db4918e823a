import { describe, expect, test } from 'vitest'
import { buildServer } from '../../../server/app.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../fixtures/harness.ts'

const foreign = {
  status: 403,
  body: { code: 'Forbidden', message: 'Changes are accepted only from the console itself or with a Bearer token' },
}

describe('changes', () => {
  const patch = async (headers: Record<string, string>) => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const { status, body } = await ask('PATCH', '/v1/user', { body: { fullName: 'Ann' }, cookie, headers })
    return { status, body }
  }

  test.each([
    ['same-origin fetch metadata', { 'sec-fetch-site': 'same-origin', origin: 'http://elsewhere' }],
    ['its own origin', {}],
  ])('are accepted with %s', async (_name, headers) => {
    expect(await patch(headers)).toMatchObject({ status: 200, body: { name: 'ann', fullName: 'Ann' } })
  })

  test.each([
    ['cross-site fetch metadata, whatever the origin', { 'sec-fetch-site': 'cross-site' }],
    ['same-site (a sibling sub-domain)', { 'sec-fetch-site': 'same-site' }],
    ['fetch metadata of an address typed in', { 'sec-fetch-site': 'none' }],
    ['the origin of another host', { origin: 'http://elsewhere' }],
    ['another scheme', { origin: 'https://localhost' }],
    ['another port', { origin: 'http://localhost:81' }],
    ['a hidden origin', { origin: 'null' }],
  ])('are refused with %s', async (_name, headers) => {
    expect(await patch(headers)).toEqual(foreign)
  })

  test('without either header only a Bearer token may, and reading is free', async () => {
    const { app, context, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const { token } = await context.tokens.create('ann', 'curl', null)
    const change = (headers: Record<string, string>) =>
      app.inject({
        method: 'PATCH',
        url: '/v1/user',
        headers: { host: 'localhost', ...headers },
        payload: { fullName: 'Ann' },
      })
    expect((await change({ cookie })).statusCode).toBe(403)
    expect((await change({ authorization: `Bearer ${token}` })).statusCode).toBe(200)
    expect((await change({ authorization: 'Bearer wrong', cookie })).statusCode).toBe(401)
    expect((await app.inject({ url: '/v1/user', headers: { cookie } })).statusCode).toBe(200)
  })

  test('a scheme is known in any case, and that of a proxy leaves the cookie alone', async () => {
    const { app, context, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const { token } = await context.tokens.create('ann', 'curl', null)
    const read = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/v1/user', headers: { host: 'localhost', ...headers } })).statusCode
    expect(await read({ authorization: `bearer ${token}` })).toBe(200)
    expect(await read({ authorization: 'Basic YTpi', cookie })).toBe(200)
    expect(await read({ authorization: 'Basic YTpi' })).toBe(401)
    const change = { method: 'PATCH', url: '/v1/user', payload: { fullName: 'Eve' } } as const
    expect(
      (await app.inject({ ...change, headers: { host: 'localhost', authorization: 'Basic YTpi', cookie } })).statusCode,
    ).toBe(403)
  })

  test('only JSON bodies are read', async () => {
    const { app, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const reply = await app.inject({
        method: 'PATCH',
        url: '/v1/user',
        payload: '{"fullName":"Eve"}',
        headers: { host: 'localhost', origin: 'http://localhost', cookie, 'content-type': type },
      })
      expect({ type, status: reply.statusCode, body: reply.json() }).toEqual({
        type,
        status: 400,
        body: { code: 'RequestDecodeError' },
      })
    }
  })

  test('a GET that changes something asks for the same', async () => {
    const { ask, app, addUser, signIn } = await startServer({
      plugins: [
        (scope) => {
          scope.get('/v1/switch', { config: { access: { to: 'user' }, changes: true } }, async () => ({}))
        },
      ],
    })
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const get = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/v1/switch', headers: { host: 'localhost', cookie, ...headers } })).statusCode
    expect((await ask('GET', '/v1/switch', { cookie })).status).toBe(200)
    expect(await get({ referer: 'http://localhost/ui/stream/a/info' })).toBe(200)
    expect(await get({ referer: 'http://elsewhere/' })).toBe(403)
    expect(await get({ 'sec-fetch-site': 'none' })).toBe(403)
    expect(await get({})).toBe(403)
  })
})

test('a route that declares no access can not be registered', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  await expect(
    buildServer({
      dataDir,
      distDir: dataDir,
      plugins: [
        (scope) => {
          scope.get('/v1/open', async () => ({}))
        },
      ],
    }),
  ).rejects.toThrow('GET /v1/open declares no access: add config.access')
  rmSync(dataDir, { recursive: true })
})

test('an unexpected failure reveals nothing', async () => {
  const { ask, addUser } = await startServer({
    plugins: [
      (scope) => {
        scope.get('/v1/fail', { config: { access: { to: 'anyone' } } }, async () => {
          throw new Error('secret of the house')
        })
      },
    ],
  })
  await addUser('ann', true)
  const { status, body } = await ask('GET', '/v1/fail')
  expect({ status, body }).toEqual({ status: 500, body: { code: 'InternalServerError' } })
})
