import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { describe, expect, test } from 'vitest'
import { isForwardable } from '../../../server/upstream/target.ts'
import { startServer } from '../fixtures/harness.ts'
import { proxied, sendRaw } from '../fixtures/proxied.ts'

const lines = (...all: string[]): string => [...all, '', ''].join('\r\n')

describe('an address', () => {
  test.each([
    '/v1/%2e%2e/x',
    '/v1/%2E%2E/x',
    '/v1/../x',
    '/v1/./x',
    '/v1/..',
    '/v1/stream/..%2f..%2fx',
    '/v1/%252e%252e/x',
    '/v1/%25252e%25252e/x',
    '/v1/%2525252e%2525252e/x',
    '/v1/..;/x',
    '/v1/..;a=b/x',
    '/v1/%2e%2e;/x',
    '/v1/..\\x',
    '/v1/%5c..%5cx',
    '/v1/a%5cb',
    '/v1//x',
    '/v1//evil/x',
    '/v1/a%2f%2fb',
    '/v1/%00',
    '/v1/a%0d%0ab',
    '/v1/%c0%ae%c0%ae/x',
    '/v1/%ff',
    '/%761/x',
    '/ui/../v1/x',
    'http://evil/v1/x',
    '/v1/x#y',
  ])('%s does not go on', (target) => {
    expect(isForwardable(target)).toBe(false)
  })

  test.each([
    '/v1/user',
    '/v1/',
    '/v1/stream/a%2Fb/archive/x?start_time=2026-11-21T08%3A00%3A00.000Z&x=%zz',
    '/v1/user/a.b',
    '/v1/user/...',
    '/v1/user/%D0%96',
    '/v1/x?url=http://a/../b\\c',
    '/v1/user/50%25',
    '/v1/a/',
    '/v1/user/a;b',
  ])('%s goes on', (target) => {
    expect(isForwardable(target)).toBe(true)
  })

  test('that leads away is refused on the wire, and the other server never hears of it', async () => {
    const seen: (string | undefined)[] = []
    const { port } = await proxied((request, response) => {
      seen.push(request.url)
      response.end()
    })
    for (const target of [
      '/v1/%2e%2e/x',
      '/v1/../x',
      '/v1/..%2fx',
      '/v1//evil',
      '/v1/a%5c..%5cb',
      '/v1/%zz',
      'http://evil/v1/x',
      '/%761/x',
      '/v1/%252e%252e/x',
    ]) {
      const answer = await sendRaw(port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      expect(`${target} ${answer.slice(0, 12)}`).toMatch(/ HTTP\/1\.1 4(?:00|04|21)$/)
    }
    expect(seen).toEqual([])
  })
})

describe('who came by which way', () => {
  const forwarded = async (headers: Record<string, string>, trustProxy?: string) => {
    const seen: IncomingHttpHeaders[] = []
    const { port } = await proxied(
      (request, response) => {
        seen.push(request.headers)
        response.end()
      },
      trustProxy === undefined ? {} : { trustProxy },
    )
    const call = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/v1/user',
      headers: { host: 'localhost:8080', ...headers },
    }).end()
    await once(call, 'response')
    const [found = {}] = seen
    const names = Object.keys(found).filter((name) => /forward|ip|original|rewrite|method|_|proxy/.test(name))
    return Object.fromEntries(names.map((name) => [name, found[name]]))
  }
  const claimed = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'localhost',
    'x-forwarded-port': '443',
    'x-forwarded-prefix': '/x',
    forwarded: 'for=203.0.113.9',
    'x-real-ip': '203.0.113.9',
    'x-client-ip': '1',
    'cf-connecting-ip': '1',
    'x-original-url': '/admin',
    'x-rewrite-url': '/admin',
    x_forwarded_for: '203.0.113.9',
    'x-http-method-override': 'DELETE',
    proxy: 'http://evil',
  }

  test('is set by this server, whatever the visitor claims', async () => {
    const wanted = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'localhost:8080' }
    expect(await forwarded(claimed)).toEqual(wanted)
    expect(await forwarded({ ...claimed, connection: 'x-forwarded-for, x-forwarded-host, host' })).toEqual(wanted)
    expect(await forwarded(claimed, '192.0.2.1')).toEqual(wanted)
  })

  test('is what a proxy that is trusted says, and this server after it', async () => {
    expect(await forwarded(claimed, 'loopback')).toEqual({
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'localhost',
    })
    expect(await forwarded({ 'x-forwarded-for': '198.51.100.66, 203.0.113.9' }, 'loopback')).toMatchObject({
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
    })
  })
})

test.each([
  ['websocket', 400],
  ['h2c', 200],
])('an upgrade to %s is %i, and never goes on', async (upgrade, status) => {
  const seen: unknown[] = []
  const { port } = await proxied((request, response) => {
    seen.push([request.headers.upgrade, request.headers['sec-websocket-key'] === undefined, request.headers.connection])
    response.end()
  })
  const answer = await sendRaw(
    port,
    lines(
      'GET /v1/live HTTP/1.1',
      'Host: localhost',
      `Upgrade: ${upgrade}`,
      'Connection: upgrade, close, http2-settings, sec-websocket-key',
      'Sec-WebSocket-Key: x',
      'HTTP2-Settings: AAMAAABk',
    ),
  )
  expect(Number(answer.slice(9, 12))).toBe(status)
  expect(seen).toEqual(status === 200 ? [[undefined, true, 'keep-alive']] : [])
})

test.each(['TRACE', 'CONNECT'])('%s is not passed on', async (method) => {
  const seen: unknown[] = []
  const { port } = await proxied((request, response) => {
    seen.push(request.method)
    response.end()
  })
  const answer = await sendRaw(
    port,
    lines(`${method} ${method === 'CONNECT' ? 'evil:80' : '/v1/x'} HTTP/1.1`, 'Host: localhost', 'Connection: close'),
  )
  expect(answer === '' || answer.startsWith('HTTP/1.1 4')).toBe(true)
  expect(seen).toEqual([])
})

test('the embedded server behind one that it trusts takes changes from the console, by Origin alone', async () => {
  const { app, addUser, signIn } = await startServer({ trustProxy: 'loopback' })
  await addUser('ann', true)
  const cookie = await signIn('ann')
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const theirs = new URL(address)
  const { origin, port } = await proxied((request, response) => {
    const call = httpRequest(
      { port: theirs.port, host: theirs.hostname, path: request.url, method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500)
        answer.pipe(response)
      },
    )
    request.pipe(call)
  })
  const change = (from: string) =>
    fetch(`${origin}/v1/user`, {
      method: 'PATCH',
      headers: { origin: from, cookie, 'content-type': 'application/json' },
      body: '{"fullName":"Ann"}',
    }).then(({ status }) => status)
  expect(await change(`http://127.0.0.1:${port}`)).toBe(200)
  expect(await change('http://evil.example')).toBe(403)
})
