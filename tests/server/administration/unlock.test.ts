import { describe, expect, test } from 'vitest'
import { createFirstAdministrator } from '../../../server/administration/system.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { features, password, startServer } from '../fixtures/harness.ts'
import { version } from '../../../server/version.ts'

const ann = {
  name: 'ann',
  email: 'ann@example.org',
  fullName: '',
  language: '',
  isAdmin: true,
  permissionType: 'admin',
  maxStreamCreation: -1,
  isManaged: false,
  isBlocked: false,
}
const body = { login: 'ann', password, email: 'ann@example.org' }

const signedOutSettings = {
  isEnterprise: false,
  isLocked: true,
  isLicenseExpired: false,
  prober: true,
  revision: '',
  version,
  appTitle: '',
  appLogo: '',
  defaultLanguage: '',
  archiveDownloadMaxSeconds: 3600,
  playlistMaxSeconds: 604_800,
  rangesMaxSeconds: 10_800,
  archiveMaxDepthHours: -1,
  documentation: '',
  site: '',
  features,
  passwordResetAllowed: false,
  tunnelLocations: ['default'],
  productType: 'free',
  clusterEnabled: false,
  nodeId: 'local',
  kioskPrefillUser: '',
  kioskPrefillPassword: '',
  timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
}

describe('before the first administrator', () => {
  test('every call but settings, health, ready and unlock answers 423, unknown ones too', async () => {
    const { ask, addUser } = await startServer()
    await addUser('bob')
    for (const [method, url] of [
      ['GET', '/v1/user'],
      ['POST', '/v1/sign-in'],
      ['GET', '/v1/openapi.json'],
      ['GET', '/v1/nothing'],
      ['POST', '/v1/password/reset'],
    ] as const) {
      const { status, body } = await ask(method, url)
      expect({ url, status, body }).toEqual({
        url,
        status: 423,
        body: { code: '', message: 'The server is not initialised' },
      })
    }
    const settings = await ask('GET', '/v1/system/internal/ui/settings')
    expect({ status: settings.status, body: settings.body }).toEqual({ status: 200, body: signedOutSettings })
    const health = await ask('GET', '/v1/system/health')
    expect(health.status).toBe(200)
    expect(health.body).toMatchObject({ version })
  })

  test('unlock creates the administrator, signs in and answers the user; afterwards it is refused', async () => {
    const { ask } = await startServer()
    const first = await ask('POST', '/v1/system/unlock', { body })
    expect({ status: first.status, body: first.body }).toEqual({ status: 200, body: ann })
    const me = await ask('GET', '/v1/user', { cookie: first.cookie })
    expect({ status: me.status, body: me.body }).toEqual({ status: 200, body: ann })
    const again = await ask('POST', '/v1/system/unlock', { body: { ...body, login: 'eve' } })
    expect({ status: again.status, body: again.body }).toEqual({ status: 409, body: { code: 'ActionNotAcceptable' } })
    const settings = await ask('GET', '/v1/system/internal/ui/settings', { cookie: first.cookie })
    expect(settings.body).toEqual({
      ...signedOutSettings,
      isLocked: false,
      language: '',
      smtpServerEnabled: false,
      smtpServerHost: '',
      smtpServerPort: 0,
      smtpServerProtected: false,
    })
  })

  test('done already is reported before anything of the body, and what is wrong with the login under its name', async () => {
    const { ask, addUser } = await startServer()
    await addUser('bob')
    const attempt = async (change: unknown) => {
      const { status, body: answer } = await ask('POST', '/v1/system/unlock', { body: change })
      return { status, body: answer }
    }
    expect(await attempt({ ...body, login: 'add' })).toEqual({
      status: 400,
      body: { code: 'ValidationError', details: { login: 'This name is reserved' } },
    })
    expect(await attempt({ ...body, login: 'bob' })).toEqual({
      status: 409,
      body: { code: 'AlreadyUsed', details: { login: 'Already used' } },
    })
    expect((await attempt(body)).status).toBe(200)
    for (const wrong of ['', {}, { login: 'a b' }])
      expect(await attempt(wrong)).toEqual({ status: 409, body: { code: 'ActionNotAcceptable' } })
  })

  test('of two at once one wins and the other is refused', async () => {
    const { ask, context } = await startServer()
    const answers = await Promise.all(
      ['ann', 'eve'].map((login) => ask('POST', '/v1/system/unlock', { body: { login, password } })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await context.accounts.all()).toHaveLength(1)
  })

  test('a weak password, a wrong licence and wrong fields are refused, and nobody is created', async () => {
    const { ask, context } = await startServer()
    const answers = await Promise.all([
      ask('POST', '/v1/system/unlock', { body: { login: 'ann', password: 'short' } }),
      ask('POST', '/v1/system/unlock', { body: { login: 'ann', password: 'password123' } }),
      ask('POST', '/v1/system/unlock', { body: { ...body, license: 'nonsense' } }),
      ask('POST', '/v1/system/unlock', { body: { login: 'a b', password, email: 'x' } }),
      ask('POST', '/v1/system/unlock', { body: '{"login":' }),
      ask('POST', '/v1/system/unlock', { body: '[]' }),
    ])
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
      {
        status: 400,
        body: {
          code: 'PasswordIsNotComplexEnough',
          message: 'At least 8 characters',
          details: { password: 'At least 8 characters', reason: 'tooShort' },
        },
      },
      {
        status: 400,
        body: {
          code: 'PasswordIsNotComplexEnough',
          message: 'This password is among the most used ones',
          details: { password: 'This password is among the most used ones', reason: 'tooCommon' },
        },
      },
      { status: 400, body: { code: 'IncorrectLicense' } },
      {
        status: 400,
        body: {
          code: 'ValidationError',
          details: {
            login: 'Must not contain spaces or slashes, nor be only dots',
            email: 'Must be an e-mail address',
          },
        },
      },
      { status: 400, body: { code: 'RequestDecodeError' } },
      { status: 400, body: { code: 'RequestDecodeError', message: 'The body must be a JSON object' } },
    ])
    expect(await context.accounts.all()).toEqual([])
  })

  test('the options of the command line create one as well, once', async () => {
    const { context } = await startServer()
    const person = await createFirstAdministrator(context, { login: 'root', email: '', password })
    expect({ login: person.login, isAdmin: person.isAdmin }).toEqual({ login: 'root', isAdmin: true })
    await expect(createFirstAdministrator(context, { login: 'root2', email: '', password })).rejects.toMatchObject({
      status: 409,
    })
  })
})

test('health warns of a full disk from the configured share on', async () => {
  const { ask } = await startServer({
    defaults: { ...builtInValues, storage: { ...builtInValues.storage, diskWarningPercent: 0 } },
  })
  const { status, body } = await ask('GET', '/v1/system/health')
  expect({ status, body }).toEqual({
    status: 200,
    body: { version, warnings: [{ code: 'ALLOC_DIR_DISK_SPACE', usedPercent: expect.any(Number) }] },
  })
})
