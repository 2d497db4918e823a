import { describe, expect, test } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'
import { mailServer } from '../fixtures/mail.ts'
import { codeIn } from '../fixtures/mail-server.ts'

const brandNew = 'quite another 8'

type Method = Parameters<Harness['ask']>[0]
type Opened = Harness & {
  ann: string
  bob: string
  /** A call by a token; answers the status, with the words of an error. */
  by: (token: string, method: Method, url: string, body?: object) => Promise<unknown>
}

/** Ann administers; Bob doesn't. */
const server = async (options: Parameters<typeof startServer>[0] = {}): Promise<Opened> => {
  const harness = await startServer(options)
  await harness.addUser('ann', true)
  await harness.addUser('bob')
  await harness.context.accounts.change('bob', { email: 'bob@example.org' })
  return {
    ...harness,
    ann: await harness.signIn('ann'),
    bob: await harness.signIn('bob'),
    by: async (token, method, url, body) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await harness.ask(method, url, { headers, ...(body === undefined ? {} : { body }) })
      return answer.status === 200 ? 200 : [answer.status, Object(answer.body).message]
    },
  }
}

const refused = (what: string) => [403, `A token can't ${what}: sign in`]

describe('a token', () => {
  test('makes no other, changes nothing that one signs in with, ends no session and deletes itself alone', async () => {
    const { by, context } = await server()
    const { sessions, tokens, accounts } = context
    const { id, token } = await tokens.create('bob', 'short', null)
    const { id: other } = await tokens.create('bob', 'other', null)
    const before = await accounts.get('bob')
    const eternal = { name: 'eternal', expireTime: null }
    expect(await by(token, 'POST', '/v1/token', eternal)).toEqual(refused('create tokens'))
    const proof = { oldPassword: password }
    const email = 'eve@example.org'
    for (const body of [{ password: brandNew, ...proof }, { email }, { email: '', ...proof }, { name: 'eve' }]) {
      expect(await by(token, 'PATCH', '/v1/user', body)).toEqual(refused('change what you sign in with'))
    }
    expect(await by(token, 'POST', '/v1/sessions/terminate')).toEqual(refused('end sessions'))
    expect(await by(token, 'DELETE', `/v1/session/${(await sessions.list('bob'))[0]?.id}`)).toEqual(
      refused('end sessions'),
    )
    expect(await by(token, 'DELETE', `/v1/token/${other}`)).toEqual(refused('delete other tokens'))
    expect([await accounts.get('bob'), (await sessions.list('bob')).length, (await tokens.list('bob')).length]).toEqual(
      [before, 1, 2],
    )

    const harmless = { fullName: 'Bob', language: 'ru', name: 'bob', email: 'bob@example.org' }
    expect(await by(token, 'PATCH', '/v1/user', harmless)).toBe(200)
    expect(await by(token, 'GET', '/v1/tokens')).toBe(200)
    expect(await by(token, 'DELETE', `/v1/token/${id}`)).toBe(200)
    expect(await by(token, 'GET', '/v1/user')).toEqual([401, undefined])
    expect((await tokens.list('bob')).map((one) => one.id)).toEqual([other])
  })

  test('of an administrator makes users, but no administrators, and changes not how those sign in', async () => {
    const { by, addUser, context } = await server()
    await addUser('root', true)
    const { token } = await context.tokens.create('ann', 'provisioning', null)
    const no = refused('make administrators or change what they sign in with')
    const cid = { name: 'cid', password: brandNew }
    expect(await by(token, 'POST', '/v1/user', { ...cid, permissionType: 'admin' })).toEqual(no)
    expect(await by(token, 'POST', '/v1/user', { ...cid, permissionType: 'user' })).toBe(200)
    expect(await by(token, 'PATCH', '/v1/user/cid', { permissionType: 'admin' })).toEqual(no)
    const change = { permissionType: 'user', email: 'cid@example.org', password: 'yet another 9' }
    expect(await by(token, 'PATCH', '/v1/user/cid', change)).toBe(200)
    for (const login of ['root', 'ann']) {
      for (const body of [{ password: brandNew }, { email: 'eve@example.org' }, { name: 'eve' }]) {
        expect(await by(token, 'PATCH', `/v1/user/${login}`, body)).toEqual(no)
      }
      expect(await by(token, 'PATCH', `/v1/user/${login}`, { fullName: 'Root' })).toBe(200)
    }
  })
})

test('a token of an administrator changes settings, but not who mails reset codes or how users sign in', async () => {
  const { by, ask, ann, context } = await server()
  const { token } = await context.tokens.create('ann', 'provisioning', null)
  const url = '/v1/admin/configuration'
  const before = context.configuration.values()
  for (const values of [
    { mail: { host: 'mail.evil.example' } },
    { application: { title: 'Depot' }, mail: { port: 2525 } },
    { recovery: { tellUnknownAddresses: true } },
    { signIn: { initialPasswordDays: 0 } },
  ]) {
    const answer = await by(token, 'PUT', url, { values })
    expect(answer).toEqual(refused('change how users sign in or recover their passwords'))
  }
  expect(context.configuration.values()).toEqual(before)
  const { mail, signIn, recovery } = before
  expect(await by(token, 'PUT', url, { values: { application: { title: 'Depot' }, mail, signIn, recovery } })).toBe(200)
  expect(context.configuration.values().application.title).toBe('Depot')
  const values = { mail: { host: 'mail.example.org' } }
  expect((await ask('PUT', url, { cookie: ann, body: { values } })).status).toBe(200)
})

describe('tokens end', () => {
  const tokenOfBob = async ({ context }: Opened) => (await context.tokens.create('bob', 't', null)).token

  test.each([
    ['are revoked by default', {}, [401, undefined]],
    ['are revoked where it is asked for', { revokeTokens: true }, [401, undefined]],
    ['are kept where it is asked for', { revokeTokens: false }, 200],
  ])('with a new password: they %s', async (_name, choice, answer) => {
    const opened = await server()
    const token = await tokenOfBob(opened)
    const change = (body: object) =>
      opened.ask('PATCH', '/v1/user', { cookie: opened.bob, body: { ...body, ...choice } })
    expect((await change({ fullName: 'Bob' })).status).toBe(200)
    expect((await change({ password: brandNew, oldPassword: 'wrong' })).status).toBe(400)
    expect(await opened.by(token, 'GET', '/v1/user')).toBe(200)
    expect((await change({ password: brandNew, oldPassword: password })).status).toBe(200)
    expect(await opened.by(token, 'GET', '/v1/user')).toEqual(answer)
  })

  test.each<[string, (opened: Opened) => ReturnType<Harness['ask']>]>([
    [
      'an administrator sets a password',
      ({ ask, ann }) => ask('PATCH', '/v1/user/bob', { cookie: ann, body: { password: brandNew } }),
    ],
    [
      'the user is blocked, unblocked too',
      async ({ ask, ann }) => {
        await ask('POST', '/v1/user/bob/block', { cookie: ann })
        return ask('POST', '/v1/user/bob/unblock', { cookie: ann })
      },
    ],
    [
      'the user is deleted, another of that login too',
      async ({ ask, ann, addUser }) => {
        const answer = await ask('DELETE', '/v1/user/bob', { cookie: ann })
        await addUser('bob')
        return answer
      },
    ],
  ])('when %s', async (_name, change) => {
    const opened = await server()
    const token = await tokenOfBob(opened)
    const { token: another } = await opened.context.tokens.create('ann', 't', null)
    expect((await change(opened)).status).toBe(200)
    expect(await opened.by(token, 'GET', '/v1/user')).toEqual([401, undefined])
    expect(await opened.by(another, 'GET', '/v1/user')).toBe(200)
  })

  test('with recovery', async () => {
    const mail = await mailServer()
    const values = { ...builtInValues, mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port } }
    const opened = await server({ defaults: values })
    const token = await tokenOfBob(opened)
    await opened.ask('POST', '/v1/password/send-reset', { body: { email: 'bob@example.org' } })
    const body = { code: codeIn(await mail.next()), email: 'bob@example.org', password: brandNew }
    expect((await opened.ask('POST', '/v1/password/reset', { body })).status).toBe(200)
    expect(await opened.by(token, 'GET', '/v1/user')).toEqual([401, undefined])
  })
})

describe('administrators', () => {
  test('see the tokens of a user and revoke them, which is recorded', async () => {
    const { ask, ann, by, context } = await server()
    const { id, token } = await context.tokens.create('bob', 'backup', Date.parse('2027-01-01T00:00:00Z'))
    const list = await ask('GET', '/v1/user/BOB/tokens', { cookie: ann })
    const items = [{ id, name: 'backup', expireTime: '2027-01-01T00:00:00.000Z' }]
    expect([list.status, list.body]).toEqual([200, { items }])
    expect((await ask('DELETE', `/v1/user/ann/token/${id}`, { cookie: ann })).status).toBe(404)
    expect((await ask('DELETE', `/v1/user/bob/token/${id}`, { cookie: ann })).body).toEqual({})
    expect(await by(token, 'GET', '/v1/user')).toEqual([401, undefined])
    expect((await ask('DELETE', `/v1/user/bob/token/${id}`, { cookie: ann })).status).toBe(404)
    expect((await ask('GET', '/v1/user/nobody/tokens', { cookie: ann })).status).toBe(404)
    const { body } = await ask('GET', '/v1/admin/audit-logs?action=user.revoke-token', { cookie: ann })
    expect(body).toMatchObject({
      items: [
        { target: 'bob', outcome: 'NotFound' },
        { target: 'bob', outcome: 'ok' },
        { target: 'ann', outcome: 'NotFound' },
      ],
    })
  })

  test('alone do so, and the settings announce it', async () => {
    const { ask, bob, context } = await server()
    const { id } = await context.tokens.create('bob', 't', null)
    expect((await ask('GET', '/v1/user/bob/tokens', { cookie: bob })).status).toBe(403)
    expect((await ask('DELETE', `/v1/user/bob/token/${id}`, { cookie: bob })).status).toBe(403)
    expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({
      features: expect.arrayContaining(['token-revocation', 'user-tokens']),
    })
  })
})
