import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { portOf } from '../../../server/start.ts'
import { createHosts, hostNameOf } from '../../../server/http/hosts.ts'
import { startServer } from '../fixtures/harness.ts'
import { proxied, sendRaw } from '../fixtures/proxied.ts'
import { certified, connect2 } from '../fixtures/tls.ts'

const messageOf = (name: string): string => `This server doesn't answer to the name "${name}": add it to ALLOWED_HOSTS`
const open = async (options: Parameters<typeof startServer>[0] = {}) => {
  const distDir = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  onTestFinished(() => rmSync(distDir, { recursive: true }))
  return startServer({ distDir, ...options })
}
const own = hostname().toLowerCase()
const [short = ''] = own.split('.')

describe('a name that a request came by', () => {
  test.each([
    'localhost',
    'localhost:8080',
    'LOCALHOST',
    'sub.localhost',
    'localhost.',
    '127.0.0.1',
    '127.0.0.1:80',
    '192.168.1.5:8080',
    '203.0.113.9',
    '[::1]:8080',
    '[fd00::5]',
    own,
    short,
    `${short}.local`,
    'cams.example.org',
    'CAMS.example.org:443',
    'a.lan.example',
    '0x7f.1',
  ])('%s is answered', async (host) => {
    const { ask } = await open({ allowedHosts: ['cams.example.org', '*.lan.example'] })
    expect((await ask('GET', '/v1/system/health', { headers: { host } })).status).toBe(200)
  })

  test.each([
    ['evil.example', 'evil.example'],
    ['evil.example:8080', 'evil.example'],
    ['localhost.evil.example', 'localhost.evil.example'],
    ['127.0.0.1.evil.example', '127.0.0.1.evil.example'],
    ['x.cams.example.org', 'x.cams.example.org'],
    ['example.org', 'example.org'],
    ['lan.example', 'lan.example'],
    ['a.b.lan.example', 'a.b.lan.example'],
    ['localhost@evil.example', 'evil.example'],
    ['evil.example#localhost', 'evil.example'],
    ['backend', 'backend'],
    ['a b', 'a b'],
  ])('%s is not, before the first start too, and says what to do', async (host, name) => {
    const { ask, addUser } = await open({ allowedHosts: ['cams.example.org', '*.lan.example'] })
    const message = messageOf(name)
    for (const url of ['/v1/system/health', '/v1/nothing', '/v1/system/internal/ui/settings']) {
      const { status, body, headers } = await ask('GET', url, { headers: { host } })
      expect({ url, status, body, guard: headers['x-content-type-options'] }).toEqual({
        url,
        status: 421,
        body: { code: 'Forbidden', message },
        guard: 'nosniff',
      })
    }
    expect(
      (
        await ask('POST', '/v1/system/unlock', {
          headers: { host, origin: `http://${host}` },
          body: { login: 'eve', password: 'correct horse 7' },
        })
      ).status,
    ).toBe(421)
    for (const url of ['/', '/ui/', '/ui/config.json', '/ui/assets/x.js', '/elsewhere']) {
      const { status, body, headers } = await ask('GET', url, { headers: { host } })
      expect({ url, status, body, type: headers['content-type'] }).toEqual({
        url,
        status: 421,
        body: `${message}\n`,
        type: 'text/plain; charset=utf-8',
      })
    }
    await addUser('ann', true)
    expect((await ask('GET', '/v1/system/health')).status).toBe(200)
  })

  test('is logged once', async () => {
    const { ask, context } = await open()
    for (let time = 0; time < 3; time += 1) await ask('GET', '/v1/system/health', { headers: { host: 'evil.example' } })
    await ask('GET', '/v1/system/health', { headers: { host: 'other.example' } })
    const logged = context.serverLog
      .read(undefined)
      .map(({ level, message }) => ({ level, message: message.split(' (')[0] }))
    expect(logged).toEqual(
      ['evil.example', 'other.example'].map((name) => ({ level: 'warn', message: messageOf(name) })),
    )
  })
})

test('behind a proxy both names count: what it was asked for, and what it asks for', async () => {
  const { ask } = await open({ trustProxy: '192.0.2.1', allowedHosts: ['cams.example.org', 'backend'] })
  const status = async (headers: Record<string, string>) => (await ask('GET', '/v1/system/health', { headers })).status
  expect(await status({ host: 'backend:8080', 'x-forwarded-host': 'cams.example.org' })).toBe(200)
  expect(await status({ host: '127.0.0.1:8080', 'x-forwarded-host': 'cams.example.org' })).toBe(200)
  expect(await status({ host: 'backend:8080', 'x-forwarded-host': 'evil.example' })).toBe(421)
  // A page of another site can send that header to its own name.
  expect(await status({ host: 'evil.example', 'x-forwarded-host': 'localhost' })).toBe(421)
})

test('whoever speaks HTTP/1.0 or to a proxy is taken at their word, no browser does', async () => {
  const { app, addUser } = await open()
  await addUser('ann', true)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (line: string, host = 'Host: localhost\r\n') =>
    (await sendRaw(portOf(app), `${line}\r\n${host}Connection: close\r\n\r\n`)).slice(9, 12)
  expect(await ask('GET /v1/system/health HTTP/1.0', '')).toBe('200')
  expect(await ask('GET http://localhost/v1/system/health HTTP/1.1')).toBe('200')
  expect(await ask('GET http://evil.example/v1/system/health HTTP/1.1')).toBe('421')
  expect(await ask('GET /v1/system/health HTTP/1.1', 'Host:\r\n')).toBe('200')
})

test('over HTTP/2 the name of its certificate is one, and :authority and Host both count', async () => {
  const { tls, ca } = certified('cams.example.org')
  const hosts = createHosts([], tls)
  expect(['cams.example.org', 'x.cams.example.org', 'example.org'].map(hosts.isAllowed)).toEqual([true, false, false])
  const { app, addUser } = await open({ tls: certified().tls })
  await addUser('ann', true)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { session, call } = connect2(portOf(app), ca, { rejectUnauthorized: false })
  session.on('error', () => undefined)
  expect((await call('/v1/system/health')).status).toBe(200)
  expect((await call('/v1/system/health', { ':authority': 'evil.example' })).status).toBe(421)
  expect((await call('/v1/system/health', { ':authority': 'evil.example', host: 'localhost' })).status).toBe(421)
  expect((await call('/v1/system/health', { ':authority': 'localhost', host: 'evil.example' })).status).toBe(421)
})

test('before another server names count the same', async () => {
  const seen: unknown[] = []
  const { port } = await proxied(
    (request, response) => {
      seen.push(request.url)
      response.end('{}')
    },
    { allowedHosts: ['cams.example.org'] },
  )
  const ask = async (path: string, host: string) =>
    (await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).slice(9, 12)
  expect([await ask('/v1/user', 'evil.example'), await ask('/ui/', 'evil.example')]).toEqual(['421', '421'])
  expect(seen).toEqual([])
  expect([
    await ask('/v1/user', 'cams.example.org'),
    await ask('/v1/user', 'localhost:5'),
    await ask('/ui/', '10.0.0.1'),
  ]).toEqual(['200', '200', '200'])
})

test.each([
  ['[::1]:8080', '::1'],
  ['камеры.рф', 'xn--80aknjv0e.xn--p1ai'],
  ['', undefined],
  ['a:b', undefined],
  ['a/b', 'a'],
  [':80', undefined],
])('%j is the name %j', (header, name) => {
  expect(hostNameOf(header)).toBe(name)
})
