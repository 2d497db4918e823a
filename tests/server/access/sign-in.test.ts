import { describe, expect, test, vi } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'

const refused = { code: 'AuthorizationFailed' }

describe('signing in', () => {
  test('sets a session cookie that is HttpOnly and Lax and lives 90 days', async () => {
    const { ask, addUser } = await startServer()
    await addUser('ann', true)
    const { status, body, headers } = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })
    expect({ status, body }).toEqual({ status: 200, body: { mustChangePassword: false } })
    expect(headers['set-cookie']).toMatch(/^session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(headers['cache-control']).toBe('no-store')
  })

  test('on HTTPS behind a trusted proxy the cookie is __Host- and Secure', async () => {
    const { ask, addUser } = await startServer({ trustProxy: '192.0.2.1' })
    await addUser('ann', true)
    const headers = { 'x-forwarded-proto': 'https', origin: 'https://localhost' }
    const signedIn = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password }, headers })
    expect(signedIn.headers['set-cookie']).toMatch(
      /^__Host-session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await ask('GET', '/v1/openapi.json', { cookie: signedIn.cookie, headers })).status).toBe(200)
    expect((await ask('GET', '/v1/openapi.json', { cookie: signedIn.cookie })).status).toBe(401)
  })

  test('a wrong password, an unknown login and a blocked user get the same answer', async () => {
    const { ask, addUser, context } = await startServer()
    await addUser('ann', true)
    await addUser('bob')
    await context.accounts.change('bob', { isBlocked: true })
    const answers = await Promise.all(
      [
        { name: 'ann', password: 'wrong' },
        { name: 'nobody', password },
        { name: 'bob', password },
      ].map((body) => ask('POST', '/v1/sign-in', { body })),
    )
    for (const { status, body, cookie } of answers) {
      expect({ status, body, cookie }).toEqual({ status: 401, body: refused, cookie: undefined })
    }
  })

  test('a login is found whatever its case, and the session is of the login as it is written', async () => {
    const { ask, addUser, context } = await startServer()
    await addUser('Ann', true)
    expect((await ask('POST', '/v1/sign-in', { body: { name: ' aNN ', password } })).status).toBe(200)
    expect((await context.sessions.list('Ann')).map(({ login, ip }) => ({ login, ip }))).toEqual([
      { login: 'Ann', ip: '192.0.2.1' },
    ])
  })

  test('the same in any script', async () => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('Иван', true)
    expect((await ask('POST', '/v1/sign-in', { body: { name: 'иВАН', password } })).status).toBe(200)
    const cookie = await signIn('Иван')
    expect((await ask('GET', '/v1/user', { cookie })).body).toMatchObject({ name: 'Иван' })
    const another = { name: 'ИВАН', password: 'Any other 2 words', permissionType: 'user' }
    expect(await ask('POST', '/v1/user', { cookie, body: another })).toMatchObject({
      status: 409,
      body: { details: { name: 'Already used' } },
    })
  })

  test('signing in again ends the session that the browser had; signing out ends it and clears the cookie', async () => {
    const { ask, addUser, context } = await startServer()
    await addUser('ann', true)
    const first = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })
    const second = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password }, cookie: first.cookie })
    expect(await context.sessions.list('ann')).toHaveLength(1)
    const out = await ask('POST', '/v1/sign-out', { cookie: second.cookie })
    expect({ status: out.status, body: out.body }).toEqual({ status: 200, body: {} })
    expect(out.headers['set-cookie']).toBe(
      'session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    )
    expect(await context.sessions.list('ann')).toEqual([])
  })
})

describe('guessing at passwords', () => {
  test('a host has ten attempts and one more each half minute; a user elsewhere still gets in', async () => {
    const { ask, addUser, wait } = await startServer()
    await addUser('ann', true)
    const guess = () => ask('POST', '/v1/sign-in', { body: { name: 'ann', password: 'wrong' }, ip: '198.51.100.7' })
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await guess()).status).toBe(401)
    const held = await guess()
    expect({ status: held.status, body: held.body, retryAfter: held.headers['retry-after'] }).toEqual({
      status: 429,
      body: { code: 'TooManyRequests' },
      retryAfter: '30',
    })
    const right = { body: { name: 'ann', password } }
    expect((await ask('POST', '/v1/sign-in', { ...right, ip: '198.51.100.7' })).status).toBe(429)
    expect((await ask('POST', '/v1/sign-in', { ...right, ip: '198.51.100.8' })).status).toBe(200)
    wait(30_000)
    expect((await guess()).status).toBe(401)
    expect((await guess()).status).toBe(429)
  })

  test('from many hosts a login has thirty; who came from there before still gets in; unknown logins get the same answer', async () => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    await signIn('ann')
    for (const name of ['ann', 'nobody']) {
      const guess = (host: number) =>
        ask('POST', '/v1/sign-in', { body: { name, password: 'wrong' }, ip: `198.51.100.${host}` })
      for (let host = 0; host < 30; host += 1) expect((await guess(host)).status).toBe(401)
      const { status, body, headers } = await guess(200)
      expect({ status, body, retryAfter: headers['retry-after'] }).toEqual({
        status: 429,
        body: { code: 'TooManyRequests' },
        retryAfter: '30',
      })
    }
    expect((await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })).status).toBe(200)
  })

  test('the hosts of one IPv6 /64 count as one', async () => {
    const { ask, addUser } = await startServer()
    await addUser('ann', true)
    const guess = (ip: string) => ask('POST', '/v1/sign-in', { body: { name: 'ann', password: 'wrong' }, ip })
    for (let host = 1; host <= 10; host += 1) expect((await guess(`2001:db8::${host}`)).status).toBe(401)
    expect((await guess('2001:db8:0:0:5::1')).status).toBe(429)
    expect((await guess('2001:db8:0:1::1')).status).toBe(401)
  })
})

test('until a password that an administrator chose is changed, nothing is open but the own profile', async () => {
  const { ask, addUser, context } = await startServer()
  await addUser('admin', true)
  await addUser('ann')
  await context.accounts.change('ann', { mustChangePassword: true })
  const signedIn = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })
  expect(signedIn.body).toEqual({ mustChangePassword: true })
  const { cookie } = signedIn
  const refused = { status: 403, body: { code: 'Forbidden', message: 'Change your password first' } }
  for (const [method, url] of [
    ['GET', '/v1/mosaics'],
    ['GET', '/v1/tokens'],
    ['POST', '/v1/token'],
    ['GET', '/v1/users'],
    ['GET', '/v1/sessions'],
  ] as const) {
    const { status, body } = await ask(method, url, { cookie })
    expect({ url, status, body }).toEqual({ url, ...refused })
  }
  const statuses = await Promise.all(
    ['/v1/user', '/v1/system/health', '/v1/system/internal/ui/settings'].map(
      async (url) => (await ask('GET', url, { cookie })).status,
    ),
  )
  expect(statuses).toEqual([200, 200, 200])
  expect(
    (await ask('PATCH', '/v1/user', { cookie, body: { password: 'quite another 8', oldPassword: password } })).status,
  ).toBe(200)
  expect((await ask('GET', '/v1/mosaics', { cookie })).body).toEqual({ items: [] })
})

describe('renaming', () => {
  const guess = async (ask: Harness['ask'], name: string, host: number) => {
    const body = { name, password: 'wrong' }
    return (await ask('POST', '/v1/sign-in', { body, ip: `198.51.100.${host}` })).status
  }

  test('gives no new attempts at signing in', async () => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    await addUser('bob')
    const cookie = await signIn('ann')
    for (let host = 0; host < 30; host += 1) expect(await guess(ask, 'bob', host)).toBe(401)
    expect(await guess(ask, 'bob', 200)).toBe(429)
    await ask('PATCH', '/v1/user/bob', { cookie, body: { name: 'rob' } })
    expect(await guess(ask, 'rob', 201)).toBe(429)
    expect(await guess(ask, 'bob', 202)).toBe(401)
    await addUser('bob')
    expect(await guess(ask, 'bob', 203)).toBe(401)
  })

  test('keeps the hosts that a login came from', async () => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    await ask('PATCH', '/v1/user', { cookie, body: { name: 'anna' } })
    for (let host = 0; host < 30; host += 1) await guess(ask, 'anna', host)
    expect(await guess(ask, 'anna', 200)).toBe(429)
    expect((await ask('POST', '/v1/sign-in', { body: { name: 'anna', password } })).status).toBe(200)
  })

  test('gives no new attempts at the old password', async () => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const change = (body: object) => ask('PATCH', '/v1/user', { cookie, body }).then(({ status }) => status)
    const guessed = { password: 'another horse 8', oldPassword: 'wrong' }
    for (let attempt = 0; attempt < 10; attempt += 1) expect(await change(guessed)).toBe(400)
    expect(await change({ name: 'anna' })).toBe(200)
    expect(await change(guessed)).toBe(429)
  })
})

test('a sign-in under way when the password is changed opens no session', async () => {
  const {
    ask,
    addUser,
    context: { accounts, sessions },
  } = await startServer()
  await addUser('ann', true)
  const find = accounts.find.bind(accounts)
  const watched = vi.spyOn(accounts, 'find').mockImplementation(async (login) => {
    const person = await find(login)
    watched.mockRestore()
    await accounts.change('ann', { passwordHash: 'another' })
    await sessions.endAll('ann')
    return person
  })
  expect((await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })).status).toBe(401)
  expect(await sessions.list('ann')).toEqual([])
})

describe('a password that an administrator chose', () => {
  const within = (initialPasswordDays: number) => ({
    defaults: { ...builtInValues, signIn: { ...builtInValues.signIn, initialPasswordDays } },
  })
  const day = 86_400_000
  const given = 'handed over 99'

  const opened = async (options: Parameters<typeof startServer>[0]) => {
    const harness = await startServer(options)
    await harness.addUser('ann', true)
    const admin = await harness.signIn('ann')
    const { ask } = harness
    await ask('POST', '/v1/user', { cookie: admin, body: { name: 'bob', password: given, email: 'bob@example.org' } })
    const enter = async (password: string) => {
      const { status, body } = await ask('POST', '/v1/sign-in', { body: { name: 'bob', password } })
      return { status, body }
    }
    return { ...harness, admin, enter }
  }
  const entered = { status: 200, body: { mustChangePassword: true } }
  const expired = {
    status: 401,
    body: { code: 'AuthorizationFailed', details: { reason: 'initialPasswordExpired' } },
  }

  test('runs out after 30 days by default', async () => {
    const { enter, wait } = await opened({})
    wait(30 * day - 1)
    expect(await enter(given)).toEqual(entered)
    wait(1)
    expect(await enter(given)).toEqual(expired)
  })

  test('runs out where the configuration says so, until another is given', async () => {
    const { ask, admin, enter, wait } = await opened(within(3))
    wait(3 * day - 1)
    expect(await enter(given)).toEqual(entered)
    wait(1)
    expect(await enter(given)).toEqual(expired)
    expect(await enter('not this one')).toEqual({ status: 401, body: { code: 'AuthorizationFailed' } })
    const again = 'handed over 100'
    expect((await ask('PATCH', '/v1/user/bob', { cookie: admin, body: { password: again } })).status).toBe(200)
    wait(2 * day)
    expect(await enter(again)).toEqual(entered)
  })

  test('that was changed in time does not run out', async () => {
    const { ask, wait } = await opened(within(3))
    const { cookie } = await ask('POST', '/v1/sign-in', { body: { name: 'bob', password: given } })
    const change = { password: 'of my own choice', oldPassword: given }
    expect((await ask('PATCH', '/v1/user', { cookie, body: change })).status).toBe(200)
    wait(30 * day)
    const body = { name: 'bob', password: change.password }
    expect((await ask('POST', '/v1/sign-in', { body })).body).toEqual({ mustChangePassword: false })
  })

  test('does not run out where the configuration says 0', async () => {
    const { enter, wait } = await opened(within(0))
    wait(400 * day)
    expect(await enter(given)).toEqual(entered)
  })
})
