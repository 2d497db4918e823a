import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { password, start, startServer, type Harness } from '../fixtures/harness.ts'

const newPassword = 'another horse 8'

const server = async (): Promise<Harness & { cookie: string }> => {
  const harness = await startServer()
  await harness.addUser('ann', true)
  return { ...harness, cookie: await harness.signIn('ann') }
}

describe('the own profile', () => {
  test('changes what is given and answers the user', async () => {
    const { ask, cookie } = await server()
    const patch = { email: 'ann@example.org', fullName: ' Ann A. ', language: 'ru', name: 'anna' }
    const { status, body } = await ask('PATCH', '/v1/user', { cookie, body: patch })
    const user = {
      name: 'anna',
      email: 'ann@example.org',
      fullName: 'Ann A.',
      language: 'ru',
      isAdmin: true,
      permissionType: 'admin',
      maxStreamCreation: -1,
      isManaged: false,
      isBlocked: false,
    }
    expect({ status, body }).toEqual({ status: 200, body: user })
    expect((await ask('GET', '/v1/user', { cookie })).body).toEqual(user)
  })

  test('a password takes the old one, must be new and not easy; the other sessions end', async () => {
    const { ask, cookie, signIn, context } = await server()
    const other = await signIn('ann')
    const change = async (body: object) => {
      const answer = await ask('PATCH', '/v1/user', { cookie, body })
      return { status: answer.status, body: answer.body }
    }
    const wrongOld = { status: 400, body: { code: 'InvalidOldPassword' } }
    expect(await change({ password: newPassword })).toEqual(wrongOld)
    expect(await change({ password: newPassword, oldPassword: 'wrong' })).toEqual(wrongOld)
    expect(await change({ password, oldPassword: password })).toEqual({
      status: 400,
      body: { code: 'OldPasswordAndNewPasswordCannotBeSame' },
    })
    expect(await change({ password: 'aaaaaaaaaaaa', oldPassword: password })).toEqual({
      status: 400,
      body: {
        code: 'PasswordIsNotComplexEnough',
        message: 'Too few different characters',
        details: { password: 'Too few different characters', reason: 'tooUniform' },
      },
    })
    expect((await ask('GET', '/v1/user', { cookie: other })).status).toBe(200)
    await context.accounts.change('ann', { mustChangePassword: true })
    expect((await change({ password: newPassword, oldPassword: password })).status).toBe(200)
    expect((await ask('GET', '/v1/user', { cookie: other })).status).toBe(401)
    expect((await ask('GET', '/v1/user', { cookie })).status).toBe(200)
    const again = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password: newPassword } })
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: { mustChangePassword: false } })
  })

  test('old passwords can not be guessed without end', async () => {
    const { ask, cookie } = await server()
    const guess = () => ask('PATCH', '/v1/user', { cookie, body: { password: newPassword, oldPassword: 'wrong' } })
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await guess()).status).toBe(400)
    const { status, body, headers } = await guess()
    expect({ status, body, retryAfter: headers['retry-after'] }).toEqual({
      status: 429,
      body: { code: 'TooManyRequests' },
      retryAfter: '30',
    })
  })

  test('a taken name or e-mail is reported beside its field', async () => {
    const { ask, cookie, addUser, context } = await server()
    await addUser('bob')
    await context.accounts.change('bob', { email: 'bob@example.org' })
    expect((await ask('PATCH', '/v1/user', { cookie, body: { name: 'BOB' } })).body).toEqual({
      code: 'AlreadyUsed',
      details: { name: 'Already used' },
    })
    expect((await ask('PATCH', '/v1/user', { cookie, body: { email: 'Bob@example.org' } })).body).toEqual({
      code: 'AlreadyUsed',
      details: { email: 'Already used' },
    })
    expect((await ask('PATCH', '/v1/user', { cookie, body: { name: 'add' } })).body).toEqual({
      code: 'ValidationError',
      details: { name: 'This name is reserved' },
    })
    expect((await ask('PATCH', '/v1/user', { cookie, body: { name: 'Ann' } })).body).toMatchObject({ name: 'Ann' })
  })

  test('name, e-mail and password of a managed user are not edited here', async () => {
    const { ask, context, addUser, signIn } = await server()
    await addUser('bob')
    await context.store.run("UPDATE users SET is_managed = 1 WHERE login = 'bob'")
    const cookie = await signIn('bob')
    const managed = { status: 403, body: { code: 'Forbidden', message: 'This user is managed elsewhere' } }
    for (const change of [
      { name: 'rob' },
      { email: 'x@example.org' },
      { password: newPassword, oldPassword: password },
    ]) {
      const { status, body } = await ask('PATCH', '/v1/user', { cookie, body: change })
      expect({ status, body }).toEqual(managed)
    }
    expect((await ask('PATCH', '/v1/user', { cookie, body: { language: 'ru' } })).status).toBe(200)
  })
})

describe('API tokens', () => {
  test('are shown once, work as Bearer until they expire or are deleted, and are kept hashed', async () => {
    const { ask, cookie, wait, context } = await server()
    const expireTime = new Date(start + 3_600_000).toISOString()
    const made = await ask('POST', '/v1/token', { cookie, body: { name: 'curl', expireTime } })
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[\w-]{12}$/),
      name: 'curl',
      expireTime,
      token: expect.stringMatching(/^sl_[\w-]{43}$/),
    })
    const [kept] = await context.tokens.list('ann')
    const token = String(Reflect.get(Object(made.body), 'token'))
    expect((await ask('GET', '/v1/tokens', { cookie })).body).toEqual({
      items: [{ id: kept?.id, name: 'curl', expireTime }],
    })
    const dump = JSON.stringify(
      await context.store.all(z.unknown(), 'SELECT id, name, hex(token_hash) FROM api_tokens'),
    )
    expect(dump).not.toContain(token)
    const status = async () => (await ask('GET', '/v1/user', { headers: { authorization: `Bearer ${token}` } })).status
    expect(await status()).toBe(200)
    wait(3_600_000)
    expect(await status()).toBe(401)
    expect((await ask('DELETE', `/v1/token/${kept?.id}`, { cookie })).body).toEqual({})
    expect((await ask('DELETE', `/v1/token/${kept?.id}`, { cookie })).status).toBe(404)
  })

  test('never expire with null, and not in the past', async () => {
    const { ask, cookie } = await server()
    const never = await ask('POST', '/v1/token', { cookie, body: { name: 'n', expireTime: null } })
    expect(never.body).toMatchObject({ expireTime: null })
    const past = await ask('POST', '/v1/token', { cookie, body: { name: 'p', expireTime: '2020-01-01T00:00:00Z' } })
    expect({ status: past.status, body: past.body }).toEqual({
      status: 400,
      body: { code: 'ValidationError', details: { expireTime: 'Must be in the future' } },
    })
  })

  test("another user's token can not be deleted", async () => {
    const { ask, cookie, addUser, context } = await server()
    await addUser('bob')
    const { id } = await context.tokens.create('bob', 'his', null)
    expect((await ask('DELETE', `/v1/token/${id}`, { cookie })).status).toBe(404)
    expect(await context.tokens.list('bob')).toHaveLength(1)
  })
})

describe('sessions', () => {
  test('are listed newest first with this one marked; one or all others can be ended', async () => {
    const { ask, cookie, signIn, wait, context } = await server()
    wait(60_000)
    const second = await signIn('ann')
    wait(60_000)
    const third = await signIn('ann')
    const visit = () => ask('GET', '/v1/sessions', { cookie: second, headers: { 'user-agent': 'x' }, ip: '192.0.2.9' })
    // A visit is written beside its answer.
    await visit()
    const list = await visit()
    const seen = (offset: number, ip: string, isCurrent: boolean) => ({
      id: expect.any(String),
      lastSeenTime: new Date(start + offset).toISOString(),
      userAgent: 'lightMyRequest',
      ip,
      isCurrent,
    })
    expect(list.body).toEqual({
      items: [seen(120_000, '192.0.2.1', false), seen(120_000, '192.0.2.9', true), seen(0, '192.0.2.1', false)],
    })
    const [thirdRow] = await context.sessions.list('ann')
    expect((await ask('DELETE', `/v1/session/${thirdRow?.id}`, { cookie })).status).toBe(200)
    expect((await ask('GET', '/v1/user', { cookie: third })).status).toBe(401)
    expect((await ask('POST', '/v1/sessions/terminate', { cookie: second })).body).toEqual({})
    expect((await ask('GET', '/v1/user', { cookie })).status).toBe(401)
    expect((await ask('GET', '/v1/user', { cookie: second })).status).toBe(200)
  })

  test('end after 14 idle days, and after 90 days in any case', async () => {
    const { ask, cookie, wait } = await server()
    const dayMs = 86_400_000
    const status = async () => (await ask('GET', '/v1/user', { cookie })).status
    for (let day = 0; day < 90; day += 10) {
      expect(await status()).toBe(200)
      wait(10 * dayMs)
    }
    expect(await status()).toBe(401)
    const fresh = await server()
    fresh.wait(14 * dayMs)
    expect((await fresh.ask('GET', '/v1/user', { cookie: fresh.cookie })).status).toBe(401)
  })
})

test('without a mail server recovery is refused', async () => {
  const { ask } = await server()
  const sent = await ask('POST', '/v1/password/send-reset', { body: { email: 'ann@example.org' } })
  expect({ status: sent.status, body: sent.body }).toEqual({ status: 403, body: { code: 'FeatureNotFound' } })
  const reset = await ask('POST', '/v1/password/reset', { body: { code: '1', password, email: 'ann@example.org' } })
  expect({ status: reset.status, body: reset.body }).toEqual({ status: 403, body: { code: 'FeatureNotFound' } })
})

test('a change of the password under way when it is recovered changes nothing', async () => {
  const {
    ask,
    cookie,
    context: { accounts },
  } = await server()
  const get = accounts.get.bind(accounts)
  const watched = vi.spyOn(accounts, 'get').mockImplementation(async (login) => {
    const person = await get(login)
    watched.mockRestore()
    await accounts.change('ann', { passwordHash: 'recovered' })
    return person
  })
  const change = { password: newPassword, oldPassword: password }
  const { status, body } = await ask('PATCH', '/v1/user', { cookie, body: change })
  expect({ status, body }).toEqual({ status: 400, body: { code: 'InvalidOldPassword' } })
  expect((await accounts.get('ann')).passwordHash).toBe('recovered')
})
