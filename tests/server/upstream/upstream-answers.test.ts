import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { rewriteLocation } from '../../../server/upstream/headers.ts'
import { proxied, proxiedBytes } from '../fixtures/proxied.ts'
import { certified, connect2 } from '../fixtures/tls.ts'

const lines = (...all: string[]): string => [...all, '', ''].join('\r\n')
const badGateway = { status: 502, body: '{"code":"Unavailable"}' }

const ask = async (origin: string, path = '/v1/user', init: RequestInit = {}) => {
  const reply = await fetch(origin + path, init)
  return { status: reply.status, body: await reply.text() }
}

const odd: [string, string][] = [
  ['status 099', lines('HTTP/1.1 099 Odd', 'Content-Length: 0')],
  ['status 600', lines('HTTP/1.1 600 Odd', 'Content-Length: 0')],
  ['status 999', lines('HTTP/1.1 999 Odd', 'Content-Length: 2') + 'ab'],
  ['status 000', lines('HTTP/1.1 000 Odd', 'Content-Length: 0')],
  ['a status of four digits', lines('HTTP/1.1 2000 Odd', 'Content-Length: 0')],
  [
    'a switch of protocols',
    `${lines('HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: upgrade')}bytes`,
  ],
  ['announcements without end', lines('HTTP/1.1 103 Early Hints', 'Link: </a>').repeat(1000)],
  ['an announcement of 100', lines('HTTP/1.1 100 Continue').repeat(20)],
  ['no HTTP', 'hello\r\n\r\n'],
  ['two lengths', lines('HTTP/1.1 200 OK', 'Content-Length: 2', 'Content-Length: 3') + 'abc'],
  [
    'a length and chunks',
    `${lines('HTTP/1.1 200 OK', 'Content-Length: 2', 'Transfer-Encoding: chunked')}1\r\na\r\n0\r\n\r\n`,
  ],
  ['a name that is none', lines('HTTP/1.1 200 OK', 'a b: c', 'Content-Length: 0')],
  ['a value with a control character', lines('HTTP/1.1 200 OK', 'x-a: b\x01c', 'Content-Length: 0')],
  ['a value with a NUL', lines('HTTP/1.1 200 OK', 'x-a: b\0c', 'Content-Length: 0')],
  ['a head of a megabyte', lines('HTTP/1.1 200 OK', `x-a: ${'b'.repeat(1_000_000)}`, 'Content-Length: 0')],
]

describe('of the other server', () => {
  test.each(odd)('%s is 502, and nothing falls', async (_name, bytes) => {
    const { origin } = await proxiedBytes((socket) => socket.write(bytes, 'latin1'))
    expect(await ask(origin)).toEqual(badGateway)
    expect((await ask(origin, '/ui/config.json')).status).toBe(200)
  })

  test.each(odd.slice(0, 4))('%s is 502 over HTTP/2, too', async (_name, bytes) => {
    const { tls, ca } = certified()
    const { port } = await proxiedBytes((socket) => socket.write(bytes, 'latin1'), { tls })
    const { status, body } = await connect2(port, ca).call('/v1/user')
    expect({ status, body: body.toString() }).toEqual(badGateway)
  })

  test('an end after status 199 alone is 503', async () => {
    const { origin } = await proxiedBytes((socket) => socket.end(lines('HTTP/1.1 199 Odd'), 'latin1'))
    expect(await ask(origin)).toEqual({ status: 503, body: '{"code":"Unavailable"}' })
  })

  test('doubled fields, bytes beyond ASCII and trailers do not break an answer, over either version', async () => {
    const answer =
      lines(
        'HTTP/1.1 200 OK',
        'Content-Type: text/plain',
        'Content-Type: text/html',
        'ETag: "a"',
        'ETag: "b"',
        'X-Name: caf\xe9',
        'Vary: a',
        'Vary: b',
        'Location: /v1/a',
        'Location: /v1/b',
        'Transfer-Encoding: chunked',
        'Connection: x-own',
        'X-Own: 1',
        'Keep-Alive: timeout=5',
        'Proxy-Authenticate: Basic',
      ) + '2\r\nab\r\n0\r\nX-Trailer: c\r\n\r\n'
    const { tls, ca } = certified()
    const plain = await proxiedBytes((socket) => socket.write(answer, 'latin1'))
    const secure = await proxiedBytes((socket) => socket.write(answer, 'latin1'), { tls })
    const call = httpRequest({ port: plain.port, host: '127.0.0.1', path: '/v1/user' }).end()
    const [reply] = await once(call, 'response')
    const [body, over2] = [await text(reply), await connect2(secure.port, ca).call('/v1/user')]
    const fields = ({
      'content-type': type,
      etag,
      'x-name': name,
      vary,
      location,
      'x-own': own,
      'proxy-authenticate': proxy,
    }: IncomingHttpHeaders) => ({ type, etag, name, vary, location, own, proxy })
    const wanted = {
      type: 'text/plain',
      etag: '"a"',
      name: 'caf\xe9',
      vary: 'a, b',
      location: '/v1/a',
      own: undefined,
      proxy: undefined,
    }
    expect([reply.statusCode, fields(reply.headers), body]).toEqual([200, wanted, 'ab'])
    expect([over2.status, fields(over2.headers), over2.body.toString()]).toEqual([200, wanted, 'ab'])
  })

  test('an answer that breaks off breaks off over HTTP/2, too', async () => {
    const { tls, ca } = certified()
    const { port } = await proxiedBytes(
      (socket) => socket.end(`${lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked')}2\r\nab\r\n`),
      { tls },
    )
    await expect(connect2(port, ca).call('/v1/user')).rejects.toThrow(/closed/)
  })

  test('what it keeps on its connection after an answer is nobody’s', async () => {
    const poison = `${lines('HTTP/1.1 200 OK', 'Content-Length: 6')}poison`
    const { origin } = await proxiedBytes((socket) =>
      socket.write(`${lines('HTTP/1.1 200 OK', 'Content-Length: 2')}ok${poison}`),
    )
    for (let time = 0; time < 5; time += 1) expect((await ask(origin)).body).not.toBe('poison')
  })

  test('an error before a body has come is passed on, and so is a server that can not be reached', async () => {
    const body = 'x'.repeat(3_000_000)
    const early = await proxiedBytes((socket) => {
      if (socket.writable) socket.end(`${lines('HTTP/1.1 413 Too Large', 'Content-Length: 2', 'Connection: close')}no`)
    })
    expect(await ask(early.origin, '/v1/upload', { method: 'POST', body })).toEqual({ status: 413, body: 'no' })
    const away = await proxied((_request, response) => response.end())
    away.close()
    expect(await ask(away.origin, '/v1/upload', { method: 'POST', body })).toEqual({
      status: 503,
      body: '{"code":"Unavailable"}',
    })
  })
})

describe('protective headers are on every answer', () => {
  const guards = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'access-control-allow-origin': null,
    'access-control-allow-credentials': null,
    'x-powered-by': null,
    server: null,
  }
  const answered = async (theirs: Record<string, string>) => {
    const { origin } = await proxied((_request, response) =>
      response.writeHead(200, theirs).end('<script>alert(1)</script>'),
    )
    const { headers } = await fetch(`${origin}/v1/page`)
    return {
      found: Object.fromEntries(Object.keys(guards).map((name) => [name, headers.get(name)])),
      policy: headers.get('content-security-policy') ?? '',
    }
  }

  test('where the other server gives none', async () => {
    const { found, policy } = await answered({ 'content-type': 'text/html' })
    expect(found).toEqual(guards)
    expect(policy).toMatch(/^default-src 'none';script-src 'self';/)
  })

  test('where it gives weaker ones; of two policies both hold', async () => {
    const { found, policy } = await answered({
      'x-content-type-options': 'off',
      'x-frame-options': 'ALLOWALL',
      'referrer-policy': 'unsafe-url',
      'cross-origin-resource-policy': 'cross-origin',
      'cross-origin-opener-policy': 'unsafe-none',
      'content-security-policy': 'default-src *',
      'access-control-allow-origin': 'https://evil.example',
      'access-control-allow-credentials': 'true',
      'x-powered-by': 'x',
      server: 'x',
      'permissions-policy': 'camera=*',
    })
    expect(found).toEqual(guards)
    expect(policy).toMatch(/^default-src 'none';.*trusted-types worker, default-src \*$/)
  })
})

describe('an address to go to', () => {
  const asked = new URL('http://vms.example:8080/v1/a/b?c')
  test.each([
    ['http://vms.example:8080/v1/x?y#z', '/v1/x?y#z'],
    ['http://vms.example:8080', '/'],
    ['http://vms.example:8080//evil.example/x', '/evil.example/x'],
    ['http://vms.example:8080/\\evil.example', '/evil.example'],
    ['http://vms.example:8080/\t/evil.example', '/evil.example'],
    ['//evil.example/x', '/evil.example/x'],
    ['/\\evil.example/x', '/evil.example/x'],
    ['\\\\evil.example/x', '/evil.example/x'],
    ['/\t/evil.example', '/evil.example'],
    ['///evil.example', '/evil.example'],
    ['//vms.example:8080//evil.example', '/evil.example'],
    ['/v1/x', '/v1/x'],
    ['x', '/v1/a/x'],
    ['../..//evil.example', '/evil.example'],
    ['?d', '/v1/a/b?d'],
    ['https://sso.example/sign-in?back=1', 'https://sso.example/sign-in?back=1'],
    ['https://vms.example:8080/x', 'https://vms.example:8080/x'],
    ['http://[', undefined],
  ])('%j to go to is %j here', (location, ours) => {
    expect(rewriteLocation(location, asked)).toBe(ours)
  })
})
