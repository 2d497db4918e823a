import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import {
  call,
  callForBlob,
  callHeaders,
  pathSegment,
  reportMediaError,
  setBaseUrl,
  setGuest,
  urlOf,
  watchApiErrors,
} from './call.ts'
import type { ApiError } from './reply.ts'
import { serverNow } from './server-time.ts'
import { flag, list, text } from './contract/wire.ts'

const Thing = z.object({
  id: z.string(),
  name: text,
  isOn: flag,
  tags: list(z.string()),
  inner: z.optional(z.object({ name: text })),
})

const requests: { method: string; url: string; body: string; headers: IncomingMessage['headers'] }[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => response.end()
const server = createServer((request, response) => {
  const { method = '', url = '', headers } = request
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    requests.push({ method, url, body, headers })
    answer(request, response)
  })
})
let base = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  base = typeof at === 'object' && at !== null ? `http://127.0.0.1:${at.port}` : ''
  setBaseUrl(`${base}/`)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
afterEach(() => {
  requests.length = 0
  setBaseUrl(base)
  setGuest({ uid: '', token: '' })
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const answering = (
  status: number,
  body: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => {
  answer = (_request, response) => response.writeHead(status, headers).end(body)
}
const apiError = (fields: Partial<ApiError>): { ok: false; apiError: ApiError } => ({
  ok: false,
  apiError: { status: 0, code: '', message: '', details: {}, retryAfterSeconds: null, ...fields },
})
const thing = (path = '/v1/thing') => call(Thing, { path })

describe('an answer', () => {
  test('is decoded: null means absent, absent fields get defaults, unknown fields are ignored', async () => {
    answering(200, '{"id":"7","name":null,"isOn":null,"tags":null,"inner":{"name":null},"more":{"x":1}}')
    expect(await thing()).toEqual({
      ok: true,
      value: { id: '7', name: '', isOn: false, tags: [], inner: { name: '' } },
      retryAfterSeconds: null,
    })
  })

  test('keeps null elements of lists', async () => {
    answering(200, '{"points":[[1,null],null,[2,3]]}')
    const Points = z.object({ points: z.array(z.nullable(z.array(z.nullable(z.number())))) })
    expect(await call(Points, { path: '/v1/points' })).toMatchObject({ value: { points: [[1, null], null, [2, 3]] } })
  })

  test.each([
    [204, ''],
    [200, ''],
    [200, '{}'],
    [200, 'null'],
  ])('%i %o has no data', async (status, body) => {
    answering(status, body)
    expect(await call(z.object({}), { path: '/v1/sign-out', method: 'POST' })).toEqual({
      ok: true,
      value: {},
      retryAfterSeconds: null,
    })
  })

  test.each([
    [500, { requestId: '0a1b2c3d4e5f' }],
    [503, {}],
    [409, {}],
  ])('names the request of an internal error: %i', async (status, named) => {
    answering(status, '{"code":"X"}', { 'content-type': 'application/json', 'x-request-id': '0a1b2c3d4e5f' })
    expect(await call(z.object({}), { path: '/v1/thing' })).toEqual({
      ok: false,
      apiError: { status, code: 'X', message: '', details: {}, retryAfterSeconds: null, ...named },
    })
  })

  test("tells the server's time, unless a cache may have given it", async () => {
    const at = Date.UTC(2026, 10, 21, 14, 5, 3, 500)
    vi.useFakeTimers({ now: at, toFake: ['Date'] })
    const offsetAfter = async (path: string, date: number, type = 'application/json') => {
      answering(200, '{}', { 'content-type': type, date: new Date(date).toUTCString() })
      await (type === 'image/jpeg' ? callForBlob({ path }) : call(z.object({}), { path }))
      return serverNow() - at
    }
    const offsets = [
      await offsetAfter('/v1/thing', at - 600_000),
      await offsetAfter('/ui/config.json', at - 900_000),
      await offsetAfter('/v1/preview', at - 900_000, 'image/jpeg'),
      await offsetAfter('/v1/thing', at),
    ]
    vi.useRealTimers()
    expect(offsets).toEqual([-600_000, -600_000, -600_000, 0])
  })

  test('has the seconds of retry-after', async () => {
    answering(200, '{}', { 'content-type': 'application/json', 'retry-after': '90' })
    expect(await call(z.object({}), { path: '/v1/password/send-reset', method: 'POST' })).toMatchObject({
      retryAfterSeconds: 90,
    })
  })

  test.each([
    [
      'HTML instead of JSON',
      '<!doctype html><title>Sign in</title>',
      'text/html',
      '/v1/thing: the reply does not fit at its root: ',
    ],
    ['JSON that is cut off', '{"id":"7"', 'application/json', '/v1/thing: the reply does not fit at its root: '],
    ['a list for an object', '[1]', 'application/json', '/v1/thing: the reply does not fit at its root: '],
    [
      'a member of another type',
      '{"id":"7","tags":["a",7]}',
      'application/json',
      '/v1/thing: the reply does not fit at tags.1: ',
    ],
    ['a missing id', '{"name":"x"}', 'application/json', '/v1/thing: the reply does not fit at id: '],
  ])('%s is unreadable, and the console says where', async (_, body, type, message) => {
    const error = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined)
    answering(200, body, { 'content-type': type })
    expect(await thing()).toEqual(apiError({ status: 200, code: 'UnreadableReply' }))
    expect(error.mock.calls.map(([line]) => String(line).slice(0, message.length))).toEqual([message])
  })

  test('with a file is a blob; an empty file or text is UnreadableReply, 204 is NotFound', async () => {
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.from([0xff, 0xd8]))
    const reply = await callForBlob({ path: '/v1/stream/preview' })
    expect(reply.ok && [...new Uint8Array(await reply.value.arrayBuffer())]).toEqual([0xff, 0xd8])
    answering(200, '', { 'content-type': 'image/jpeg' })
    expect(await callForBlob({ path: '/v1/stream/preview' })).toEqual(
      apiError({ status: 200, code: 'UnreadableReply' }),
    )
    answering(200, '<html>', { 'content-type': 'text/html' })
    expect(await callForBlob({ path: '/v1/stream/preview' })).toEqual(
      apiError({ status: 200, code: 'UnreadableReply' }),
    )
    answer = (_request, response) => response.writeHead(204).end()
    expect(await callForBlob({ path: '/v1/stream/preview' })).toEqual(apiError({ status: 204, code: 'NotFound' }))
  })

  test('with a file is a blob without a content-type, too', async () => {
    answer = (_request, response) => response.writeHead(200).end(Buffer.from([0xff, 0xd8]))
    expect(await callForBlob({ path: '/v1/stream/preview' })).toMatchObject({ ok: true })
  })

  test('with an error has its code, where a file was asked for', async () => {
    answering(403, '{"code":"PermissionDenied","message":null}')
    expect(await callForBlob({ path: '/v1/stream/preview' })).toEqual(
      apiError({ status: 403, code: 'PermissionDenied' }),
    )
    answering(502, '<html>', { 'content-type': 'text/html' })
    expect(await callForBlob({ path: '/v1/stream/preview' })).toEqual(apiError({ status: 502 }))
  })

  test('with a file is UnreadableReply, where an object was asked for', async () => {
    answering(200, '{"id":"7"}', { 'content-type': 'application/octet-stream' })
    expect(await thing()).toEqual(apiError({ status: 200, code: 'UnreadableReply' }))
  })
})

describe('an error', () => {
  test.each([
    [
      'whole',
      400,
      '{"code":"ValidationError","message":"no","details":{"name":"is empty"}}',
      { code: 'ValidationError', message: 'no', details: { name: 'is empty' } },
    ],
    ['of a code alone', 403, '{"code":"Forbidden","message":null,"details":null}', { code: 'Forbidden' }],
    ['with details of another shape', 400, '{"code":"ValidationError","details":["x"]}', { code: 'ValidationError' }],
    ['with a message of another shape', 409, '{"code":"AlreadyUsed","message":7}', { code: 'AlreadyUsed' }],
    ['without a code', 500, '{"error":"x"}', {}],
    ['of another code type', 500, '{"code":500}', {}],
    ['without a body', 423, '', {}],
    ['that is a list', 500, '[]', {}],
  ])('%s is data', async (_, status, body, fields) => {
    answering(status, body)
    expect(await thing()).toEqual(apiError({ status, ...fields }))
  })

  test('in HTML, as from a proxy, keeps its status', async () => {
    answering(502, '<h1>Bad gateway</h1>', { 'content-type': 'text/html' })
    expect(await thing()).toEqual(apiError({ status: 502 }))
  })

  test('is not retried', async () => {
    answering(503, '{"code":"Unavailable"}')
    await thing()
    expect(requests.length).toBe(1)
  })

  test.each([
    ['30', 30],
    [' 1.5 ', 1.5],
    ['0', 0],
    ['9999999999', 86_400],
    ['Sat, 21 Nov 2099 08:00:00 GMT', 86_400],
    ['Sat, 21 Nov 2026 08:01:30 GMT', 90],
    ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
    ['soon', null],
    ['', null],
  ])('waits by retry-after %o', async (value, seconds) => {
    answering(429, '{"code":"TooManyRequests"}', {
      'content-type': 'application/json',
      'retry-after': value,
      date: 'Sat, 21 Nov 2026 08:00:00 GMT',
    })
    expect(await thing()).toEqual(apiError({ status: 429, code: 'TooManyRequests', retryAfterSeconds: seconds }))
  })

  test('without a date header reads an HTTP-date by the local clock', async () => {
    const moment = new Date(Date.now() + 60_000).toUTCString()
    answer = (_request, response) => {
      response.sendDate = false
      response
        .writeHead(429, { 'content-type': 'application/json', 'retry-after': moment })
        .end('{"code":"TooManyRequests"}')
    }
    const reply = await thing()
    const seconds = reply.ok ? null : reply.apiError.retryAfterSeconds
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(60)
  })

  test('goes once to every watcher until the watcher is removed', async () => {
    const seen: unknown[] = []
    const unwatch = watchApiErrors(({ status }, { path, method }) => seen.push([status, method, path]))
    answering(401, '{"code":"AuthorizationRequired"}')
    await thing()
    await call(z.object({}), { path: '/v1/sign-out', method: 'POST' })
    await call(Thing, { path: `${base}/v1/version` })
    unwatch()
    await thing()
    expect(seen).toEqual([
      [401, 'GET', '/v1/thing'],
      [401, 'POST', '/v1/sign-out'],
    ])
  })

  test('of media goes to watchers too, unless it is of another host', () => {
    const seen: unknown[] = []
    const unwatch = watchApiErrors(({ status }, { path, method }) => seen.push([status, method, path]))
    reportMediaError(`${base}/v1/stream/gate/archive/a.m4s?x=1#utc=1`, 401)
    reportMediaError('https://media.example/a.m4s', 401)
    reportMediaError('nonsense', 401)
    unwatch()
    expect(seen).toEqual([[401, 'GET', '/v1/stream/gate/archive/a.m4s']])
  })
})

describe('no answer', () => {
  test('if the connection breaks', async () => {
    answer = (request) => request.socket.destroy()
    expect(await thing()).toEqual(apiError({ code: 'NoResponse' }))
  })

  test('if the answer breaks off', async () => {
    answer = (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"id"')
      setImmediate(() => request.socket.destroy())
    }
    expect(await thing()).toMatchObject({ ok: false, apiError: { code: 'NoResponse' } })
  })

  test('within the timeout', async () => {
    answer = () => undefined
    expect(await call(Thing, { path: '/v1/thing', timeoutMs: 20 })).toEqual(apiError({ code: 'NoResponse' }))
  })

  test('within a minute, by default for GET alone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const aborting = new AbortController()
    try {
      const { promise: bothAreThere, resolve } = Promise.withResolvers<void>()
      answer = () => requests.length === 2 && resolve()
      const change = call(Thing, { path: '/v1/thing', method: 'POST', signal: aborting.signal })
      const read = thing()
      await bothAreThere
      vi.advanceTimersByTime(60_000)
      expect(await Promise.race([read, change])).toEqual(apiError({ code: 'NoResponse' }))
      aborting.abort()
      await expect(change).rejects.toThrow('abort')
    } finally {
      vi.useRealTimers()
    }
  })

  test('if the URL is invalid', async () => {
    expect(await call(Thing, { path: 'http://' })).toEqual(apiError({ code: 'NoResponse' }))
    setBaseUrl('')
    expect(await call(Thing, { path: '//[' })).toEqual(apiError({ code: 'NoResponse' }))
  })

  test('an aborted call rejects and reaches no watcher', async () => {
    const seen: unknown[] = []
    const unwatch = watchApiErrors((error) => seen.push(error))
    const aborting = new AbortController()
    answer = () => aborting.abort()
    await expect(call(Thing, { path: '/v1/thing', signal: aborting.signal, timeoutMs: 60_000 })).rejects.toThrow(
      'abort',
    )
    await expect(call(Thing, { path: '/v1/thing', signal: aborting.signal })).rejects.toThrow('abort')
    unwatch()
    expect(seen).toEqual([])
  })
})

describe('what is sent', () => {
  test('query values as given, lists repeated, undefined left out', async () => {
    answering(200, '{"items":[]}')
    await call(z.object({}), {
      path: '/v1/streams',
      query: { page: 2, onlyAvailable: true, searchingValues: ['a b', 'я&=#'], sortType: undefined, none: [] },
    })
    const [{ method, url }] = [requests[0] ?? { method: '', url: '' }]
    expect({ method, query: [...new URL(url, base).searchParams] }).toEqual({
      method: 'GET',
      query: [
        ['page', '2'],
        ['onlyAvailable', 'true'],
        ['searchingValues', 'a b'],
        ['searchingValues', 'я&=#'],
      ],
    })
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s sends JSON, even without data', async (method) => {
    answering(200, '{}')
    await call(z.object({}), { path: '/v1/thing', method })
    await call(z.object({}), { path: '/v1/thing', method, body: { name: 'я' } })
    expect(requests.map(({ method: sent, body, headers }) => [sent, body, headers['content-type']])).toEqual([
      [method, '{}', 'application/json'],
      [method, '{"name":"я"}', 'application/json'],
    ])
  })

  test('GET has no body', async () => {
    answering(200, '{"id":"7"}')
    await thing()
    expect(requests.map(({ body, headers }) => [body, headers['content-type']])).toEqual([['', undefined]])
  })

  test('below the base URL of the deployment', async () => {
    setBaseUrl(`${base}/behind/proxy/`)
    answering(200, '{"id":"7"}')
    await thing()
    expect(requests[0]?.url).toBe('/behind/proxy/v1/thing')
  })

  test.each([
    ['a/b', 'a%2Fb'],
    ['я', '%D1%8F'],
    ['..', '%252E%252E'],
    ['.', '%252E'],
    ['...', '...'],
    ['?x#y', '%3Fx%23y'],
    ['\ud800', '%EF%BF%BD'],
  ])('the id %o stays one segment of the path', (id, segment) => {
    expect(pathSegment(id)).toBe(segment)
    expect(new URL(urlOf(`/v1/stream/${pathSegment(id)}/share`)).pathname).toBe(`/v1/stream/${segment}/share`)
  })
})

describe('the share token (docs/wire.md §5.2)', () => {
  test('is sent with calls about its stream', async () => {
    setGuest({ uid: 'a/b', token: 'secret' })
    answering(200, '{"id":"7"}')
    for (const path of [
      '/v1/stream/a%2Fb',
      '/v1/stream/a%2Fb/archive/ranges',
      '/v1/stream/a',
      '/v1/stream/a%2Fbc',
      '/v1/user',
    ])
      await thing(path)
    await call(Thing, { path: '/v1/stream/preview', query: { stream_id: 'a/b' } })
    await call(Thing, { path: '/v1/annotations', query: { streamId: 'a/b' } })
    await call(Thing, { path: '/v1/annotations', query: { streamId: 'a' } })
    expect(requests.map(({ url, headers }) => [url, headers['share-token']])).toEqual([
      ['/v1/stream/a%2Fb', 'secret'],
      ['/v1/stream/a%2Fb/archive/ranges', 'secret'],
      ['/v1/stream/a', undefined],
      ['/v1/stream/a%2Fbc', undefined],
      ['/v1/user', undefined],
      ['/v1/stream/preview?stream_id=a%2Fb', 'secret'],
      ['/v1/annotations?streamId=a%2Fb', 'secret'],
      ['/v1/annotations?streamId=a', undefined],
    ])
  })

  test('never to another host, in any spelling', () => {
    setGuest({ uid: 'gate', token: 'secret' })
    const hosts = [
      'https://evil.example/v1/stream/gate',
      urlOf('//evil.example/v1/stream/gate'),
      urlOf('/v1/stream/gate').replace('127.0.0.1', 'evil.example'),
    ]
    expect(hosts.map((host) => callHeaders(host))).toEqual([{}, {}, {}])
    expect(callHeaders(urlOf('/v1/stream/gate'))).toEqual({ 'share-token': 'secret' })
  })

  test('with a base URL too', () => {
    setBaseUrl(`${base}/behind`)
    setGuest({ uid: 'gate', token: 'secret' })
    expect(callHeaders(urlOf('/v1/stream/gate/archive/index.m3u8'))).toEqual({ 'share-token': 'secret' })
  })
})

test.each([
  ['api', 'https://console.example/api/v1/streams'],
  ['/api/', 'https://console.example/api/v1/streams'],
  ['', 'https://console.example/v1/streams'],
  ['https://vms.example/base', 'https://vms.example/base/v1/streams'],
  ['//vms.example', 'https://vms.example/v1/streams'],
])('calls begin at the configured %o, which counts from the root of the origin', (baseUrl, streams) => {
  vi.stubGlobal('location', { origin: 'https://console.example', href: 'https://console.example/ui/stream/gate/view' })
  setBaseUrl(baseUrl)
  expect(urlOf('/v1/streams')).toBe(streams)
})
