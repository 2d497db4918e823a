import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { passkeyServer as server } from './passkey-server.ts'

test('administrators see and remove the passkeys of others, who are then signed out; nobody else can', async () => {
  const { ask, passkeyOf, signIn, signInWith, context } = await server()
  const { cookie, authenticator, id } = await passkeyOf('ann')
  const [root, bob] = [await signIn('root'), await signIn('bob')]
  const own = await passkeyOf('root')
  const { body } = await ask('GET', '/v1/user/ann/passkeys', { cookie: root })
  expect(body).toEqual((await ask('GET', '/v1/user/passkeys', { cookie })).body)
  expect(JSON.stringify(body)).not.toContain(authenticator.id)
  const remove = async (login: string, passkey: string, by: string) =>
    (await ask('DELETE', `/v1/user/${login}/passkey/${passkey}`, { cookie: by })).status
  expect((await ask('GET', '/v1/user/ann/passkeys', { cookie: bob })).status).toBe(403)
  expect(await remove('ann', id, bob)).toBe(403)
  expect(await remove('bob', id, root)).toBe(404)
  expect(await remove('root', own.id, root)).toBe(409)
  const made = await ask('POST', '/v1/token', { cookie: root, body: { name: 'script' } })
  const { token } = z.parse(z.object({ token: z.string() }), made.body)
  const headers = { authorization: `Bearer ${token}` }
  expect((await ask('DELETE', `/v1/user/ann/passkey/${id}`, { headers })).status).toBe(403)
  expect((await ask('GET', '/v1/user', { cookie })).status).toBe(200)
  expect(await remove('ann', id, root)).toBe(200)
  expect([(await ask('GET', '/v1/user', { cookie })).status, (await signInWith(authenticator)).status]).toEqual([
    401, 401,
  ])
  expect(await remove('ann', id, root)).toBe(404)
  const { items } = await context.audit.read({ action: 'user.remove-passkey' }, 1)
  expect(items.filter(({ outcome }) => outcome === 'ok')).toMatchObject([{ login: 'root', target: 'ann' }])
})
