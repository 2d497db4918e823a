import { expect, test } from 'vitest'
import { makeDemoLicense } from '../../../scripts/license.ts'
import { scrub } from '../../../server/administration/scrub.ts'
import { streamsPlugin } from '../../../server/streams/plugin.ts'
import { password, start, startServer, withoutDiskWarning } from '../fixtures/harness.ts'
import { version } from '../../../server/version.ts'

/** Of every kind of secret that the server holds, planted wherever one may land. */
const planted = {
  mail: 'mail p@ss "quoted"',
  kiosk: 'kiosk/secret+1',
  onvif: 'planted@onvif:pass',
  camera: 'c@mera:pass',
  cameraQuery: 'query-token-77',
}

test('the support bundle says what helps and holds no secret, wherever one was', async () => {
  const { ask, addUser, signIn, context } = await startServer({ plugins: [streamsPlugin] })
  await addUser('ann', true)
  await addUser('bob')
  const cookie = await signIn('ann')
  const put = await ask('PUT', '/v1/admin/configuration', {
    cookie,
    body: {
      values: {
        mail: { host: 'mail.example', password: planted.mail },
        kiosk: { user: 'lobby', password: planted.kiosk },
      },
    },
  })
  const license = makeDemoLicense({
    licensee: 'Demo',
    features: ['tunnel'],
    issuedAt: start,
    expiresAt: start + 30 * 86_400_000,
  })
  const uploaded = await ask('PUT', '/v1/system/license', { cookie, body: { text: license } })
  const source = `rtsp://operator:${encodeURIComponent(planted.camera)}@192.0.2.7/cam?token=${planted.cameraQuery}`
  const added = await ask('POST', '/v1/stream', {
    cookie,
    body: {
      name: `Gate ${planted.camera}`,
      streamSource: source,
      substreamSource: `${source}&sub=1`,
      onvif: { url: `http://operator:${encodeURIComponent(planted.onvif)}@192.0.2.7/onvif` },
    },
  })
  const token = await ask('POST', '/v1/token', { cookie, body: { name: 'script' } })
  const share = await ask('GET', `/v1/stream/${String(Reflect.get(Object(added.body), 'uid'))}/share`, { cookie })
  expect([put, uploaded, added, token, share].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const shareToken = String(Reflect.get(Object(share.body), 'token'))
  const apiToken = String(Reflect.get(Object(token.body), 'token'))
  context.log.warn(`the mail server refused ${planted.mail}`)
  context.log.warn(
    { password: planted.kiosk, why: planted.kiosk },
    `the camera refused ${planted.camera} (${encodeURIComponent(planted.camera)})`,
  )
  context.log.error({ err: new Error(`no route to ${source}`) }, `opened https://host/?token=${apiToken}`)

  const { status, body, headers } = await ask('GET', '/v1/system/support-bundle', { cookie })
  const text = JSON.stringify(body)
  const session = cookie.split('=')[1] ?? ''
  const secrets = [
    ...Object.values(planted).flatMap((one) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)]),
    license,
    license.split('\n')[1] ?? license,
    password,
    shareToken,
    apiToken,
    session,
    decodeURIComponent(session),
  ]
  expect({
    status,
    found: secrets.filter((secret) => text.includes(secret)),
    name: headers['content-disposition'],
  }).toEqual({
    status: 200,
    found: [],
    name: 'attachment; filename="sightline-support-2026-11-21T08-00-00.json"',
  })
  expect(body).toMatchObject({
    versions: { server: version, node: process.version },
    configuration: { mail: { host: 'mail.example', password: '***' }, kiosk: { user: 'lobby', password: '***' } },
    licence: { features: ['tunnel'], isExpired: false },
    streams: [
      {
        name: 'Gate ***',
        streamSource: 'rtsp://***@192.0.2.7/cam?token=***',
        substreamSource: 'rtsp://***@192.0.2.7/cam?token=***&sub=1',
        onvif: { url: 'http://***@192.0.2.7/onvif', profile: '' },
      },
    ],
    node: { isDrained: false },
    workers: [],
  })
  expect(text).toContain('the camera refused *** (***)')
  expect((await ask('GET', '/v1/system/support-bundle', { cookie: await signIn('bob') })).status).toBe(403)
})

test('a disk that can’t be read hides no other warning, nor the rest of the support bundle', async () => {
  const { ask, addUser, signIn, context } = await startServer({ defaults: withoutDiskWarning })
  await addUser('ann', true)
  const cookie = await signIn('ann')
  context.dataDir = `${context.dataDir}/removed`
  context.healthSources.unshift(
    () => Promise.reject(new Error('no such folder')),
    () => [{ code: 'CLOCK_STEPPED_BACK' }],
  )
  const health = await ask('GET', '/v1/system/health', { cookie })
  expect({ status: health.status, body: health.body }).toMatchObject({
    status: 200,
    body: { warnings: [{ code: 'CLOCK_STEPPED_BACK' }] },
  })
  const bundle = await ask('GET', '/v1/system/support-bundle', { cookie })
  expect({ status: bundle.status, body: bundle.body }).toMatchObject({
    status: 200,
    body: { machine: { disk: null }, health: [{ code: 'CLOCK_STEPPED_BACK' }] },
  })
})

test('scrubbing leaves no part of a secret that another one begins with, and masks what is named like one', () => {
  expect(
    scrub({ a: ['x hunter2hunter y'], apiToken: 'abc', tokens: 3, empty: { password: '' } }, [
      'hunter2hunter',
      'hunter2',
    ]),
  ).toEqual({
    a: ['x *** y'],
    apiToken: '***',
    tokens: 3,
    empty: { password: '' },
  })
})
