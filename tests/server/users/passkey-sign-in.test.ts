import { describe, expect, test } from 'vitest'
import { dayMs } from '../../../server/durations.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { onlyPresent, type Tweaks } from './authenticator.ts'
import { auditServer, entry, noId } from '../fixtures/audit-server.ts'
import { password } from '../fixtures/harness.ts'
import { accepted, passkeyBrowsers, passkeyServer as server, rejected } from './passkey-server.ts'

describe('signing in with a passkey', () => {
  test('needs no login, no password and no code, and opens a session as a password does', async () => {
    const { ask, context, passkeyOf, signInWith, beginSignIn } = await server()
    const { authenticator } = await passkeyOf('ann')
    const { id } = await context.accounts.get('ann')
    await context.totp.begin(id)
    await context.store.run('UPDATE totp SET confirmed_at = 1 WHERE user_id = ?', id)
    expect((await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })).body).toEqual({
      code: 'SecondFactorRequired',
    })
    expect((await beginSignIn()).options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
    })
    const signedIn = await signInWith(authenticator)
    expect(signedIn).toEqual(accepted)
    const { cookie } = signedIn
    expect((await ask('GET', '/v1/user', { cookie })).body).toMatchObject({ name: 'ann', hasTotp: true })
    expect((await context.sessions.list('ann')).length).toBe(2)
  })

  test.each<[string, Tweaks]>([
    ['from another origin', { origin: 'http://localhost.example' }],
    ['for another server', { rpId: 'example.org' }],
    ['to another challenge', { challenge: 'AAAA' }],
    ['that makes a passkey', { type: 'webauthn.create' }],
    ['of a user who was not verified', { flags: onlyPresent }],
    ['in the name of another user', { userHandle: Buffer.from('somebody else').toString('base64url') }],
  ])('is refused by an answer %s', async (_name, tweaks) => {
    const { passkeyOf, signInWith } = await server()
    const { authenticator } = await passkeyOf('ann')
    expect(await signInWith(authenticator, tweaks)).toEqual(rejected)
    expect(await signInWith(authenticator)).toEqual(accepted)
  })

  test('is refused by the signature of another passkey', async () => {
    const { passkeyOf, beginSignIn, finishSignIn } = await server()
    const [ann, bob] = [await passkeyOf('ann'), await passkeyOf('bob')]
    const { options, cookie } = await beginSignIn()
    const [mine, other] = [ann.authenticator.get(options), bob.authenticator.get(options)]
    expect(await finishSignIn({ ...mine, id: other.id }, cookie)).toEqual(rejected)
    const { userHandle } = other.response
    const again = await beginSignIn()
    const forged = ann.authenticator.get(again.options, { userHandle })
    expect(await finishSignIn({ ...forged, id: other.id }, again.cookie)).toEqual(rejected)
  })

  test('a challenge is answered once, also if the answer was wrong', async () => {
    const { passkeyOf, beginSignIn, finishSignIn } = await server()
    const { authenticator } = await passkeyOf('ann')
    const { options, cookie } = await beginSignIn()
    const assertion = authenticator.get(options)
    expect(await finishSignIn(assertion, cookie)).toEqual(accepted)
    expect(await finishSignIn(assertion, cookie)).toEqual(rejected)
    const next = await beginSignIn()
    expect(await finishSignIn(authenticator.get(next.options, { rpId: 'example.org' }), next.cookie)).toEqual(rejected)
    expect(await finishSignIn(authenticator.get(next.options), next.cookie)).toEqual(rejected)
  })

  test('a challenge is answered by the browser that asked for it, within five minutes', async () => {
    const { passkeyOf, beginSignIn, finishSignIn, beginAdding, wait } = await server()
    const { authenticator, cookie: session } = await passkeyOf('ann')
    const [own, other] = [await beginSignIn(), await beginSignIn()]
    const assertion = authenticator.get(own.options)
    expect(await finishSignIn(assertion, other.cookie)).toEqual(rejected)
    expect(await finishSignIn(assertion, undefined)).toEqual(rejected)
    expect(await finishSignIn(assertion, `passkey=${'A'.repeat(120)}`)).toEqual(rejected)
    const adding = await beginAdding(session)
    expect(await finishSignIn(assertion, adding.cookie)).toEqual(rejected)
    expect(await finishSignIn(assertion, own.cookie)).toEqual(accepted)
    const late = await beginSignIn()
    wait(300_000)
    expect(await finishSignIn(authenticator.get(late.options), late.cookie)).toEqual(rejected)
  })

  test('a counter that has not grown is that of a copy; a device that does not count sends 0', async () => {
    const { passkeyOf, signInWith } = await server()
    const { authenticator } = await passkeyOf('ann')
    expect(await signInWith(authenticator, { counter: 0 })).toEqual(accepted)
    expect(await signInWith(authenticator, { counter: 0 })).toEqual(accepted)
    expect(await signInWith(authenticator, { counter: 5 })).toEqual(accepted)
    for (const counter of [5, 4, 0]) expect(await signInWith(authenticator, { counter })).toEqual(rejected)
    expect(await signInWith(authenticator, { counter: 6 })).toEqual(accepted)
  })

  test('of two at the same time with one counter one gets in', async () => {
    const { passkeyOf, signInWith } = await server()
    const { authenticator } = await passkeyOf('ann')
    const both = await Promise.all([1, 2].map(() => signInWith(authenticator, { counter: 9 })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })
})

describe('who may not sign in with a password may not with a passkey', () => {
  test('a blocked user', async () => {
    const { context, passkeyOf, signInWith } = await server()
    const { authenticator } = await passkeyOf('ann')
    await context.accounts.change('ann', { isBlocked: true })
    expect(await signInWith(authenticator)).toEqual(rejected)
    await context.accounts.change('ann', { isBlocked: false })
    expect(await signInWith(authenticator)).toEqual(accepted)
  })

  test('one with a given password changes it first, and not after it has expired', async () => {
    const { ask, context, passkeyOf, signInWith, wait } = await server({
      defaults: { ...builtInValues, signIn: { ...builtInValues.signIn, initialPasswordDays: 3 } },
    })
    const { authenticator } = await passkeyOf('ann')
    await context.accounts.change('ann', { mustChangePassword: true })
    const signedIn = await signInWith(authenticator)
    expect(signedIn).toEqual({ ...accepted, body: { mustChangePassword: true } })
    expect((await ask('GET', '/v1/mosaics', { cookie: signedIn.cookie })).status).toBe(403)
    wait(3 * dayMs)
    expect(await signInWith(authenticator)).toEqual({
      ...rejected,
      body: { code: 'AuthorizationFailed', details: { reason: 'initialPasswordExpired' } },
    })
  })

  test('one of whom a second factor is required, until it is set up: the password alone would do', async () => {
    const { ask, context, passkeyOf, signInWith } = await server()
    const { authenticator, cookie: admin } = await passkeyOf('ann')
    await context.accounts.change('ann', { isAdmin: true })
    await context.configuration.save({ signIn: { secondFactorOf: 'everybody' } }, 'ann')
    await context.backgroundWrites.written()
    expect((await ask('GET', '/v1/user/passkeys', { cookie: admin })).status).toBe(401)
    const { cookie } = await signInWith(authenticator)
    expect((await ask('GET', '/v1/mosaics', { cookie })).status).toBe(403)
    expect((await ask('GET', '/v1/user/passkeys', { cookie })).status).toBe(200)
    expect((await ask('POST', '/v1/user/passkeys/options', { cookie, body: { password } })).status).toBe(403)
  })

  test('a host after ten wrong answers, by password or by passkey', async () => {
    const { ask, passkeyOf, signInWith } = await server()
    const { authenticator } = await passkeyOf('ann')
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await signInWith(authenticator, { rpId: 'example.org' })).toEqual(rejected)
      expect((await ask('POST', '/v1/sign-in', { body: { name: 'bob', password: 'wrong' } })).status).toBe(401)
    }
    expect(await signInWith(authenticator)).toEqual({
      status: 429,
      body: { code: 'TooManyRequests' },
      cookie: undefined,
    })
  })
})

test('the log has who signed in with a passkey, whose was refused, and what was changed about passkeys', async () => {
  const audited = await auditServer()
  const { ask, log } = audited
  const { passkeyOf, signInWith } = passkeyBrowsers(audited)
  const { cookie, authenticator, id } = await passkeyOf('bob')
  await signInWith(authenticator)
  await signInWith(authenticator, { rpId: 'example.org' })
  await ask('PATCH', `/v1/user/passkey/${id}`, { cookie, body: { name: 'Phone' } })
  await ask('DELETE', `/v1/user/passkey/${id}`, { cookie })
  await signInWith(authenticator)
  const refused = { outcome: 'AuthorizationFailed' }
  expect(await log()).toEqual([
    entry(9, '', 'session.passkey', '', { ...noId, ...refused }),
    entry(8, 'bob', 'profile.remove-passkey', id),
    entry(7, 'bob', 'profile.rename-passkey', id),
    entry(6, 'bob', 'session.passkey', '', refused),
    entry(5, 'bob', 'session.passkey'),
    entry(4, 'bob', 'profile.add-passkey', id),
    entry(3, 'bob', 'profile.begin-passkey'),
    entry(2, 'bob', 'session.sign-in'),
    entry(1, 'ann', 'session.sign-in'),
  ])
})
