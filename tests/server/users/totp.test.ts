import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { TotpBegun, TotpConfirmed } from '../../../src/api/contract/user.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { codeIn } from '../fixtures/mail-server.ts'
import { mailServer } from '../fixtures/mail.ts'
import { password, start, startServer } from '../fixtures/harness.ts'

const stepMs = 30_000

const codeOf = (secret: string, time: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: time,
  })

const Log = z.object({ items: z.array(z.object({ action: z.string(), login: z.string(), outcome: z.string() })) })

/** A server where Ann, an administrator, can turn it on, and sign in by password and code. */
const server = async (options: Parameters<typeof startServer>[0] = {}) => {
  const harness = await startServer(options)
  await harness.addUser('ann', true)
  const { ask } = harness
  let time = start
  const wait = (ms: number): void => {
    time += ms
    harness.wait(ms)
  }
  const begin = async (cookie: string) =>
    z.parse(TotpBegun, (await ask('POST', '/v1/user/totp', { cookie, body: { password } })).body)
  const turnOn = async (cookie: string, secret?: string) => {
    const begun = secret ?? (await begin(cookie)).secret
    const answer = await ask('POST', '/v1/user/totp/confirm', { cookie, body: { code: codeOf(begun, time) } })
    return { secret: begun, cookie: answer.cookie ?? '', ...z.parse(TotpConfirmed, answer.body) }
  }
  const signInWith = async (code?: string, name = 'ann', ip = '192.0.2.1') => {
    const body = { name, password, ...(code === undefined ? {} : { code }) }
    const { status, body: answer, headers } = await ask('POST', '/v1/sign-in', { body, ip })
    return { status, body: answer, retryAfter: headers['retry-after'] }
  }
  return { ...harness, wait, begin, turnOn, signInWith, codeNow: (secret: string, ms = 0) => codeOf(secret, time + ms) }
}

const signedIn = { status: 200, body: { mustChangePassword: false }, retryAfter: undefined }
const asked = { status: 401, body: { code: 'SecondFactorRequired' }, retryAfter: undefined }
const wrong = {
  status: 401,
  body: { code: 'AuthorizationFailed', details: { code: 'Wrong, or already used' } },
  retryAfter: undefined,
}

describe('turning the second factor on', () => {
  test('takes the password and a code of the app; from then on signing in asks for a code', async () => {
    const { ask, begin, turnOn, signIn, signInWith, codeNow, wait } = await server()
    const cookie = await signIn('ann')
    const refused = await ask('POST', '/v1/user/totp', { cookie, body: { password: 'wrong' } })
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: { code: 'InvalidOldPassword' },
    })
    const { secret, url } = await begin(cookie)
    expect(url).toBe(`otpauth://totp/Sightline:ann?issuer=Sightline&secret=${secret}&algorithm=SHA1&digits=6&period=30`)
    expect(await signInWith()).toEqual(signedIn)
    const mistyped = await ask('POST', '/v1/user/totp/confirm', { cookie, body: { code: '12345' } })
    expect({ status: mistyped.status, body: mistyped.body }).toEqual({
      status: 400,
      body: { code: 'ValidationError', details: { code: 'Wrong, or already used' } },
    })
    const on = await turnOn(cookie, secret)
    expect([...new Set(on.recoveryCodes)].filter((code) => /^\d{10}$/.test(code)).length).toBe(10)
    expect(await signInWith()).toEqual(asked)
    wait(stepMs)
    expect(await signInWith(codeNow(secret))).toEqual(signedIn)
  })

  test('counts only once a code was confirmed, within a quarter of an hour', async () => {
    const { ask, begin, signIn, signInWith, codeNow, wait } = await server()
    const cookie = await signIn('ann')
    const { secret: first } = await begin(cookie)
    const { secret } = await begin(cookie)
    const confirm = async (code: string) =>
      (await ask('POST', '/v1/user/totp/confirm', { cookie, body: { code } })).status
    expect(await confirm(codeNow(first))).toBe(400)
    wait(15 * 60_000)
    expect(await confirm(codeNow(secret))).toBe(400)
    expect(await signInWith()).toEqual(signedIn)
  })

  test('ends the other sessions, renews this one, keeps tokens, and the profile says so', async () => {
    const { ask, turnOn, signIn, wait } = await server()
    const [cookie, other] = [await signIn('ann'), await signIn('ann')]
    const made = await ask('POST', '/v1/token', { cookie, body: { name: 'script' } })
    const { token } = z.parse(z.object({ token: z.string() }), made.body)
    const on = await turnOn(cookie)
    wait(11_000)
    expect((await ask('GET', '/v1/user', { cookie: other })).status).toBe(401)
    expect((await ask('GET', '/v1/user', { cookie })).status).toBe(401)
    expect(await ask('GET', '/v1/user', { cookie: on.cookie })).toMatchObject({ status: 200, body: { hasTotp: true } })
    const byToken = { headers: { authorization: `Bearer ${token}` } }
    expect((await ask('GET', '/v1/user', byToken)).status).toBe(200)
    const again = await ask('POST', '/v1/user/totp', { cookie: on.cookie, body: { password } })
    expect({ status: again.status, body: again.body }).toEqual({
      status: 409,
      body: { code: 'ActionNotAcceptable', message: 'It is on: turn it off first' },
    })
    expect((await ask('POST', '/v1/user/totp', { ...byToken, body: { password } })).status).toBe(403)
    expect((await ask('DELETE', '/v1/user/totp', { ...byToken, body: { password } })).status).toBe(403)
  })
})

describe('signing in with a code', () => {
  test('takes the code before and the code after, each once, also after a restart', async () => {
    const { turnOn, signIn, signInWith, codeNow, wait, context } = await server()
    const { secret } = await turnOn(await signIn('ann'))
    expect(await signInWith(codeNow(secret))).toEqual(wrong)
    wait(4 * stepMs)
    expect(await signInWith(codeNow(secret, -2 * stepMs))).toEqual(wrong)
    expect(await signInWith(codeNow(secret, 2 * stepMs))).toEqual(wrong)
    expect(await signInWith(codeNow(secret, -stepMs))).toEqual(signedIn)
    expect(await signInWith(codeNow(secret, -stepMs))).toEqual(wrong)
    expect(await signInWith(codeNow(secret, stepMs))).toEqual(signedIn)
    expect(await signInWith(codeNow(secret))).toEqual(wrong)
    const rows = await context.store.all(z.object({ step: z.number() }), 'SELECT last_step AS step FROM totp')
    expect(rows).toEqual([{ step: Math.floor((start + 5 * stepMs) / stepMs) }])
  })

  test('of two at the same time with one code one gets in', async () => {
    const { turnOn, signIn, signInWith, codeNow, wait } = await server()
    const { secret } = await turnOn(await signIn('ann'))
    wait(stepMs)
    const code = codeNow(secret)
    const both = await Promise.all([signInWith(code), signInWith(code)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  test('takes a recovery code once, however it is written, and says how many are left', async () => {
    const { ask, turnOn, signIn, signInWith } = await server()
    const { recoveryCodes, cookie } = await turnOn(await signIn('ann'))
    const [first = '', second = ''] = recoveryCodes
    const left = (count: number) => ({ ...signedIn, body: { mustChangePassword: false, recoveryCodesLeft: count } })
    expect(await signInWith(`${first.slice(0, 5)}-${first.slice(5)} `)).toEqual(left(9))
    expect(await signInWith(first)).toEqual(wrong)
    expect(await signInWith(second)).toEqual(left(8))
    expect((await ask('GET', '/v1/user', { cookie })).body).toMatchObject({ recoveryCodesLeft: 8 })
  })

  test('without the password reveals nothing of the second factor', async () => {
    const { ask, turnOn, signIn, codeNow, wait } = await server()
    const { secret } = await turnOn(await signIn('ann'))
    wait(stepMs)
    const body = { name: 'ann', password: 'wrong', code: codeNow(secret) }
    const answer = await ask('POST', '/v1/sign-in', { body })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: { code: 'AuthorizationFailed' } })
  })

  test('codes can not be guessed without end, from wherever; the password alone costs nothing', async () => {
    const { turnOn, signIn, signInWith, codeNow, wait } = await server()
    const { secret } = await turnOn(await signIn('ann'))
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await signInWith()).toEqual(asked)
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await signInWith('000000', 'ann', `198.51.100.${attempt}`)).toEqual(wrong)
    wait(stepMs)
    const late = { status: 429, body: { code: 'TooManyRequests' }, retryAfter: '270' }
    expect(await signInWith(codeNow(secret), 'ann', '203.0.113.1')).toEqual(late)
    wait(270_000)
    expect(await signInWith(codeNow(secret), 'ann', '203.0.113.1')).toEqual(signedIn)
  })

  test('is asked after a reset by mail, too', async () => {
    const mail = await mailServer()
    const { ask, context, turnOn, signIn } = await server({
      defaults: { ...builtInValues, mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port } },
    })
    await context.accounts.change('ann', { email: 'ann@example.org' })
    await turnOn(await signIn('ann'))
    expect((await mail.next()).body).toContain('The two-factor authentication of ann was changed.')
    await ask('POST', '/v1/password/send-reset', { body: { email: 'ann@example.org' } })
    const code = codeIn(await mail.next())
    const renewed = 'another horse 9'
    const body = { email: 'ann@example.org', code, password: renewed }
    expect((await ask('POST', '/v1/password/reset', { body })).status).toBe(200)
    const answer = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password: renewed } })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: asked.body })
  })
})

describe('turning it off', () => {
  test('takes the password, ends the other sessions, and makes the codes void', async () => {
    const { ask, turnOn, signIn, signInWith, codeNow, wait } = await server()
    const { cookie, secret } = await turnOn(await signIn('ann'))
    wait(stepMs)
    const other = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password, code: codeNow(secret) } })
    expect((await ask('DELETE', '/v1/user/totp', { cookie, body: { password: 'wrong' } })).status).toBe(400)
    expect((await ask('DELETE', '/v1/user/totp', { cookie, body: { password } })).status).toBe(200)
    expect((await ask('GET', '/v1/user', { cookie: other.cookie })).status).toBe(401)
    expect(await signInWith()).toEqual(signedIn)
    expect((await ask('DELETE', '/v1/user/totp', { cookie, body: { password } })).status).toBe(409)
  })

  test('an administrator does it for others, who are signed out; nobody else can', async () => {
    const { ask, addUser, turnOn, signIn, signInWith, wait } = await server()
    await addUser('bob')
    const admin = await signIn('ann')
    const bob = await turnOn(await signIn('bob'))
    expect((await ask('GET', '/v1/user/bob', { cookie: admin })).body).toMatchObject({ hasTotp: true })
    expect((await ask('DELETE', '/v1/user/ann/totp', { cookie: bob.cookie })).status).toBe(403)
    expect((await ask('DELETE', '/v1/user/ann/totp', { cookie: admin })).status).toBe(409)
    expect((await ask('DELETE', '/v1/user/bob/totp', { cookie: admin })).status).toBe(200)
    expect((await ask('DELETE', '/v1/user/bob/totp', { cookie: admin })).status).toBe(409)
    wait(11_000)
    expect((await ask('GET', '/v1/user', { cookie: bob.cookie })).status).toBe(401)
    expect(await signInWith(undefined, 'bob')).toEqual(signedIn)
  })

  test('no user is called totp, which is a word of a call', async () => {
    const { ask, signIn } = await server()
    const cookie = await signIn('ann')
    const answer = await ask('POST', '/v1/user', { cookie, body: { name: 'totp', password: 'another horse 9' } })
    expect(answer.body).toEqual({ code: 'ValidationError', details: { name: 'This name is reserved' } })
  })
})

describe('where the configuration requires it', () => {
  const requiring = (secondFactorOf: 'administrators' | 'everybody') => ({
    defaults: { ...builtInValues, signIn: { ...builtInValues.signIn, secondFactorOf } },
  })

  test('whoever has none can do nothing but set it up; tokens go on, and so do others', async () => {
    const { ask, addUser, turnOn, signIn } = await server(requiring('administrators'))
    await addUser('bob')
    const cookie = await signIn('ann')
    const bob = await signIn('bob')
    expect((await ask('GET', '/v1/user', { cookie })).body).toMatchObject({ isTotpRequired: true })
    expect((await ask('GET', '/v1/user', { cookie: bob })).body).not.toHaveProperty('isTotpRequired')
    const closed = { status: 403, body: { code: 'Forbidden', message: 'Turn on two-factor authentication first' } }
    for (const path of ['/v1/mosaics', '/v1/tokens', '/v1/sessions', '/v1/system/search?query=a']) {
      const { status, body } = await ask('GET', path, { cookie })
      expect({ path, status, body }).toEqual({ path, ...closed })
      expect((await ask('GET', path, { cookie: bob })).status).toBe(200)
    }
    const on = await turnOn(cookie)
    expect((await ask('GET', '/v1/mosaics', { cookie: on.cookie })).status).toBe(200)
    const made = await ask('POST', '/v1/token', { cookie: on.cookie, body: { name: 'script' } })
    const { token } = z.parse(z.object({ token: z.string() }), made.body)
    expect((await ask('DELETE', '/v1/user/totp', { cookie: on.cookie, body: { password } })).status).toBe(200)
    const again = await signIn('ann')
    expect((await ask('GET', '/v1/mosaics', { cookie: again })).status).toBe(403)
    expect((await ask('GET', '/v1/mosaics', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })

  test('an administrator has it before requiring it, and whoever then has to sign in anew', async () => {
    const { ask, addUser, turnOn, signIn } = await server()
    await addUser('bob')
    const [admin, bob] = [await signIn('ann'), await signIn('bob')]
    const require = async (secondFactorOf: string, cookie: string) =>
      ask('PUT', '/v1/admin/configuration', { cookie, body: { values: { signIn: { secondFactorOf } } } })
    const refused = await require('administrators', admin)
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 400,
      body: {
        code: 'ValidationError',
        details: { 'signIn.secondFactorOf': 'Turn on your own first, in your profile' },
      },
    })
    const on = await turnOn(admin)
    expect((await require('administrators', on.cookie)).status).toBe(200)
    expect((await ask('GET', '/v1/mosaics', { cookie: bob })).status).toBe(200)
    expect((await require('everybody', on.cookie)).status).toBe(200)
    expect((await ask('GET', '/v1/user', { cookie: bob })).status).toBe(401)
    expect((await ask('GET', '/v1/mosaics', { cookie: on.cookie })).status).toBe(200)
    const setting = await signIn('bob')
    expect(
      (
        await ask('PUT', '/v1/admin/configuration', {
          cookie: on.cookie,
          body: { values: { application: { title: 'Site' } } },
        })
      ).status,
    ).toBe(200)
    expect((await ask('GET', '/v1/user', { cookie: setting })).body).toMatchObject({ isTotpRequired: true })
  })
})

describe('what is kept of it', () => {
  test('is no secret and no code: neither in the database nor in the audit log', async () => {
    const { ask, context, turnOn, signIn, signInWith } = await server()
    const { secret, recoveryCodes, cookie } = await turnOn(await signIn('ann'))
    await signInWith(recoveryCodes[0])
    const Row = z.record(z.string(), z.unknown())
    const kept = await Promise.all(
      ['totp', 'recovery_codes', 'audit_logs'].map((table) => context.store.all(Row, `SELECT * FROM ${table}`)),
    )
    const bytes = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : `${value}`)
    const text = kept
      .flat()
      .flatMap((row) => Object.values(row).map(bytes))
      .join('\n')
    const plain = Buffer.from(Secret.fromBase32(secret).bytes).toString('latin1')
    expect([secret, plain, ...recoveryCodes].filter((each) => text.includes(each))).toEqual([])
    expect((await ask('GET', '/v1/user', { cookie })).status).toBe(200)
  })

  test('the secret of one user does not open in the row of another', async () => {
    const { context, addUser, turnOn, signIn, signInWith, codeNow, wait } = await server()
    await addUser('bob')
    const { secret } = await turnOn(await signIn('bob'))
    await turnOn(await signIn('ann'))
    const idOf = async (login: string) => (await context.accounts.get(login)).id
    const sql = 'UPDATE totp SET secret = (SELECT secret FROM totp WHERE user_id = ?) WHERE user_id = ?'
    await context.store.run(sql, await idOf('bob'), await idOf('ann'))
    wait(stepMs)
    expect((await signInWith(codeNow(secret))).status).toBe(500)
  })

  test('on, off, a code asked, refused and a recovery code used are audited', async () => {
    const { ask, turnOn, signIn, signInWith, addUser } = await server()
    await addUser('bob')
    const { recoveryCodes } = await turnOn(await signIn('bob'))
    await signInWith(undefined, 'bob')
    await signInWith('000000', 'bob')
    await signInWith(recoveryCodes[0], 'bob')
    const admin = await signIn('ann')
    await ask('DELETE', '/v1/user/bob/totp', { cookie: admin })
    const cookie = await signIn('bob')
    const on = await turnOn(cookie)
    await ask('DELETE', '/v1/user/totp', { cookie: on.cookie, body: { password } })
    const { items } = z.parse(Log, (await ask('GET', '/v1/admin/audit-logs', { cookie: admin })).body)
    expect(items.map(({ action, login, outcome }) => `${login} ${action} ${outcome}`).toReversed()).toEqual([
      'bob session.sign-in ok',
      'bob profile.begin-totp ok',
      'bob profile.add-totp ok',
      'bob session.sign-in SecondFactorRequired',
      'bob session.code AuthorizationFailed',
      'bob session.recovery-code ok',
      'ann session.sign-in ok',
      'ann user.remove-totp ok',
      'bob session.sign-in ok',
      'bob profile.begin-totp ok',
      'bob profile.add-totp ok',
      'bob profile.remove-totp ok',
    ])
  })
})
