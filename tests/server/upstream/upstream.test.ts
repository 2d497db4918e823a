import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { text as read } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { rewriteCookie } from '../../../server/upstream/headers.ts'
import { proxied } from '../fixtures/proxied.ts'

describe('passing /v1 on', () => {
  test('method, path, query and body go as they are; host, origin, referer and cookies as the other server expects', async () => {
    const seen: unknown[] = []
    const { origin, theirOrigin } = await proxied(async (request, response) => {
      const body = await read(request)
      const { method, url, headers } = request
      const { host, origin: from, referer, cookie, range, 'content-type': type, 'share-token': custom } = headers
      seen.push({ method, url, host, from, referer, cookie, range, type, body, custom })
      response.end('{}')
    })
    await fetch(`${origin}/v1/stream/a%2Fb/archive/x?start_time=2026-11-21T08%3A00%3A00.000Z&x=%zz`, {
      method: 'PATCH',
      headers: {
        origin,
        referer: `${origin}/ui/streams`,
        range: 'bytes=5-',
        'share-token': 's',
        'content-type': 'application/json',
        cookie: 'upstream-host-session=1; theme=dark; upstream-secure-x=2',
      },
      body: '{"name": "ü"}',
    })
    expect(seen).toEqual([
      {
        method: 'PATCH',
        url: '/v1/stream/a%2Fb/archive/x?start_time=2026-11-21T08%3A00%3A00.000Z&x=%zz',
        host: theirOrigin.slice(7),
        from: theirOrigin,
        referer: `${theirOrigin}/ui/streams`,
        cookie: '__Host-session=1; theme=dark; __Secure-x=2',
        range: 'bytes=5-',
        type: 'application/json',
        body: '{"name": "ü"}',
        custom: 's',
      },
    ])
  })

  test('the origin of a foreign page stays what it is', async () => {
    const seen: unknown[] = []
    const { origin } = await proxied((request, response) => {
      seen.push(request.headers.origin)
      response.end('{}')
    })
    await fetch(`${origin}/v1/sign-out`, { method: 'POST', headers: { origin: 'http://elsewhere' } })
    expect(seen).toEqual(['http://elsewhere'])
  })

  test('status, headers and bodies of refusals come back untouched, cookies fit plain HTTP, redirects stay here', async () => {
    const { origin, theirOrigin } = await proxied((_request, response) => {
      response.writeHead(429, 'Slow', {
        'content-type': 'application/json',
        'retry-after': '7',
        'x-own': 'yes',
        'strict-transport-security': 'max-age=1',
        location: `${theirOrigin}/v1/elsewhere`,
        'set-cookie': [
          '__Host-session=abc; Path=/; Secure; HttpOnly; SameSite=None',
          'b=2; Domain=example.org; Path=/',
        ],
      })
      response.end('{"code":"TooManyRequests",  "spaces": true}')
    })
    const reply = await fetch(`${origin}/v1/sign-in`, { method: 'POST', redirect: 'manual' })
    expect({
      status: reply.status,
      text: await reply.text(),
      retryAfter: reply.headers.get('retry-after'),
      own: reply.headers.get('x-own'),
      hsts: reply.headers.get('strict-transport-security'),
      location: reply.headers.get('location'),
      cookies: reply.headers.getSetCookie(),
    }).toEqual({
      status: 429,
      text: '{"code":"TooManyRequests",  "spaces": true}',
      retryAfter: '7',
      own: 'yes',
      hsts: null,
      location: '/v1/elsewhere',
      cookies: ['upstream-host-session=abc; Path=/; HttpOnly; SameSite=Lax', 'b=2; Path=/'],
    })
  })

  test.each([204, 304])('an answer of status %i has no body', async (status) => {
    const { origin } = await proxied((_request, response) => response.writeHead(status, { etag: '"1"' }).end())
    const reply = await fetch(`${origin}/v1/user`)
    expect({ status: reply.status, etag: reply.headers.get('etag'), text: await reply.text() }).toEqual({
      status,
      etag: '"1"',
      text: '',
    })
  })

  test('an answer streams: its first bytes arrive before it ends', async () => {
    const { promise: release, resolve } = Promise.withResolvers<void>()
    const { origin } = await proxied((_request, response) => {
      response.writeHead(206, { 'content-type': 'video/mp4', 'content-range': 'bytes 0-7/8' })
      response.write('1234')
      void release.then(() => response.end('5678'))
    })
    const reply = await fetch(`${origin}/v1/stream/a/archive/download`)
    const chunks: string[] = []
    const decoder = new TextDecoder()
    for await (const chunk of reply.body ?? []) {
      chunks.push(decoder.decode(chunk))
      resolve()
    }
    expect({ status: reply.status, range: reply.headers.get('content-range'), chunks }).toEqual({
      status: 206,
      range: 'bytes 0-7/8',
      chunks: ['1234', '5678'],
    })
  })

  test('a body streams up: the other server has its first bytes before it ends', async () => {
    const { promise: first, resolve } = Promise.withResolvers<string>()
    const { port } = await proxied((request, response) => {
      request.once('data', (chunk: Buffer) => resolve(chunk.toString()))
      request.once('end', () => response.end('done'))
    })
    const call = httpRequest({ port, host: '127.0.0.1', path: '/v1/upload', method: 'PUT' })
    const answered = once(call, 'response')
    call.write('part one')
    expect(await first).toBe('part one')
    call.end('part two')
    const [answer] = await answered
    expect(await read(answer)).toBe('done')
  })

  test('a caller who hangs up ends the call to the other server', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const { origin } = await proxied((_request, response) => {
      response.once('close', () => end())
      arrive()
    })
    const controller = new AbortController()
    const call = fetch(`${origin}/v1/streams`, { signal: controller.signal }).catch((error: unknown) => error)
    await arrived
    controller.abort()
    await ended
    expect(await call).toMatchObject({ name: 'AbortError' })
  })

  test('an answer that breaks off breaks off here, too', async () => {
    const { origin } = await proxied((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('1234')
      response.once('drain', () => response.destroy())
      setImmediate(() => response.destroy())
    })
    await expect(fetch(`${origin}/v1/stream/a/archive/seg`).then((reply) => reply.text())).rejects.toMatchObject({
      name: 'TypeError',
    })
  })

  test('a server that can not be reached is Unavailable', async () => {
    const { origin, close } = await proxied((_request, response) => response.end())
    close()
    const reply = await fetch(`${origin}/v1/user`)
    expect({ status: reply.status, body: await reply.json() }).toEqual({ status: 503, body: { code: 'Unavailable' } })
  })

  test('the console is served here, everything else is not found', async () => {
    const { origin } = await proxied((_request, response) => response.end('theirs'))
    expect(await (await fetch(`${origin}/ui/stream/a/view`)).text()).toBe('<!doctype html><title>console</title>')
    expect(await (await fetch(`${origin}/ui/config.json`)).json()).toEqual({})
    expect((await fetch(`${origin}/other`)).status).toBe(404)
  })
})

test('on HTTPS a cookie keeps its name and its protection', () => {
  expect(rewriteCookie('__Host-session=a; Path=/; Secure; HttpOnly; SameSite=None; Domain=example.org', true)).toBe(
    '__Host-session=a; Path=/; Secure; HttpOnly; SameSite=None',
  )
})
