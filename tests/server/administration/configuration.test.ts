import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createConfiguration } from '../../../server/configuration/configuration.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { start, startServer, type Harness } from '../fixtures/harness.ts'
import { schema } from '../../../server/schema.ts'

const address = '/v1/admin/configuration'

const server = async (): Promise<Harness & { ann: string; values: () => Promise<unknown> }> => {
  const harness = await startServer()
  await harness.addUser('ann', true)
  await harness.addUser('bob')
  const ann = await harness.signIn('ann')
  const values = async () => Reflect.get(Object((await harness.ask('GET', address, { cookie: ann })).body), 'values')
  return { ...harness, ann, values }
}

describe('the configuration', () => {
  test('has values, and a JSON Schema that a form can be made of', async () => {
    const { ask, ann, signIn } = await server()
    const { status, body } = await ask('GET', address, { cookie: ann })
    expect({ status, body }).toEqual({ status: 200, body: { values: builtInValues, schema: expect.any(Object) } })
    const schema = z.parse(
      z.looseObject({
        properties: z.record(z.string(), z.looseObject({ properties: z.record(z.string(), z.looseObject({})) })),
      }),
      Object(body).schema,
    )
    expect(Object.keys(schema.properties)).toEqual(Object.keys(builtInValues))
    expect(schema.properties['mail']?.properties['port']).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 65_535,
      title: 'Port',
    })
    expect(schema.properties['mail']?.properties['password']).toEqual({
      type: 'string',
      maxLength: 500,
      title: 'Password',
      format: 'password',
      writeOnly: true,
    })
    expect(schema.properties['mail']?.properties['security']).toMatchObject({
      enum: ['auto', 'starttls', 'tls', 'none'],
    })
    const titles = Object.values(schema.properties).flatMap((group) =>
      Object.values(group.properties).map((field) => field['title']),
    )
    expect(titles.every((title) => typeof title === 'string' && title !== '')).toBe(true)
    const refused = await ask('GET', address, { cookie: await signIn('bob') })
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 403, body: { code: 'Forbidden' } })
  })

  test('takes effect at once: settings, policy, limits, health, features', async () => {
    const { ask, ann, context } = await server()
    const changes = {
      application: {
        title: 'Depot',
        logo: 'https://cdn.example.org/l.svg',
        defaultLanguage: 'ru',
        documentation: 'https://docs.example.org/',
        site: '',
      },
      limits: { playlistMaxSeconds: 7200 },
      storage: { diskWarningPercent: 1 },
      kiosk: { user: 'wall', password: 'wall wall' },
      mail: { host: 'mail.example.org', port: 465, security: 'tls' },
      tunnel: { locations: ['eu', 'us'] },
      audit: { isEnabled: false },
      cluster: { isEnabled: true, nodeName: 'depot-1' },
      sources: { allowLoopback: true },
    }
    const put = await ask('PUT', address, { cookie: ann, body: { values: changes } })
    expect(put.status).toBe(200)
    const settings = await ask('GET', '/v1/system/internal/ui/settings', { cookie: ann })
    expect(settings.body).toMatchObject({
      appTitle: 'Depot',
      appLogo: 'https://cdn.example.org/l.svg',
      defaultLanguage: 'ru',
      documentation: 'https://docs.example.org/',
      playlistMaxSeconds: 7200,
      rangesMaxSeconds: 10_800,
      kioskPrefillUser: 'wall',
      kioskPrefillPassword: 'wall wall',
      passwordResetAllowed: true,
      smtpServerEnabled: true,
      smtpServerHost: 'mail.example.org',
      smtpServerPort: 465,
      smtpServerProtected: true,
      tunnelLocations: ['eu', 'us'],
      clusterEnabled: true,
      features: expect.not.arrayContaining(['audit']),
    })
    expect(String(settings.headers['content-security-policy'])).toContain(
      "img-src 'self' data: blob: https://cdn.example.org;",
    )
    expect(context.settings).toMatchObject({
      playlistMaxSeconds: 7200,
      diskWarningPercent: 1,
      isAudited: false,
      allowLoopbackSources: true,
    })
    expect((await ask('GET', '/v1/system/health')).body).toMatchObject({ warnings: [{ code: 'ALLOC_DIR_DISK_SPACE' }] })
    expect((await ask('GET', '/v1/system/internal/ui/nodes', { cookie: ann })).body).toEqual({
      items: [{ id: 'local', name: 'depot-1', available: true }],
    })
    expect((await ask('GET', '/v1/admin/audit-logs', { cookie: ann })).body).toEqual({ code: 'AuditLogsDisabled' })
  })

  test('says setting by setting what does not fit, and then changes nothing', async () => {
    const { ask, ann, values } = await server()
    const wrong = {
      application: { logo: 'javascript:alert(1)', documentation: 'docs', defaultLanguage: 'Russian' },
      limits: { playlistMaxSeconds: 1.5, rangesMaxSeconds: 'long', archiveMaxDepthHours: 0, typo: 1 },
      mail: { port: 70_000, security: 'ssl', from: 'nobody', host: 'h' },
      tunnel: { locations: [], urlPattern: '(' },
      audit: 'yes',
      typo: {},
    }
    const { status, body } = await ask('PUT', address, { cookie: ann, body: { values: wrong } })
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        code: 'ValidationError',
        details: {
          'application.logo': 'Must be empty, an address, a path of this server or a data: picture',
          'application.documentation': 'Must be empty or an address like https://host',
          'application.defaultLanguage': 'Must be empty or a code like en or ru',
          'limits.playlistMaxSeconds': 'Must be a whole number',
          'limits.rangesMaxSeconds': 'Must be a number',
          'limits.archiveMaxDepthHours': 'Enter hours above 0, or -1 for no limit',
          'limits.typo': 'Unknown setting',
          'mail.port': 'At most 65535',
          'mail.security': 'One of: auto, starttls, tls, none',
          'mail.from': 'Must be an e-mail address',
          'tunnel.locations': 'At least 1 entries',
          'tunnel.urlPattern': 'Must be a regular expression',
          audit: 'Must be an object',
          typo: 'Unknown setting',
        },
      },
    })
    expect(await values()).toEqual(builtInValues)
  })

  test('needs a pattern for the address of the tunnel', async () => {
    const { ask, ann } = await server()
    const { body } = await ask('PUT', address, { cookie: ann, body: { values: { tunnel: { urlPattern: '' } } } })
    expect(body).toMatchObject({ details: { 'tunnel.urlPattern': 'Required' } })
  })

  test('shows secrets as *** and keeps them by ***, but for another mail server', async () => {
    const { ask, ann, values, context } = await server()
    const save = (changes: object) => ask('PUT', address, { cookie: ann, body: { values: changes } })
    await save({ mail: { host: 'mail.example.org', user: 'joe', password: 'hush' } })
    expect(await values()).toMatchObject({ mail: { user: 'joe', password: '***' }, kiosk: { password: '' } })
    expect((await save({ mail: { password: '***', user: 'jim' } })).status).toBe(200)
    expect(context.configuration.values().mail).toMatchObject({ user: 'jim', password: 'hush' })
    const stolen = await save({ mail: { host: 'mail.evil.example', password: '***' } })
    expect({ status: stolen.status, body: stolen.body }).toEqual({
      status: 400,
      body: {
        code: 'ValidationError',
        details: { 'mail.password': 'Enter the password again for another mail server' },
      },
    })
    expect((await save({ mail: { host: 'mail.evil.example' } })).status).toBe(400)
    expect((await save({ mail: { host: '' } })).status).toBe(200)
    expect((await save({ mail: { host: 'mail.evil.example', password: '***' } })).status).toBe(400)
    expect((await save({ mail: { host: 'mail2.example.org', password: '' } })).status).toBe(200)
    expect(context.configuration.values().mail).toMatchObject({ host: 'mail2.example.org', password: '' })
  })

  test('remembers what was saved and by which user, without secrets', async () => {
    const { ask, ann, wait } = await server()
    await ask('PUT', address, {
      cookie: ann,
      body: { values: { application: { title: 'One' }, kiosk: { password: 'hush' } } },
    })
    wait(1000)
    await ask('PUT', address, { cookie: ann, body: { values: { application: { title: 'Two' } } } })
    await ask('PUT', address, { cookie: ann, body: { values: { application: { title: 'Two' } } } })
    const { body } = await ask('GET', `${address}/history`, { cookie: ann })
    const version = (id: string, ms: number, title: string) => ({
      id,
      time: new Date(start + ms).toISOString(),
      login: 'ann',
      values: {
        ...builtInValues,
        application: { ...builtInValues.application, title },
        kiosk: { user: '', password: '***' },
      },
    })
    const before = { ...version('0', 0, ''), login: '', values: builtInValues }
    expect(body).toEqual({ items: [version('2', 1000, 'Two'), version('1', 0, 'One'), before] })
  })
})

test('it is kept over a restart as what differs from the defaults; what no longer fits falls back alone', async () => {
  const store = await memoryStore(schema)
  const first = await createConfiguration(store, builtInValues, () => start)
  await first.save({ application: { title: 'Depot' }, mail: { host: 'mail.example.org', port: 25 } }, 'ann')
  const other = { ...builtInValues, mail: { ...builtInValues.mail, port: 587, host: 'default.example.org' } }
  const second = await createConfiguration(store, other, () => start)
  expect(second.values()).toEqual({
    ...other,
    application: { ...other.application, title: 'Depot' },
    mail: { ...other.mail, host: 'mail.example.org', port: 587 },
  })
  await store.run(
    `UPDATE configuration_versions SET differences = '{"application.title":"Depot","mail.port":"gone","old.thing":1}'`,
  )
  expect((await createConfiguration(store, builtInValues, () => start)).values()).toEqual({
    ...builtInValues,
    application: { ...builtInValues.application, title: 'Depot' },
  })
})

test('what another node has just saved is kept, though this one has not read it yet', async () => {
  const store = await memoryStore(schema)
  const first = await createConfiguration(store, builtInValues, () => start)
  const second = await createConfiguration(store, builtInValues, () => start)
  await first.save({ audit: { isEnabled: false } }, 'ann')
  await second.save({ application: { title: 'Depot' } }, 'bob')
  const both = {
    ...builtInValues,
    audit: { ...builtInValues.audit, isEnabled: false },
    application: { ...builtInValues.application, title: 'Depot' },
  }
  expect(second.values()).toEqual(both)
  await first.reload()
  expect(first.values()).toEqual(both)
})

test('two nodes that save at once keep both changes, and the second sees those of the first', async () => {
  const store = await memoryStore(schema)
  const first = await createConfiguration(store, builtInValues, () => start)
  const second = await createConfiguration(store, builtInValues, () => start)
  const checked: string[] = []
  const [one, two] = await Promise.all([
    first.save({ audit: { isEnabled: false }, application: { title: 'Depot' } }, 'ann'),
    second.save({ cluster: { nodeName: 'b' }, application: { title: 'Depot' } }, 'bob', (paths) => {
      checked.push(...paths)
    }),
  ])
  expect({ one, two, checked }).toEqual({
    one: ['application.title', 'audit.isEnabled'],
    two: ['cluster.nodeName'],
    checked: ['cluster.nodeName'],
  })
  await first.reload()
  for (const { values } of [first, second]) {
    expect(values()).toMatchObject({
      application: { title: 'Depot' },
      audit: { isEnabled: false },
      cluster: { nodeName: 'b' },
    })
  }
  expect((await first.versions()).map(({ login }) => login)).toEqual(['bob', 'ann', ''])
})
