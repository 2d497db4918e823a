import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makeDemoLicense } from '../../../scripts/license.ts'
import { builtInValues } from '../../../server/configuration/values.ts'
import { createStreamsPlugin } from '../../../server/streams/plugin.ts'
import type { Site } from '../../../server/streams/site.ts'
import { password, start, startServer, type Harness } from '../fixtures/harness.ts'
import { mailServer } from '../fixtures/mail.ts'
import { codeIn } from '../fixtures/mail-server.ts'
import { logged } from '../fixtures/video.ts'
import { patience } from '../../fixtures/patience.ts'

/** One of every kind of secret that somebody sends or sets. */
const planted = {
  typed: 'planted typed pass-1',
  mail: 'planted "mail" pass-2',
  kiosk: 'planted/kiosk+pass-3',
  camera: 'planted@camera:pass-4',
  cameraQuery: 'planted-query-5',
  bearer: 'sl_planted-bearer-6',
  share: 'planted-share-7',
  cookie: 'planted-cookie-8',
  newPassword: 'Planted new pass-9',
}

type Method = Parameters<Harness['ask']>[0]
const methods: Record<string, Method> = { GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' }

const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
]

test('no secret comes up in a log, in the audit, in what was saved or in the support bundle, whatever was done and failed', async () => {
  const output: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    output.push(String(chunk))
    return true
  })
  const routes: [method: string, url: string][] = []
  const sites: Site[] = []
  const mail = await mailServer({
    onAuth: ({ username, password: given }, _session, done) => {
      if (username === 'joe') done(null, { user: username })
      else
        done(
          new Error(
            `no ${String(given)} is known, nor ${Buffer.from(`\0${String(username)}\0${String(given)}`).toString('base64')}`,
          ),
        )
    },
  })
  const { ask, context, addUser } = await startServer({
    logLevel: 'trace',
    now: Date.now,
    defaults: {
      ...builtInValues,
      mail: { ...builtInValues.mail, host: '127.0.0.1', port: mail.port, user: 'joe', password: planted.mail },
    },
    beforeRoutes: (app) => {
      app.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) routes.push([one, url])
      })
    },
    plugins: [createStreamsPlugin({ allowLoopback: true, onSite: (site) => sites.push(site) })],
  })
  const [site] = sites
  if (site === undefined) throw new Error('no site')
  await addUser('ann', true)
  await addUser('bob')
  await context.accounts.change('bob', { email: 'bob@example.org' })

  const signedIn = await ask('POST', '/v1/sign-in', { body: { name: 'ann', password } })
  const { cookie } = signedIn
  await ask('POST', '/v1/sign-in', { body: { name: 'ann', password: planted.typed } })
  const made = Object((await ask('POST', '/v1/token', { cookie, body: { name: 'script' } })).body)
  const headers = { authorization: `Bearer ${String(made.token)}` }
  const license = makeDemoLicense({
    licensee: 'Demo',
    features: ['tunnel'],
    issuedAt: start,
    expiresAt: Date.now() + 86_400_000,
  })
  await ask('PUT', '/v1/system/license', { headers, body: { text: license } })
  const source = `rtsp://operator:${encodeURIComponent(planted.camera)}@127.0.0.1:9/cam?token=${planted.cameraQuery}`
  const uid = String(
    Object((await ask('POST', '/v1/stream', { headers, body: { name: 'Gate', streamSource: source } })).body).uid,
  )
  const share = String(Object((await ask('GET', `/v1/stream/${uid}/share`, { headers })).body).token)
  await logged(site, uid, /trying again/)
  const failure = `a stream failed (uid=${uid}; name=Gate; reason=The camera doesn't answer)`
  expect(context.serverLog.read(undefined)).toContainEqual(expect.objectContaining({ level: 'warn', message: failure }))
  await ask('POST', '/v1/password/send-reset', { body: { email: 'bob@example.org' } })
  const code = codeIn(await mail.next())
  // The mail server refuses from now on, and repeats in its answer what it was given.
  await ask('PUT', '/v1/admin/configuration', {
    cookie,
    body: { values: { mail: { user: 'jim' }, kiosk: { user: 'lobby', password: planted.kiosk } } },
  })
  await ask('PATCH', '/v1/user/bob', { headers, body: { password: planted.newPassword } })

  // Every call of every plugin, with secrets where they belong and where they don't; half of them have lost their
  // table meanwhile.
  const query = `stream_id=${uid}&token=${planted.share}&password=${encodeURIComponent(planted.typed)}&url=${encodeURIComponent(source)}&time=x&code=${code}`
  const body = {
    name: 'bob',
    login: 'bob',
    email: 'bob@example.org',
    password: planted.typed,
    oldPassword: planted.typed,
    token: planted.bearer,
    code: '00000000',
    streamSource: source,
    text: license,
    values: { mail: { password: planted.mail, port: -1 } },
  }
  const walk = async (as: Record<string, string>) => {
    const statuses: number[] = []
    for (const [method, url] of routes) {
      const known = methods[method]
      const path = url
        .replace(':uid', uid)
        .replace(':login', 'nobody')
        .replace(':name', '1.mp4')
        .replaceAll(/:id|\*/g, 'x')
      if (known === undefined || url === '/v1/sign-out') continue
      if (known === 'DELETE' && url === '/v1/stream/:uid') continue
      statuses.push(
        (await ask(known, `${path}?${query}`, { headers: as, ...(known === 'GET' ? {} : { body }) })).status,
      )
    }
    return statuses
  }
  await walk({ 'share-token': planted.share, cookie: `session=${planted.cookie}` })
  await walk({ authorization: `Bearer ${planted.bearer}` })
  await walk({ 'share-token': share })
  await walk(headers)
  for (const table of ['bookmarks', 'annotation_snapshots', 'annotations', 'mosaics', 'configuration_versions'])
    await context.store.run(`DROP TABLE ${table}`)
  expect(await walk(headers)).toContain(500)
  await vi.waitFor(() => expect(output.join('')).toContain('a message was not sent'), patience)

  await ask('POST', '/v1/sign-in', { body: { name: 'ann', password }, ip: '192.0.2.9' })
  const read = async (url: string) => JSON.stringify((await ask('GET', url, { headers })).body)
  const outputs = {
    'standard error': output.join(''),
    'the log for administrators': await read('/v1/system/logs'),
    "the stream's log": await read(`/v1/stream/${uid}/logs`),
    'the audit': await read('/v1/admin/audit-logs'),
    'the configuration': await read('/v1/admin/configuration'),
    'the support bundle': await read('/v1/system/support-bundle'),
    tokens: await read('/v1/tokens'),
    sessions: await read('/v1/user/ann/sessions'),
    health: await read('/v1/system/health'),
  }
  stderr.mockRestore()
  const secrets = {
    ...planted,
    password,
    code,
    licence: license.split('\n')[1] ?? license,
    session: cookie?.split('=')[1] ?? '',
    token: String(made.token),
    shareToken: share,
    key: readFileSync(join(context.dataDir, 'server.key')).toString('base64'),
    hash: (await context.accounts.get('ann')).passwordHash,
  }
  const found = Object.entries(outputs).flatMap(([output, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      spellings(secret).some((one) => text.includes(one)) ? [`${name} in ${output}`] : [],
    ),
  )
  expect(found).toEqual([])
  expect(Object.entries(outputs).filter(([, text]) => text.length < 20)).toEqual([])
  expect(outputs['standard error']).toContain('unexpected error')
})
