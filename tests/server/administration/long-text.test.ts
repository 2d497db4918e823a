import { expect, test, vi } from 'vitest'
import { createFirstAdministrator } from '../../../server/administration/system.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { hashPassword, isSamePassword, requireComplexity, verifyPassword } from '../../../server/users/password.ts'
import { hostOfIp } from '../../../server/http/host-of-ip.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'

/** 240 KB whose normal form takes the square of its length: 23 s at once, in which nothing is recorded. */
const marks = '\u0301\u0316'.repeat(60_000)
const atMost = 1024

/** The longest text that was normalised while `work` ran. */
const maxNormalised = async (work: () => Promise<unknown>): Promise<number> => {
  const normalize = vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
    return this
  })
  try {
    await work()
    return Math.max(0, ...normalize.mock.contexts.map((text) => String(text).length))
  } finally {
    normalize.mockRestore()
  }
}

const tooLong = {
  code: 'PasswordIsNotComplexEnough',
  details: { password: 'At most 256 characters', reason: 'tooLong' },
}

test('a password that is too long is refused before it is normalised, and is wrong everywhere', async () => {
  const hash = await hashPassword(password)
  const longest = await maxNormalised(async () => {
    expect(() => requireComplexity(marks, { login: 'ann' })).toThrow(expect.objectContaining(tooLong))
    await expect(hashPassword(marks)).rejects.toMatchObject(tooLong)
    expect(await verifyPassword(marks, hash, true)).toBe(false)
    expect(await verifyPassword(marks, '', false)).toBe(false)
    expect(isSamePassword(marks, marks)).toBe(false)
    expect(isSamePassword(password, marks)).toBe(false)
    expect(isSamePassword(marks, password)).toBe(false)
  })
  expect(longest).toBeLessThanOrEqual(atMost)
})

test('256 characters are a password in whichever form they are typed', async () => {
  const composed = 'ᾂ가한글ϓ́'.normalize('NFC').repeat(52).slice(0, 256)
  const typed = composed.normalize('NFD')
  expect([...composed]).toHaveLength(256)
  expect(typed.length).toBeGreaterThan(2.5 * 256)
  expect(() => requireComplexity(typed, { login: 'ann' })).not.toThrow()
  expect(await verifyPassword(composed, await hashPassword(typed), true)).toBe(true)
  expect(isSamePassword(composed, typed)).toBe(true)
})

test('new passwords are hashed in the order of their requests', async () => {
  const done: number[] = []
  const hashed = Array.from({ length: 8 }, (_, index) => hashPassword(password).then(() => done.push(index)))
  await Promise.all(hashed)
  expect(done.indexOf(2)).toBeLessThan(done.indexOf(7))
})

test('words of a name or an address that go on without end are looked at only so far', () => {
  const fullName = 'sea '.repeat(80).concat('watchtower ').repeat(10_000)
  const context = { login: 'ann', email: 'harbour@example.org', fullName }
  expect(() => requireComplexity('watchtower1', context)).not.toThrow()
  expect(() => requireComplexity('harboursea1', context)).toThrow('made of words that are easy to guess here')
})

const server = async (): Promise<Harness & { ann: string }> => {
  const mail = { ...builtInValues.mail, host: '127.0.0.1', port: 1 }
  const harness = await startServer({ defaults: { ...builtInValues, mail } })
  await harness.addUser('ann', true)
  await harness.addUser('bob')
  return { ...harness, ann: await harness.signIn('ann') }
}

test('every call about accounts refuses long text before any work on it', async () => {
  const { ask, ann } = await server()
  const facts = ['name', 'password', 'email', 'fullName', 'language']
  const brandNew = 'another horse 8'
  const calls: [Parameters<Harness['ask']>[0], string, Record<string, unknown>, string[]][] = [
    ['POST', '/v1/sign-in', { name: 'ann', password }, ['name', 'password']],
    ['PATCH', '/v1/user', { password: brandNew, oldPassword: password }, [...facts, 'oldPassword']],
    ['POST', '/v1/user', { name: 'cid', password: brandNew }, facts],
    ['PATCH', '/v1/user/bob', {}, facts],
    ['POST', '/v1/token', { name: 'curl' }, ['name']],
    ['POST', '/v1/password/reset', { code: '1', password, email: 'ann@example.org' }, ['code', 'password', 'email']],
  ]
  const longest = await maxNormalised(async () => {
    for (const [method, url, body, fields] of calls) {
      for (const field of fields) {
        const { status } = await ask(method, url, { cookie: ann, body: { ...body, [field]: marks } })
        expect({ url, field, isRefused: status >= 400 && status < 500 }).toEqual({ url, field, isRefused: true })
      }
    }
  })
  expect(longest).toBeLessThanOrEqual(atMost)
})

test('the first administrator has no such password, login or address', async () => {
  const { context } = await startServer()
  const longest = await maxNormalised(async () => {
    await expect(
      createFirstAdministrator(context, { login: 'root', email: '', password: marks }),
    ).rejects.toMatchObject(tooLong)
    await expect(createFirstAdministrator(context, { login: marks, email: '', password })).rejects.toMatchObject({
      details: { login: 'At most 100 characters' },
    })
    await expect(createFirstAdministrator(context, { login: 'root', email: marks, password })).rejects.toMatchObject({
      details: { email: 'At most 320 characters' },
    })
  })
  expect(longest).toBeLessThanOrEqual(atMost)
})

test('nobody is looked for by text that is longer than a login, an address or a secret', async () => {
  const { context, ask } = await server()
  const { accounts, sessions, tokens, shares, store } = context
  const [get, all, run] = [vi.spyOn(store, 'get'), vi.spyOn(store, 'all'), vi.spyOn(store, 'run')]
  expect([await accounts.find(marks), await accounts.findByEmail(`${marks}@example.org`)]).toEqual([
    undefined,
    undefined,
  ])
  expect([await sessions.find(marks, ''), await tokens.find(marks), await shares.find(marks)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  const statusOf = async (name: string) => (await ask('POST', '/v1/sign-in', { body: { name, password } })).status
  expect(await statusOf('  ann  ')).toBe(200)
  expect(await statusOf(`${' '.repeat(400)}ann`)).toBeGreaterThanOrEqual(400)
  const asked = [
    ...get.mock.calls.flatMap(([_row, _sql, ...values]) => values),
    ...all.mock.calls.flatMap(([_row, _sql, ...values]) => values),
    ...run.mock.calls.flatMap(([_sql, ...values]) => values),
  ].filter((value) => typeof value === 'string')
  expect(asked).toContain('ann')
  expect(asked.filter(({ length }) => length > 320)).toEqual([])
})

test.each([
  ['too many groups', '1:2:3:4:5:6:7:8:9::', '1:2:3:4:5:6:7:8:9::'],
  ['10 000 characters', 'a:'.repeat(5000), 'a:'.repeat(50)],
  ['a long address in IPv6', `::ffff:${'1'.repeat(5000)}`, '1'.repeat(93)],
])('a proxy that passes on %s gives a host', (_name, ip, host) => {
  expect(hostOfIp(ip)).toBe(host)
})
