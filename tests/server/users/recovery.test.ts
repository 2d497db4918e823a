import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { builtInValues } from '../../../server/configuration/values.ts'
import { password, startServer, type Harness } from '../fixtures/harness.ts'
import { mailServer } from '../fixtures/mail.ts'
import { codeIn } from '../fixtures/mail-server.ts'

type Opened = Harness & {
  mail: Awaited<ReturnType<typeof mailServer>>
  send: (email: string, ip?: string) => ReturnType<Harness['ask']>
}

const server = async (
  change: { mail?: object; recovery?: { tellUnknownAddresses: boolean } } = {},
  smtp?: SMTPServerOptions,
): Promise<Opened> => {
  const mail = await mailServer(smtp)
  const harness = await startServer({
    defaults: {
      ...builtInValues,
      mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port, ...change.mail },
      ...(change.recovery === undefined ? {} : { recovery: change.recovery }),
    },
  })
  await harness.addUser('ann', true)
  await harness.addUser('bob')
  await harness.context.accounts.change('ann', { email: 'ann@example.org' })
  await harness.context.accounts.change('bob', { email: 'bob@example.org', language: 'ru' })
  const send: Opened['send'] = (email, ip = '192.0.2.1') =>
    harness.ask('POST', '/v1/password/send-reset', { body: { email }, ip })
  return { ...harness, mail, send }
}

const wrong = (code: string): string => (code === '00000000' ? '00000001' : '00000000')
const brandNew = 'quite another 8'
const unknownCode = { status: 400, body: { code: 'UnknownLifetimeCode' } }

const reset = async ({ ask }: Opened, code: string, change: object = {}) => {
  const { status, body } = await ask('POST', '/v1/password/reset', {
    body: { code, password: brandNew, email: 'ann@example.org', ...change },
  })
  return { status, body }
}

describe('recovery by mail', () => {
  test('sends a code that changes the password once and ends every session', async () => {
    const opened = await server()
    const { ask, mail, send, signIn } = opened
    expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({ passwordResetAllowed: true })
    const cookie = await signIn('ann')
    const sent = await send('ann@example.org')
    expect({ status: sent.status, body: sent.body, retry: sent.headers['retry-after'] }).toEqual({
      status: 200,
      body: {},
      retry: '60',
    })
    const letter = await mail.next()
    expect(letter.to).toEqual(['ann@example.org'])
    expect(letter.headers).toMatch(/^From: Sightline <sightline@127\.0\.0\.1>$/m)
    expect(letter.headers).toMatch(/^Subject: Sightline: your code to change the password$/m)
    expect(letter.body.replaceAll('\r', '')).toContain(`The code to change the password of ann: ${codeIn(letter)}\n`)
    expect(letter.body).toContain('from 192.0.2.1')
    const code = codeIn(letter)
    expect(await reset(opened, code, { password: 'short' })).toEqual({
      status: 400,
      body: {
        code: 'PasswordIsNotComplexEnough',
        message: 'At least 8 characters',
        details: { password: 'At least 8 characters', reason: 'tooShort' },
      },
    })
    expect(await reset(opened, `${code.slice(0, 4)} ${code.slice(4)}`, { email: 'ANN@example.org' })).toEqual({
      status: 200,
      body: {},
    })
    expect((await ask('GET', '/v1/user', { cookie })).status).toBe(401)
    expect((await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })).status).toBe(401)
    expect((await ask('POST', '/v1/sign-in', { body: { name: 'ann', password: brandNew } })).body).toEqual({
      mustChangePassword: false,
    })
    expect(await reset(opened, code)).toEqual(unknownCode)
  })

  test('of two at once with one code, one wins', async () => {
    const opened = await server()
    await opened.send('ann@example.org')
    const code = codeIn(await opened.mail.next())
    const answers = await Promise.all([reset(opened, code), reset(opened, code)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('gives a code five tries and fifteen minutes, and only the newest counts', async () => {
    const opened = await server()
    const { mail, send, wait } = opened
    const fresh = async () => {
      await send('ann@example.org')
      const code = codeIn(await mail.next())
      wait(61_000)
      return code
    }
    const guessed = await fresh()
    for (let count = 0; count < 5; count += 1) expect(await reset(opened, wrong(guessed))).toEqual(unknownCode)
    expect(await reset(opened, guessed)).toEqual(unknownCode)
    wait(600_000)
    const late = await fresh()
    wait(15 * 60_000 - 61_000)
    expect(await reset(opened, late)).toEqual(unknownCode)
    const old = await fresh()
    const latest = await fresh()
    expect(await reset(opened, old)).toEqual(unknownCode)
    expect(await reset(opened, latest, { email: 'bob@example.org' })).toEqual(unknownCode)
    expect(await reset(opened, latest)).toEqual({ status: 200, body: {} })
  })

  test('writes in the language of the reader', async () => {
    const { mail, send } = await server()
    await send('bob@example.org')
    const { body } = await mail.next()
    expect(body).toContain('Код для смены пароля пользователя bob: ')
  })

  test('answers known and unknown addresses alike, and soon again with how long to wait', async () => {
    const { mail, send, wait } = await server()
    const answers = async (email: string) => {
      const answers: unknown[] = []
      for (const ms of [0, 20_000, 41_000]) {
        wait(ms)
        const { status, body, headers } = await send(email)
        answers.push({ status, body, retry: headers['retry-after'] })
      }
      return answers
    }
    const expected = [
      { status: 200, body: {}, retry: '60' },
      { status: 429, body: { code: 'TooManyRequests' }, retry: '40' },
      { status: 200, body: {}, retry: '60' },
    ]
    expect(await answers('nobody@example.org')).toEqual(expected)
    expect(await answers('ann@example.org')).toEqual(expected)
    await mail.next()
    await mail.next()
    expect(mail.count()).toBe(2)
  })

  test('is held up for a host and for an address', async () => {
    const { send, wait } = await server()
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) statuses.push((await send(`x${count}@example.org`)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    const again: number[] = []
    for (let count = 0; count < 7; count += 1) {
      wait(60_000)
      again.push((await send('y@example.org', `198.51.100.${count}`)).status)
    }
    expect(again).toEqual([200, 200, 200, 200, 200, 200, 429])
  })

  test('sends nothing to blocked and managed users', async () => {
    const { mail, send, context } = await server()
    await context.accounts.change('bob', { isBlocked: true })
    expect((await send('bob@example.org')).status).toBe(200)
    await send('ann@example.org')
    expect((await mail.next()).to).toEqual(['ann@example.org'])
    expect(mail.count()).toBe(1)
  })

  test('says that an address is unknown where the configuration wants it so', async () => {
    const { send } = await server({ recovery: { tellUnknownAddresses: true } })
    const { status, body } = await send('nobody@example.org')
    expect({ status, body }).toEqual({ status: 404, body: { code: 'NotFound' } })
    expect((await send('ann@example.org')).status).toBe(200)
  })

  test('signs in at the mail server and writes under the sender that was set', async () => {
    const { mail, send } = await server(
      { mail: { user: 'joe', password: 'hush', from: 'Depot <depot@example.org>' } },
      { authOptional: false },
    )
    await send('ann@example.org')
    expect((await mail.next()).headers).toMatch(/^From: Depot <depot@example\.org>$/m)
  })

  test('a message that was not taken is in the log, without the password', async () => {
    const { app, send, context } = await server(
      { mail: { user: 'joe', password: 'not so hush' } },
      { authOptional: false },
    )
    await send('ann@example.org')
    await app.close()
    const lines = context.serverLog.read(undefined).map(({ message }) => message)
    expect(lines.filter((line) => line.startsWith('a message was not sent'))).toEqual([
      expect.stringContaining('host=127.0.0.1'),
    ])
    expect(lines.join('\n')).not.toContain('not so hush')
  })
})

test('without a mail server there is no recovery', async () => {
  const { ask, addUser } = await startServer()
  await addUser('ann', true)
  const sent = await ask('POST', '/v1/password/send-reset', { body: { email: 'ann@example.org' } })
  const done = await ask('POST', '/v1/password/reset', { body: { email: 'ann@example.org', code: '1', password } })
  for (const { status, body } of [sent, done])
    expect({ status, body }).toEqual({ status: 403, body: { code: 'FeatureNotFound' } })
  expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({ passwordResetAllowed: false })
})
