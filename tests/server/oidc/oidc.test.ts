import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keyName } from '../../../server/store/secure-folder.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'
import { client } from '../fixtures/oidc-server.ts'
import { callback, guards, openSite, setCookies } from './oidc-site.ts'

describe('signing in at the provider', () => {
  test('makes a managed user with name, address and the rights of the groups', async () => {
    const { enter, me, rightsOf, entries, ask, ann } = await openSite()
    const { to, cookie } = await enter('7')
    expect(to).toBe('/ui/auth')
    expect(await me(cookie)).toMatchObject({
      name: 'eve',
      email: 'eve@example.org',
      fullName: 'Eve Example',
      isAdmin: false,
      isManaged: true,
      maxStreamCreation: 0,
    })
    expect(await rightsOf('eve')).toEqual([guards, guards, undefined])
    expect((await entries()).map(({ login, outcome, details }) => ({ login, outcome, details }))).toEqual([
      { login: 'eve', outcome: 'ok', details: { changes: [{ path: 'groups', from: '', to: 'guards' }] } },
    ])
    const { body } = await ask('GET', '/v1/user/eve/permissions', { cookie: ann })
    expect(body).toEqual({ permissions: [] })
  })

  test('is announced to the sign-in page', async () => {
    const { ask } = await openSite()
    const { body } = await ask('GET', '/v1/system/internal/ui/settings')
    expect(body).toMatchObject({ features: expect.arrayContaining(['oidc']), oidcName: 'Example ID' })
    const without = await startServer()
    const { body: plain } = await without.ask('GET', '/v1/system/internal/ui/settings')
    expect(plain).not.toHaveProperty('oidcName')
    expect((await without.ask('GET', '/v1/user/oidc/start')).status).toBe(423)
  })

  test('asks by the code flow with PKCE, state and nonce, and keeps these in a cookie that scripts can not read', async () => {
    const { ask } = await openSite()
    const { headers } = await ask('GET', '/v1/user/oidc/start')
    const { searchParams } = new URL(String(headers['location']))
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid profile email groups',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(String(headers['set-cookie'])).toMatch(/^oidc=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('finds the user again by the subject, whatever the name is then, and follows name and address', async () => {
    const { enter, me } = await openSite()
    await enter('7')
    const { cookie } = await enter('7', { preferred_username: 'bob', name: 'Eve Else', email: 'else@example.org' })
    expect(await me(cookie)).toMatchObject({ name: 'eve', fullName: 'Eve Else', email: 'else@example.org' })
  })

  test('takes no user over who has the same login or address', async () => {
    const { enter, me, ask, ann } = await openSite()
    await ask('PATCH', '/v1/user/bob', { cookie: ann, body: { email: 'bob@example.org' } })
    const { cookie } = await enter('8', { preferred_username: 'Bob', email: 'bob@example.org', email_verified: true })
    expect(await me(cookie)).toMatchObject({ name: 'Bob-2', email: '', isManaged: true })
    expect((await ask('GET', '/v1/user/bob', { cookie: ann })).body).toMatchObject({
      email: 'bob@example.org',
      isManaged: false,
    })
  })

  test.each([
    [
      'an address that is not verified',
      { email: 'x@example.org', email_verified: false },
      { name: 'x@example.org', email: '' },
    ],
    ['a name with spaces and slashes', { preferred_username: 'Eve / Ann' }, { name: 'Eve-Ann' }],
    ['a reserved name', { preferred_username: 'TOTP' }, { name: 'TOTP-2' }],
    ['no name at all', {}, { name: 'user' }],
  ])('of somebody with %s', async (_, claims, expected) => {
    const { enter, me } = await openSite()
    expect(await me((await enter('9', claims)).cookie)).toMatchObject(expected)
  })

  test('asks the provider to ask again in a browser where somebody has signed out', async () => {
    const { enter, ask } = await openSite()
    const { cookie } = await enter('7')
    const { headers } = await ask('POST', '/v1/sign-out', { cookie })
    const note = setCookies(headers).get('signed-out')
    const promptOf = async (cookies: string | undefined) => {
      const { headers: started } = await ask('GET', '/v1/user/oidc/start', { cookie: cookies })
      return new URL(String(started['location'])).searchParams.get('prompt')
    }
    expect(await promptOf(`signed-out=${note}`)).toBe('login')
    expect(await promptOf(undefined)).toBeNull()
  })

  test('a managed user has no password here, and can not get one', async () => {
    const { enter, ask, ann } = await openSite()
    const { cookie } = await enter('7')
    for (const given of ['', password]) {
      expect((await ask('POST', '/v1/sign-in', { body: { name: 'eve', password: given } })).status).toBe(401)
    }
    const changes = [{ name: 'eva' }, { email: 'x@example.org' }, { password: 'quiet harbour 41', oldPassword: '' }]
    for (const body of changes) {
      expect((await ask('PATCH', '/v1/user', { cookie, body })).status).toBe(403)
      expect((await ask('PATCH', '/v1/user/eve', { cookie: ann, body })).status).toBe(403)
    }
  })

  test('a second factor that is required of everybody is left to the provider', async () => {
    const { enter, me, ask, context } = await openSite()
    const { signIn } = context.configuration.values()
    await context.configuration.save({ signIn: { ...signIn, secondFactorOf: 'everybody' } }, 'ann')
    const { cookie } = await enter('7')
    expect(await me(cookie)).not.toHaveProperty('isTotpRequired')
    expect((await ask('GET', '/v1/mosaics', { cookie })).status).toBe(200)
  })
})

test('another site begins no sign-in', async () => {
  const { ask } = await openSite()
  const { status, headers } = await ask('GET', '/v1/user/oidc/start', { headers: { 'sec-fetch-site': 'cross-site' } })
  expect({ status, to: headers['location'], cookie: headers['set-cookie'] }).toEqual({
    status: 302,
    to: '/ui/auth',
    cookie: undefined,
  })
})

test('any node with the key of the site takes over a sign-in, and nobody else', async () => {
  const { context, options, begin, provider } = await openSite()
  const { url, cookie } = await begin()
  const back = await provider.visit(url, '7')
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-node-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  copyFileSync(join(context.dataDir, keyName), join(dataDir, keyName))
  const answers = async (server: Harness) => {
    await server.addUser('ann', true)
    const { headers } = await server.ask('GET', back.pathname + back.search, { cookie })
    return { to: headers['location'], isIn: setCookies(headers).has('session') }
  }
  const stranger = await startServer({ oidc: options })
  expect(await answers(stranger)).toEqual({ to: '/ui/auth?failure=expired', isIn: false })
  const node = await startServer({ oidc: options, dataDir })
  expect(await answers(node)).toEqual({ to: '/ui/auth', isIn: true })
})
