import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeDemoLicense } from '../../../scripts/license.ts'
import { readLicense, demoPublicKey, writeLicense } from '../../../server/license/license-text.ts'
import type { ServerPlugin } from '../../../server/context.ts'
import { at, password, start, startServer, withoutDiskWarning, type Harness } from '../fixtures/harness.ts'

const dayMs = 86_400_000
const claims = { licensee: 'Depot', features: ['cluster', 'tunnel'], issuedAt: start, expiresAt: start + 30 * dayMs }

const archive: ServerPlugin = (app) => {
  app.get('/v1/stream/:uid', { config: { access: { to: 'view', from: 'params.uid' } } }, async () => ({}))
  app.get(
    '/v1/stream/:uid/archive/ranges',
    { config: { access: { to: 'viewArchive', from: 'params.uid' } } },
    async () => ({}),
  )
  app.post('/v1/stream', { config: { access: { to: 'creator' } } }, async () => ({}))
}

const server = async (): Promise<
  Harness & { ann: string; put: (text: string) => Promise<{ status: number; body: unknown }> }
> => {
  const harness = await startServer({ defaults: withoutDiskWarning, plugins: [archive] })
  await harness.addUser('ann', true)
  await harness.addStream('s1')
  const ann = await harness.signIn('ann')
  const put = async (text: string) => {
    const { status, body } = await harness.ask('PUT', '/v1/system/license', { cookie: ann, body: { text } })
    return { status, body }
  }
  return { ...harness, ann, put }
}

describe('a licence', () => {
  test('is taken where its signature holds, and makes the edition', async () => {
    const { ask, ann, put } = await server()
    const text = makeDemoLicense(claims)
    const answer = { expired: false, text: text.trim(), expiresAt: at(30 * dayMs), features: ['cluster', 'tunnel'] }
    expect(await put(text)).toEqual({ status: 200, body: answer })
    expect((await ask('GET', '/v1/system/license', { cookie: ann })).body).toEqual(answer)
    expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({
      isEnterprise: true,
      isLicenseExpired: false,
      productType: 'enterprise',
    })
    const unlimited = makeDemoLicense({ ...claims, expiresAt: null })
    expect(await put(`  ${unlimited.replaceAll('\n', '\r\n')}`)).toEqual({
      status: 200,
      body: { expired: false, text: unlimited.replaceAll('\n', '\r\n').trim(), features: ['cluster', 'tunnel'] },
    })
  })

  test('is refused where it is none, was altered, or was signed by somebody else', async () => {
    const { put, ask, ann } = await server()
    const text = makeDemoLicense(claims)
    const [payload = '', signature = ''] = text.replaceAll(/-----[A-Z ]+-----|\s/g, '').split('.')
    const altered = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('Depot', 'Other')).toString(
      'base64url',
    )
    const foreign = writeLicense({ id: '1', ...claims }, generateKeyPairSync('ed25519').privateKey)
    for (const wrong of [
      '',
      'nonsense',
      '.',
      `${payload}.`,
      `.${signature}`,
      `${altered}.${signature}`,
      `${payload}.${signature}.x`,
      foreign,
      'x'.repeat(50_000),
    ]) {
      expect(await put(wrong)).toEqual({ status: 400, body: { code: 'IncorrectLicense' } })
    }
    expect((await ask('GET', '/v1/system/license', { cookie: ann })).body).toEqual({
      expired: false,
      text: '',
      features: [],
    })
  })

  test('whose time is over is refused, and one that runs out is announced two weeks before', async () => {
    const { put, wait, ask } = await server()
    expect(await put(makeDemoLicense({ ...claims, expiresAt: start }))).toEqual({
      status: 403,
      body: { code: 'LicenseExpired' },
    })
    await put(makeDemoLicense(claims))
    const warnings = async () => Reflect.get(Object((await ask('GET', '/v1/system/health')).body), 'warnings')
    expect(await warnings()).toEqual([])
    wait(16 * dayMs)
    expect(await warnings()).toEqual([{ code: 'LICENSE_EXPIRATION', expiresAt: at(30 * dayMs) }])
    wait(14 * dayMs)
    expect(await warnings()).toEqual([])
  })

  test('that ran out closes the archive and the adding of streams to everyone, until there is another', async () => {
    const { put, wait, ask, signIn } = await server()
    await put(makeDemoLicense(claims))
    wait(30 * dayMs)
    const ann = await signIn('ann')
    const statuses = async () => {
      const asked = [
        await ask('GET', '/v1/stream/s1', { cookie: ann }),
        await ask('GET', '/v1/stream/s1/archive/ranges', { cookie: ann }),
        await ask('POST', '/v1/stream', { cookie: ann }),
      ]
      return asked.map(({ status, body }) => ({ status, body }))
    }
    const closed = { status: 403, body: { code: 'LicenseExpired' } }
    expect(await statuses()).toEqual([{ status: 200, body: {} }, closed, closed])
    expect((await ask('GET', '/v1/system/internal/ui/settings')).body).toMatchObject({
      isEnterprise: false,
      isLicenseExpired: true,
    })
    expect((await ask('GET', '/v1/system/license', { cookie: ann })).body).toMatchObject({ expired: true })
    const renewed = await ask('PUT', '/v1/system/license', {
      cookie: ann,
      body: { text: makeDemoLicense({ ...claims, expiresAt: start + 60 * dayMs }) },
    })
    expect(renewed.status).toBe(200)
    const open = { status: 200, body: {} }
    expect(await statuses()).toEqual([open, open, open])
  })

  test('may come with the first administrator; a wrong one keeps the server locked', async () => {
    const { ask, context } = await startServer()
    const unlock = (license: string) => ask('POST', '/v1/system/unlock', { body: { login: 'ann', password, license } })
    const refused = await unlock('nonsense')
    expect({ status: refused.status, body: refused.body, accounts: await context.accounts.all() }).toEqual({
      status: 400,
      body: { code: 'IncorrectLicense' },
      accounts: [],
    })
    expect((await unlock(makeDemoLicense(claims))).status).toBe(200)
    expect(context.license.current()).toMatchObject({ licensee: 'Depot' })
  })
})

test('claims come back as they were signed', () => {
  const text = makeDemoLicense(claims)
  expect(text.split('\n').every((line) => line.length <= 64)).toBe(true)
  expect(readLicense(text, demoPublicKey)).toEqual({ id: expect.any(String), ...claims })
})
