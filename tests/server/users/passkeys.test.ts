import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { PasskeyCreationOptions, Passkeys } from '../../../src/api/contract/passkeys.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { cbor, createAuthenticator, onlyPresent, type Tweaks } from './authenticator.ts'
import { password, start } from '../fixtures/harness.ts'
import { codeIn } from '../fixtures/mail-server.ts'
import { mailServer } from '../fixtures/mail.ts'
import { passkeyServer as server } from './passkey-server.ts'

const notAccepted = {
  status: 400,
  body: { code: 'ValidationError', details: { credential: 'Not accepted: add the passkey again' } },
}

describe('the own passkeys', () => {
  test('are added after the password, listed with their last use, renamed and removed', async () => {
    const { ask, passkeyOf, signInWith, wait } = await server()
    const { cookie, authenticator, id } = await passkeyOf('ann')
    const list = async () => (await ask('GET', '/v1/user/passkeys', { cookie })).body
    const made = { id, name: 'Laptop', host: 'localhost', createTime: new Date(start).toISOString() }
    expect(await list()).toEqual({ items: [{ ...made, lastUsedTime: null }] })
    wait(60_000)
    expect((await signInWith(authenticator)).status).toBe(200)
    const used = { ...made, lastUsedTime: new Date(start + 60_000).toISOString() }
    expect(await list()).toEqual({ items: [used] })
    const rename = (name: string) => ask('PATCH', `/v1/user/passkey/${id}`, { cookie, body: { name } })
    expect((await rename(' Old phone ')).status).toBe(200)
    expect((await rename(' ')).status).toBe(400)
    expect(await list()).toEqual({ items: [{ ...used, name: 'Old phone' }] })
    expect((await ask('DELETE', `/v1/user/passkey/${id}`, { cookie })).status).toBe(200)
    expect(await list()).toEqual({ items: [] })
    expect((await signInWith(authenticator)).status).toBe(401)
    expect((await ask('DELETE', `/v1/user/passkey/${id}`, { cookie })).status).toBe(404)
  })

  test('the request names server and user, and the passkeys that are there already', async () => {
    const { beginAdding, passkeyOf, context } = await server()
    const { cookie, authenticator } = await passkeyOf('ann')
    const { id } = await context.accounts.get('ann')
    const { body, headers } = await beginAdding(cookie)
    expect(body).toEqual({
      rp: { id: 'localhost', name: 'Sightline' },
      user: { id: Buffer.from(id).toString('base64url'), name: 'ann', displayName: 'ann' },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [{ type: 'public-key', id: authenticator.id, transports: ['hybrid', 'internal'] }],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    })
    expect(headers['set-cookie']).toMatch(/^passkey=[\w-]+; Max-Age=300; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  test('take the password, a session, an own password and no other system', async () => {
    const { ask, beginAdding, add, signIn, context } = await server()
    const cookie = await signIn('ann')
    const wrong = await beginAdding(cookie, 'wrong')
    expect({ status: wrong.status, body: wrong.body }).toEqual({ status: 400, body: { code: 'InvalidOldPassword' } })
    const made = await ask('POST', '/v1/token', { cookie, body: { name: 'script' } })
    const { token } = z.parse(z.object({ token: z.string() }), made.body)
    const byToken = { headers: { authorization: `Bearer ${token}` }, body: { password } }
    expect((await ask('POST', '/v1/user/passkeys/options', byToken)).status).toBe(403)
    await context.accounts.change('ann', { mustChangePassword: true })
    expect((await beginAdding(cookie)).status).toBe(403)
    await context.accounts.change('ann', { mustChangePassword: false })
    await context.store.run("UPDATE users SET is_managed = 1 WHERE login = 'ann'")
    const managed = { status: 403, body: { code: 'Forbidden', message: 'This user is managed elsewhere' } }
    expect(await beginAdding(cookie)).toMatchObject(managed)
    await context.store.run("UPDATE users SET is_managed = 0 WHERE login = 'ann'")
    expect((await add(cookie, createAuthenticator())).status).toBe(200)
  })

  test('removing one ends the other sessions, adding one does not', async () => {
    const { ask, signIn, passkeyOf } = await server()
    const other = await signIn('ann')
    const { cookie, id } = await passkeyOf('ann')
    const isIn = async (of: string) => (await ask('GET', '/v1/user', { cookie: of })).status === 200
    expect([await isIn(other), await isIn(cookie)]).toEqual([true, true])
    await ask('DELETE', `/v1/user/passkey/${id}`, { cookie })
    expect([await isIn(other), await isIn(cookie)]).toEqual([false, true])
  })

  test('a device is added once, and twenty at most', async () => {
    const { ask, add, passkeyOf, beginAdding } = await server()
    const { cookie, authenticator } = await passkeyOf('ann')
    expect((await add(cookie, authenticator)).body).toEqual({
      code: 'AlreadyUsed',
      details: { credential: 'Added before' },
    })
    for (let count = 1; count < 20; count += 1) expect((await add(cookie, createAuthenticator())).status).toBe(200)
    expect((await beginAdding(cookie)).body).toEqual({ code: 'QuotaReached' })
    expect(z.parse(Passkeys, (await ask('GET', '/v1/user/passkeys', { cookie })).body).items.length).toBe(20)
  })

  test('end when somebody else sets the password, and stay when their user does', async () => {
    const { ask, signIn, passkeyOf, signInWith, context } = await server()
    const { authenticator, cookie: own } = await passkeyOf('ann')
    const cookie = await signIn('root')
    const change = { password: 'another horse 9', oldPassword: password }
    expect((await ask('PATCH', '/v1/user', { cookie: own, body: change })).status).toBe(200)
    expect((await signInWith(authenticator)).status).toBe(200)
    expect((await ask('PATCH', '/v1/user/ann', { cookie, body: { fullName: 'Ann' } })).status).toBe(200)
    expect((await signInWith(authenticator)).status).toBe(200)
    const body = { password: 'a third horse 9' }
    expect((await ask('PATCH', '/v1/user/ann', { cookie, body })).status).toBe(200)
    expect((await signInWith(authenticator)).status).toBe(401)
    expect(await context.passkeys.list((await context.accounts.get('ann')).id)).toEqual([])
  })

  test('end when the password is recovered by mail', async () => {
    const mail = await mailServer()
    const { ask, context, passkeyOf, signInWith } = await server({
      defaults: { ...builtInValues, mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port } },
    })
    await context.accounts.change('ann', { email: 'ann@example.org' })
    const { authenticator } = await passkeyOf('ann')
    expect((await mail.next()).body).toContain('The list of passkeys of ann was changed.')
    await ask('POST', '/v1/password/send-reset', { body: { email: 'ann@example.org' } })
    const code = codeIn(await mail.next())
    const body = { email: 'ann@example.org', code, password: 'another horse 9' }
    expect((await ask('POST', '/v1/password/reset', { body })).status).toBe(200)
    expect((await signInWith(authenticator)).status).toBe(401)
  })

  test("go with their user, and no login collides with the calls' words", async () => {
    const { ask, signIn, passkeyOf, signInWith, context } = await server()
    const { authenticator } = await passkeyOf('ann')
    const cookie = await signIn('root')
    expect((await ask('DELETE', '/v1/user/ann', { cookie })).status).toBe(200)
    expect(await context.store.all(z.object({ id: z.string() }), 'SELECT id FROM passkeys')).toEqual([])
    expect((await signInWith(authenticator)).status).toBe(401)
    for (const name of ['passkeys', 'Passkey']) {
      const { body } = await ask('POST', '/v1/user', { cookie, body: { name, password: 'another horse 9' } })
      expect(body).toEqual({ code: 'ValidationError', details: { name: 'This name is reserved' } })
    }
  })
})

describe('a new passkey is refused', () => {
  test.each<[string, Tweaks]>([
    ['from another origin', { origin: 'http://localhost.example' }],
    ['for another server', { rpId: 'example.org' }],
    ['with another challenge', { challenge: 'AAAA' }],
    ['made by a signature', { type: 'webauthn.get' }],
    ['of a user who was not verified', { flags: onlyPresent }],
    ['with an attestation, which names addresses to fetch', { fmt: 'packed' }],
  ])('%s', async (_name, tweaks) => {
    const { add, signIn } = await server()
    expect(await add(await signIn('ann'), createAuthenticator(), tweaks)).toMatchObject(notAccepted)
  })

  test('that is no CBOR, or too deep', async () => {
    const { beginAdding, finishAdding, signIn } = await server()
    const cookie = await signIn('ann')
    const deep = Buffer.concat([Buffer.alloc(6000, 0x81), cbor(0)])
    for (const bytes of [Buffer.from('nonsense'), deep]) {
      const { body, cookies } = await beginAdding(cookie)
      const created = createAuthenticator().create(z.parse(PasskeyCreationOptions, body))
      const response = { ...created.response, attestationObject: bytes.toString('base64url') }
      expect(await finishAdding(cookies, { ...created, response })).toMatchObject(notAccepted)
    }
  })

  test('after five minutes, a second time, and in another session', async () => {
    const { beginAdding, finishAdding, signIn, wait } = await server()
    const cookie = await signIn('ann')
    const begin = async () => {
      const { body, cookies } = await beginAdding(cookie)
      return { cookies, credential: createAuthenticator().create(z.parse(PasskeyCreationOptions, body)) }
    }
    const late = await begin()
    wait(300_000)
    expect(await finishAdding(late.cookies, late.credential)).toMatchObject(notAccepted)
    const twice = await begin()
    expect((await finishAdding(twice.cookies, twice.credential)).status).toBe(200)
    expect(await finishAdding(twice.cookies, twice.credential)).toMatchObject(notAccepted)
    const stolen = await begin()
    for (const login of ['ann', 'bob']) {
      const other = stolen.cookies.replace(cookie, await signIn(login))
      expect(await finishAdding(other, stolen.credential)).toMatchObject(notAccepted)
    }
    expect((await finishAdding(stolen.cookies, stolen.credential)).status).toBe(200)
  })
})

describe('where browsers refuse passkeys, they are not announced', () => {
  const secure = { trustProxy: '192.0.2.1', allowedHosts: ['cams.example.org'] }
  const by = (host: string, protocol: string) => ({
    host,
    origin: `${protocol}://${host}`,
    'x-forwarded-proto': protocol,
  })
  const Settings = z.object({ features: z.array(z.string()) })

  test.each([
    ['cams.example.org', 'https', true],
    ['cams.example.org:8443', 'https', true],
    ['cams.example.org', 'http', false],
    ['127.0.0.1', 'http', false],
    ['192.0.2.7', 'https', false],
    ['localhost:8080', 'http', true],
    ['cams.localhost', 'http', true],
  ])('%s by %s: %o', async (host, protocol, isOffered) => {
    const { ask } = await server(secure)
    const headers = by(host, protocol)
    const { body } = await ask('GET', '/v1/system/internal/ui/settings', { headers })
    expect(z.parse(Settings, body).features.includes('passkeys')).toBe(isOffered)
    const options = await ask('POST', '/v1/sign-in/passkey/options', { headers })
    expect(options.status).toBe(isOffered ? 200 : 409)
  })

  test('a passkey works at the address where it was added, and at no other one', async () => {
    const { ask, add, signInWith } = await server(secure)
    const headers = by('cams.example.org:8443', 'https')
    const signedIn = await ask('POST', '/v1/sign-in', { headers, body: { name: 'ann', password } })
    const cookie = signedIn.cookie ?? ''
    const authenticator = createAuthenticator()
    const here: Tweaks = { origin: 'https://cams.example.org:8443' }
    expect((await add(cookie, authenticator, here, headers)).body).toMatchObject({ host: 'cams.example.org' })
    expect((await signInWith(authenticator, here, headers)).cookie).toMatch(/^__Host-session=/)
    expect((await signInWith(authenticator)).status).toBe(401)
  })
})
