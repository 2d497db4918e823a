import { describe, expect, test } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import { requireComplexity } from '../../../server/users/password.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'
import { mailServer } from '../fixtures/mail.ts'

const brandNew = 'quite another 8'
const hour = 3_600_000

const reasonOf = (candidate: string): string => {
  try {
    requireComplexity(candidate, {
      login: 'ann.smith',
      email: 'ann@harbour.example',
      fullName: 'Анна Смирнова',
      title: 'Port Watch',
    })
    return 'taken'
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  }
}

describe('a password', () => {
  test.each([
    ['short', '7 chars', 'At least 8 characters'],
    ['8 letters', 'gkwtzqmb', 'taken'],
    ['no digit, no capital, no sign', 'horse staple', 'taken'],
    ['64 characters of three kinds', 'f7f-'.repeat(16), 'Too few different characters'],
    ['64 characters', 'the quick brown fox jumps over the lazy dog and then goes to bed', 'taken'],
    ['256 characters', 'abcdefgh'.repeat(32), 'taken'],
    ['257 characters', 'abcdefgh'.repeat(32).concat('i'), 'At most 256 characters'],
    ['one of the most used, in any case', 'PassWord1', 'This password is among the most used ones'],
    ['the 3000th of those long enough', 'greyhoun', 'This password is among the most used ones'],
    ['a Russian one', 'Парольпароль', 'This password is among the most used ones'],
    ['the login', 'ann.smith', 'The password must differ from the login'],
    [
      'the name of the product and a year',
      'Sightline2026',
      'The password is made of words that are easy to guess here',
    ],
    ['words of the person', 'smith-ann-1', 'The password is made of words that are easy to guess here'],
    ['words of the person in Russian', 'Смирнова!7', 'The password is made of words that are easy to guess here'],
    ['words of the address', 'harbour1999', 'The password is made of words that are easy to guess here'],
    ['words of the deployment', 'portwatch#1', 'The password is made of words that are easy to guess here'],
    ['such a word among others', 'camera of my aunt', 'taken'],
    ['such a word and many digits', 'admin 8265 1127', 'taken'],
    ['emoji', '🐎🔋📎🧷🐎🔋📎🧷', 'taken'],
  ])('%s', (_name, candidate, reason) => {
    expect(reasonOf(candidate)).toBe(reason)
  })

  test('is taken exactly as it was typed: case, spaces and any script', async () => {
    const { ask, addUser, signIn } = await startServer()
    await addUser('ann', true)
    const typed = '  Лошадь 🐎 Staple  '
    const cookie = await signIn('ann')
    expect((await ask('PATCH', '/v1/user', { cookie, body: { password: typed, oldPassword: password } })).status).toBe(
      200,
    )
    const statuses: number[] = []
    for (const attempt of [typed, typed.trim(), typed.toLowerCase(), typed.slice(0, -1)]) {
      statuses.push((await ask('POST', '/v1/sign-in', { body: { name: 'ann', password: attempt } })).status)
    }
    expect(statuses).toEqual([200, 401, 401, 401])
  })

  test('never runs out by itself', async () => {
    const { ask, addUser, wait } = await startServer()
    await addUser('ann', true)
    wait(5 * 365 * 24 * hour)
    expect((await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })).body).toEqual({
      mustChangePassword: false,
    })
  })
})

describe('who signs in', () => {
  test('gets another cookie with the new password; the one before is good for ten seconds more', async () => {
    const { ask, addUser, signIn, wait, context } = await startServer()
    await addUser('ann', true)
    const before = await signIn('ann')
    const { cookie } = await ask('PATCH', '/v1/user', {
      cookie: before,
      body: { password: brandNew, oldPassword: password },
    })
    expect(cookie).toMatch(/^session=[\w-]{43}$/)
    expect(cookie).not.toBe(before)
    expect(await context.sessions.list('ann')).toHaveLength(1)
    const statuses = async () =>
      [before, cookie].map((each) => ask('GET', '/v1/user', { cookie: each }).then(({ status }) => status))
    expect(await Promise.all(await statuses())).toEqual([200, 200])
    wait(10_000)
    expect(await Promise.all(await statuses())).toEqual([401, 200])
  })

  test('changes address and login without the password for an hour, and after that with it', async () => {
    const { ask, addUser, signIn, wait, context } = await startServer()
    await addUser('ann', true)
    const cookie = await signIn('ann')
    const change = async (body: object, by: object = { cookie }) => {
      const answer = await ask('PATCH', '/v1/user', { ...by, body })
      return [answer.status, Object(answer.body).code]
    }
    expect(await change({ email: 'ann@example.org' })).toEqual([200, undefined])
    const { token } = await context.tokens.create('ann', 't', null)
    const byToken = { headers: { authorization: `Bearer ${token}` } }
    expect(await change({ email: 'bob@example.org' }, byToken)).toEqual([403, 'Forbidden'])
    wait(hour)
    for (const body of [{ email: 'bob@example.org' }, { name: 'bob' }])
      expect(await change(body)).toEqual([400, 'InvalidOldPassword'])
    expect(await change({ email: 'bob@example.org', oldPassword: 'wrong' })).toEqual([400, 'InvalidOldPassword'])
    expect(await change({ email: 'ann@example.org', name: 'ann', fullName: 'Ann', language: 'ru' })).toEqual([
      200,
      undefined,
    ])
    expect(await change({ email: 'bob@example.org', oldPassword: password })).toEqual([200, undefined])
    expect(await change({ password: brandNew, oldPassword: password })).toEqual([200, undefined])
    expect(await change({ email: 'eve@example.org' })).toEqual([200, undefined])
  })

  test('with an initial password changes address and login together with it, and not before', async () => {
    const { ask, addUser, signIn, context } = await startServer()
    await addUser('ann', true)
    await context.accounts.change('ann', { mustChangePassword: true })
    const cookie = await signIn('ann')
    const change = async (body: object) => {
      const answer = await ask('PATCH', '/v1/user', { cookie, body })
      return { status: answer.status, body: answer.body }
    }
    const refused = { status: 403, body: { code: 'Forbidden', message: 'Change your password first' } }
    const before = await context.accounts.get('ann')
    for (const body of [
      { email: 'eve@example.org' },
      { email: 'eve@example.org', oldPassword: password },
      { name: 'eve' },
    ])
      expect(await change(body)).toEqual(refused)
    expect(await context.accounts.get('ann')).toEqual(before)
    expect((await change({ email: '', name: 'ann', fullName: 'Ann', language: 'ru' })).status).toBe(200)
    const all = { password: brandNew, oldPassword: password, email: 'ann@example.org', name: 'anna' }
    expect(await change(all)).toMatchObject({ status: 200, body: { name: 'anna', email: 'ann@example.org' } })
    expect((await change({ email: 'anna@example.org' })).status).toBe(200)
  })
})

test('an administrator changes the own login and address as every user does, those of others freely', async () => {
  const { ask, addUser, signIn, wait } = await startServer()
  await addUser('ann', true)
  await addUser('bob')
  const cookie = await signIn('ann')
  const change = async (login: string, body: object) => {
    const answer = await ask('PATCH', `/v1/user/${login}`, { cookie, body })
    return Object(answer.body).details ?? answer.status
  }
  expect(await change('ann', { email: 'ann@example.org' })).toBe(200)
  wait(hour)
  expect([await change('ann', { email: 'eve@example.org' }), await change('ann', { name: 'eve' })]).toEqual([
    { email: 'Change this in your profile' },
    { name: 'Change this in your profile' },
  ])
  expect(await change('ann', { email: 'ann@example.org', name: 'ann', fullName: 'Ann' })).toBe(200)
  expect(await change('bob', { email: 'bob@example.org', name: 'robert' })).toBe(200)
})

describe('a letter to the previous address notifies a user', () => {
  const server = async (): Promise<
    Harness & { ann: string; bob: string; mail: Awaited<ReturnType<typeof mailServer>> }
  > => {
    const mail = await mailServer()
    const harness = await startServer({
      defaults: { ...builtInValues, mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port } },
    })
    await harness.addUser('ann', true)
    await harness.addUser('bob')
    await harness.context.accounts.change('bob', { email: 'bob@example.org' })
    return { ...harness, mail, ann: await harness.signIn('ann'), bob: await harness.signIn('bob') }
  }

  test('that they, or an administrator, changed the password', async () => {
    const { ask, ann, bob, mail } = await server()
    await ask('PATCH', '/v1/user', { cookie: bob, body: { password: brandNew, oldPassword: password } })
    const own = await mail.next()
    expect(own.to).toEqual(['bob@example.org'])
    expect(own.headers).toContain('Subject: Sightline: your password was changed')
    expect(own.body).toMatch(/^The password of bob was changed\.\s+The change was made from 192\.0\.2\.1\./)
    await ask('PATCH', '/v1/user/bob', { cookie: ann, body: { password: 'yet another 9' } })
    expect((await mail.next()).headers).toContain('Subject: Sightline: your password was changed')
  })

  test('in their language that the address or the login was changed; no other changes are reported', async () => {
    const { ask, ann, mail, context } = await server()
    await context.accounts.change('bob', { language: 'ru' })
    await ask('PATCH', '/v1/user/bob', {
      cookie: ann,
      body: { fullName: 'Bob', email: 'bob@example.org', name: 'bob' },
    })
    await ask('PATCH', '/v1/user/bob', { cookie: ann, body: { email: 'rob@example.org', name: 'rob' } })
    const letters = [await mail.next(), await mail.next()].toSorted((a, b) => a.body.localeCompare(b.body, 'ru'))
    expect(letters.map(({ to, body }) => [to, body.split('\n')[0]?.trim()])).toEqual([
      [['bob@example.org'], 'У пользователя bob изменён адрес электронной почты.'],
      [['bob@example.org'], 'У пользователя bob изменён логин.'],
    ])
    expect(mail.count()).toBe(2)
  })
})
