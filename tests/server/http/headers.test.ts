import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { portOf } from '../../../server/start.ts'
import { startServer } from '../fixtures/harness.ts'

const open = async () => {
  const distDir = mkdtempSync(join(tmpdir(), 'sightline-test-'))
  onTestFinished(() => rmSync(distDir, { recursive: true }))
  mkdirSync(join(distDir, 'assets'))
  writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>console</title>')
  writeFileSync(join(distDir, 'assets', 'main.js'), 'let plain')
  const server = await startServer({ distDir, trustProxy: '192.0.2.1' })
  await server.addUser('ann', true)
  return server
}

/** An answer of each kind: page, file, redirect, call, error of every step, and an address that can't be read. */
const kinds = [
  ['GET', '/ui/', 200],
  ['GET', '/ui/assets/main.js', 200],
  ['GET', '/', 302],
  ['GET', '/ui/config.json', 200],
  ['GET', '/v1/system/health', 200],
  ['GET', '/v1/user', 401],
  ['POST', '/v1/sign-in', 400],
  ['GET', '/v1/nothing', 404],
  ['GET', '/ui/assets/none.js', 404],
  ['GET', '/elsewhere', 404],
] as const

const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data: blob:",
  'media-src': "'self' blob:",
  'font-src': "'self'",
  'manifest-src': "'self'",
  'worker-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'form-action': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'worker',
}

/** What the Mozilla Observatory gives A+ for, beside the policy; a row is a header and what it must be. */
const guards = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'access-control-allow-origin': undefined,
  'x-powered-by': undefined,
  server: undefined,
}

const parsed = (header: unknown): Record<string, string> =>
  Object.fromEntries(
    String(header)
      .split(';')
      .map((directive) => {
        const [name = '', ...values] = directive.split(' ')
        return [name, values.join(' ')]
      }),
  )

test.each(kinds)('%s %s is answered %i with the policy and every other guard', async (method, url, status) => {
  const { ask } = await open()
  const { status: found, headers } = await ask(method, url, method === 'POST' ? { body: [] } : {})
  expect(found).toBe(status)
  expect(parsed(headers['content-security-policy'])).toEqual(policy)
  expect(Object.fromEntries(Object.keys(guards).map((name) => [name, headers[name]]))).toEqual(guards)
  const permissions = String(headers['permissions-policy']).split(', ')
  expect(permissions).toEqual(expect.arrayContaining(['camera=()', 'geolocation=()', 'microphone=()', 'usb=()']))
})

test.each([
  ['a wrong escape', '/v1/%zz'],
  ['a login of 600 characters', `/v1/user/${'x'.repeat(600)}`],
])('an address with %s, which can not be read, is answered with a policy that lets nothing', async (_name, url) => {
  const { ask } = await open()
  const { status, headers, body } = await ask('GET', url)
  expect({ status, body, policy: headers['content-security-policy'] }).toEqual({
    status: 400,
    body: { code: 'RequestDecodeError' },
    policy: "default-src 'none';frame-ancestors 'none'",
  })
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('over HTTPS browsers are ordered to stay there for a year, over plain HTTP nothing of it', async () => {
  const { ask } = await open()
  const transport = async (headers?: Record<string, string>) =>
    (await ask('GET', '/ui/', headers === undefined ? {} : { headers })).headers['strict-transport-security']
  expect(await transport({ 'x-forwarded-proto': 'https' })).toBe('max-age=31536000')
  expect(await transport()).toBeUndefined()
})

const long = 'x'.repeat(20_000)

test.each([
  ['a long address', `GET /ui/?${long} HTTP/1.1\r\nHost: localhost\r\n\r\n`, '431 Request Header Fields Too Large'],
  [
    'a long header',
    `GET /ui/ HTTP/1.1\r\nHost: localhost\r\nX-Long: ${long}\r\n\r\n`,
    '431 Request Header Fields Too Large',
  ],
  ['an unknown method', 'FOO /ui/ HTTP/1.1\r\nHost: localhost\r\n\r\n', '400 Bad Request'],
  [
    'two lengths',
    'POST /v1/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    '400 Bad Request',
  ],
  ['no HTTP', 'hello\r\n\r\n', '400 Bad Request'],
])('%s is answered as everything that can not be read', async (_name, words, status) => {
  const { app } = await open()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(portOf(app), '127.0.0.1')
  socket.write(words)
  const [head = '', body] = (await text(socket)).split('\r\n\r\n')
  const [line, ...rows] = head.split('\r\n')
  const headers = Object.fromEntries(rows.map((row) => row.split(': ')))
  expect({ line, body }).toEqual({ line: `HTTP/1.1 ${status}`, body: '{"code":"RequestDecodeError"}' })
  expect(headers).toEqual({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': '29',
    connection: 'close',
  })
})

const healths = ['/v1/system/health', '/%761/system/health', 'http://localhost/v1/system/health']
test.each(healths)('%s is kept by nobody', async (url) => {
  const { app } = await open()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(portOf(app), '127.0.0.1')
  socket.write(`GET ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  const answer = await text(socket)
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
  expect(answer).toContain('\r\ncache-control: no-store\r\n')
})

test('a part that is not there, and another version, are refused by their own statuses', async () => {
  const { ask } = await open()
  const answerTo = async (headers: Record<string, string>) => {
    const { status, body, headers: found } = await ask('GET', '/ui/assets/main.js', { headers })
    return { status, body, cache: found['cache-control'] }
  }
  const body = { code: 'RequestDecodeError' }
  expect(await answerTo({ range: 'bytes=99999999-' })).toEqual({ status: 416, body, cache: 'no-store' })
  expect(await answerTo({ 'if-match': '"x"' })).toEqual({ status: 412, body, cache: 'no-store' })
})
