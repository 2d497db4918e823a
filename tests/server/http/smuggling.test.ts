import { request as httpRequest } from 'node:http'
import type { ClientHttp2Session } from 'node:http2'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { proxied, sendRaw } from '../fixtures/proxied.ts'
import { certified, connect2 } from '../fixtures/tls.ts'

const smuggled = 'GET /v1/smuggled HTTP/1.1\r\nHost: localhost\r\nCookie: session=eve\r\n\r\n'
const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`
const isJson = { 'content-type': 'application/json' }

/** A server where everyone is answered who they are, and the proxy before it. */
const start = async (change: Parameters<typeof proxied>[1] = {}) => {
  const seen: { method: string | undefined; url: string | undefined; body: string }[] = []
  const opened = await proxied((request, response) => {
    const answer = async () => {
      seen.push({ method: request.method, url: request.url, body: await text(request) })
      response.end(`for ${request.headers.cookie} ${request.url}`)
    }
    answer().catch(() => response.destroy())
  }, change)
  /** What somebody else gets meanwhile, ten times over the connections that are there. */
  const others = async () => {
    const answers: string[] = []
    for (let time = 0; time < 10; time += 1) {
      const reply = await fetch(`${opened.origin}/v1/user`, { headers: { cookie: `session=bob${time}` } })
      answers.push(await reply.text())
    }
    return answers
  }
  return { ...opened, seen, others }
}

const own = Array.from({ length: 10 }, (_, time) => `for session=bob${time} /v1/user`)
const head = (method: string, ...lines: string[]) =>
  [`${method} /v1/open HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')
const last = 'GET /v1/last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

const framings: [string, string[], string][] = [
  ['a chunked body', ['Transfer-Encoding: chunked'], chunked],
  ['a chunked body that Connection names', ['Connection: transfer-encoding', 'Transfer-Encoding: chunked'], chunked],
  ['a length', [`Content-Length: ${smuggled.length}`], smuggled],
  ['a length that Connection names', ['Connection: content-length', `Content-Length: ${smuggled.length}`], smuggled],
  [
    'a length that Connection names among others',
    ['Connection: keep-alive, Content-Length, host', `Content-Length: ${smuggled.length}`],
    smuggled,
  ],
  [
    'trailers',
    ['Transfer-Encoding: chunked', 'Trailer: host, cookie'],
    `${chunked.slice(0, -2)}Host: x\r\nCookie: session=eve\r\n\r\n`,
  ],
]

describe.each(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST', 'PATCH'])('over HTTP/1.1 a %s', (method) => {
  test.each(framings)('with %s leaves nothing to anybody else', async (_name, lines, body) => {
    const { port, seen, others } = await start()
    const [answer, answers] = await Promise.all([sendRaw(port, `${head(method, ...lines)}${body}${last}`), others()])
    expect(answers).toEqual(own)
    expect(await others()).toEqual(own)
    expect(seen.map(({ url }) => url)).not.toContain('/v1/smuggled')
    // What comes after it on the visitor's own connection is theirs.
    expect(answer).toContain('for undefined /v1/last')
    const isTaken = ['DELETE', 'POST', 'PATCH'].includes(method)
    expect(seen.filter(({ url }) => url === '/v1/open')).toEqual(
      isTaken ? [{ method, url: '/v1/open', body: smuggled }] : [],
    )
  })

  test.each([
    ['two lengths', [`Content-Length: ${smuggled.length}`, 'Content-Length: 0'], smuggled],
    ['two equal lengths', ['Content-Length: 3', 'Content-Length: 3'], 'abc'],
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], chunked],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], chunked],
    ['chunks that are not the last coding', ['Transfer-Encoding: chunked, identity'], chunked],
    ['a coding that nobody knows', ['Transfer-Encoding: xchunked'], chunked],
    ['a folded header', ['X-A: b', ' Transfer-Encoding: chunked'], ''],
    ['a folded coding', ['Transfer-Encoding:', ' chunked'], chunked],
    ['a space before the colon', ['Transfer-Encoding : chunked'], chunked],
    ['a length in its trailers', ['Transfer-Encoding: chunked'], `${chunked.slice(0, -2)}Content-Length: 5\r\n\r\n`],
    ['a length with a sign', ['Content-Length: +4'], 'abcd'],
    ['a length that is no number', ['Content-Length: 0x4'], 'abcd'],
    ['a header without a name', [': x'], ''],
    ['a bare line feed', ['X-A: b\nTransfer-Encoding: chunked'], chunked],
  ])('with %s is refused', async (_name, lines, body) => {
    const { port, seen, others } = await start()
    const answer = await sendRaw(port, `${head(method, ...lines)}${body}${last}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(new Set(answer.match(/HTTP\/1\.1 \d+/g))).toEqual(new Set(['HTTP/1.1 400']))
    expect(await others()).toEqual(own)
    expect(seen.filter(({ url }) => url !== '/v1/user')).toEqual([])
  })
})

describe('over HTTP/2', () => {
  const over2 = async () => {
    const { tls, ca } = certified()
    const opened = await start({ tls })
    const { session } = connect2(opened.port, ca)
    const { call } = connect2(opened.port, ca)
    const others = async () => {
      const answers: string[] = []
      for (let time = 0; time < 10; time += 1)
        answers.push((await call('/v1/user', { cookie: `session=bob${time}` })).body.toString())
      return answers
    }
    return { ...opened, session, others }
  }
  const ask = (session: ClientHttp2Session, headers: Record<string, string>, body: string) =>
    new Promise<number | 'broken'>((resolve) => {
      const stream = session.request({ ':path': '/v1/open', ...headers }, { endStream: false })
      stream.once('response', ({ ':status': status = 0 }) => resolve(status))
      stream.once('error', () => resolve('broken'))
      stream.once('close', () => resolve('broken'))
      stream.resume()
      stream.end(body)
    })

  test.each([
    ['GET', {}, 400, []],
    ['HEAD', {}, 400, []],
    ['OPTIONS', { 'content-length': String(smuggled.length) }, 400, []],
    ['DELETE', {}, 200, [smuggled]],
    ['DELETE', { 'content-length': String(smuggled.length) }, 200, [smuggled]],
    ['POST', {}, 200, [smuggled]],
  ] as const)('a %s with a body and %j leaves nothing to anybody else', async (method, headers, status, bodies) => {
    const { session, seen, others } = await over2()
    const [found, answers] = await Promise.all([ask(session, { ':method': method, ...headers }, smuggled), others()])
    expect(found).toBe(status)
    expect(answers).toEqual(own)
    expect(await others()).toEqual(own)
    expect(seen.map(({ url }) => url)).not.toContain('/v1/smuggled')
    expect(seen.filter(({ url }) => url === '/v1/open').map(({ body }) => body)).toEqual(bodies)
  })

  test.each(['5', '1000'])(
    'a body that is not as long as %s, which it says, reaches nobody as a whole',
    async (length) => {
      const { session, seen, others } = await over2()
      session.on('error', () => undefined)
      expect(await ask(session, { ':method': 'POST', 'content-length': length }, smuggled)).toBe('broken')
      expect(await others()).toEqual(own)
      expect(seen.filter(({ url }) => url !== '/v1/user')).toEqual([])
    },
  )
})

test('many at once, over both versions, each get their own answer and nobody else’s', async () => {
  const { tls, ca } = certified()
  const plain = await start()
  const secure = await start({ tls })
  const { call } = connect2(secure.port, ca)
  const asked = Array.from({ length: 300 }, (_, number) => async () => {
    const cookie = `session=visitor${number}`
    const path = `/v1/thing/${number}`
    const body = number % 3 === 0 ? 'x'.repeat(number * 50 + 1) : undefined
    const wanted = `for ${cookie} ${path}`
    if (number % 2 === 0) return [(await call(path, { cookie, ...isJson }, body)).body.toString(), wanted]
    const reply = await fetch(plain.origin + path, {
      headers: { cookie },
      ...(body === undefined ? {} : { method: 'POST', body }),
    })
    return [await reply.text(), wanted]
  })
  const attacks = Array.from({ length: 30 }, (_, number) =>
    sendRaw(plain.port, `${head(number % 2 === 0 ? 'GET' : 'DELETE', 'Transfer-Encoding: chunked')}${chunked}${last}`),
  )
  const answers = await Promise.all(asked.map((one) => one()))
  expect(answers.filter(([found, wanted]) => found !== wanted)).toEqual([])
  await Promise.all(attacks)
  expect([...plain.seen, ...secure.seen].filter(({ url }) => url === '/v1/smuggled')).toEqual([])
})

test('a visitor who leaves in the middle of a body leaves nothing behind', async () => {
  const { port, seen, others } = await start()
  for (let time = 0; time < 5; time += 1) {
    await new Promise<void>((resolve) => {
      const call = httpRequest({
        port,
        host: '127.0.0.1',
        path: '/v1/open',
        method: 'POST',
        headers: { 'content-length': 10_000 },
      })
      call.on('error', () => resolve())
      call.write(smuggled, () => call.destroy(new Error('left')))
    })
  }
  expect(await others()).toEqual(own)
  expect(seen.filter(({ url }) => url !== '/v1/user')).toEqual([])
})
