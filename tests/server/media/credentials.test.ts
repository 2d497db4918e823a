import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Gateway } from '../../../server/media/gateway.ts'
import { openHttpGateway } from '../../../server/media/http-gateway.ts'
import { createLinks, relinkPlaylist } from '../../../server/media/links.ts'
import { openRtspGateway } from '../../../server/media/rtsp-gateway.ts'
import { parseSource } from '../../../server/media/source.ts'
import { createGuard, type Guard } from '../fixtures/guard.ts'
import { guardedBy, startRtspCamera } from '../fixtures/rtsp-camera.ts'
import { sourceAt } from './sources.ts'
import { certified } from '../fixtures/tls.ts'

/** The gateway on this machine's own loopback, where a test reaches it as ffmpeg does from within its namespace. */
vi.mock('../../../server/media/sandbox.ts', () => ({
  sandbox: () => ({ isolation: undefined, before: [], user: undefined }),
}))

const ann = { username: 'ann', password: 'p@ss: w/ö?r#d%' }
const userInfo = `${ann.username}:${encodeURIComponent(ann.password)}`

const open = async <Opened extends Gateway>(opening: Promise<Opened>): Promise<Opened> => {
  const gateway = await opening
  onTestFinished(gateway.close)
  return gateway
}

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address: AddressInfo | string | null = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

const guardedListener =
  (guard: Guard, next: RequestListener = (_request, response) => response.end('pictures')): RequestListener =>
  (asked, response) => {
    const { authorization } = asked.headers
    const challenge = guard.check(asked.method ?? '', asked.url ?? '', authorization)
    if (challenge === undefined) next(asked, response)
    else response.writeHead(401, { 'www-authenticate': challenge }).end('Who are you?')
  }

/** What ffmpeg gets for an address that it asks the gateway for. */
const ask = async (gateway: Gateway, address: string, headers: Record<string, string> = {}) => {
  const outgoing = request({ host: '127.0.0.1', port: gateway.port, path: address, headers })
  outgoing.end()
  const [answer]: IncomingMessage[] = await once(outgoing, 'response')
  if (answer === undefined) throw new Error('no answer')
  const { statusCode, headers: answered } = answer
  return [statusCode, answered.location ?? answered['www-authenticate'], await text(answer)]
}

const kinds = [{ kind: 'basic' }, { kind: 'MD5', qop: 'auth' }, { kind: 'SHA-256', qop: 'auth', uses: 1 }]

describe('an HTTP camera with a password', () => {
  test.each(kinds)('gets the request again from the gateway (%o), unnoticed by ffmpeg', async (kind) => {
    const guard = createGuard({ ...ann, ...kind })
    const asked: (string | undefined)[] = []
    const port = await listening(
      createServer(
        guardedListener(guard, ({ url }, response) => {
          asked.push(url)
          response.end('pictures')
        }),
      ),
    )
    const gateway = await open(openHttpGateway(sourceAt(`http://${userInfo}@127.0.0.1:${port}/a/live.ts?key=b`), true))
    expect(gateway.url).toBe(`http://127.0.0.1:${port}/source.ts`)
    expect([
      await ask(gateway, gateway.url, { authorization: 'Basic eA==' }),
      await ask(gateway, `http://127.0.0.1:${port}/a/1.ts`),
      gateway.failure(),
    ]).toEqual([[200, undefined, 'pictures'], [200, undefined, 'pictures'], undefined])
    expect(asked).toEqual(['/a/live.ts?key=b', '/a/1.ts'])
    expect(guard.seen).toEqual(['asked', 'passed', ...('uses' in kind ? ['stale'] : []), 'passed'])
  })

  test.each(kinds)('that rejects it (%o) fails as HTTP_UNAUTHORIZED after one attempt', async (kind) => {
    const guard = createGuard({ ...ann, ...kind, password: 'another' })
    const port = await listening(createServer(guardedListener(guard)))
    const gateway = await open(openHttpGateway(sourceAt(`http://${userInfo}@127.0.0.1:${port}/`), true))
    const refused = [401, undefined, 'Who are you?']
    expect([await ask(gateway, gateway.url), await ask(gateway, gateway.url)]).toEqual([refused, refused])
    expect([guard.seen, gateway.failure()]).toEqual([['asked', 'wrong', 'asked'], 'HTTP_UNAUTHORIZED'])
  })

  test('alone gets the password: neither another port nor a host of a redirect does', async () => {
    const others = createGuard({ ...ann, kind: 'basic' })
    const elsewhere = await listening(createServer(guardedListener(others)))
    const own = createGuard({ ...ann, kind: 'basic' })
    const port = await listening(
      createServer(
        guardedListener(own, ({ url }, response) => {
          if (url === '/list.m3u8') response.end(`#EXTM3U\n#EXTINF:2,\nhttp://127.0.0.1:${elsewhere}/1.ts\n`)
          else response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/live` }).end()
        }),
      ),
    )
    const gateway = await open(openHttpGateway(sourceAt(`http://${userInfo}@127.0.0.1:${port}/live`), true))
    expect(await ask(gateway, gateway.url)).toEqual([302, `http://127.0.0.1:${elsewhere}/live`, ''])
    expect(await ask(gateway, `http://127.0.0.1:${port}/list.m3u8`)).toEqual([
      200,
      undefined,
      `#EXTM3U\n#EXTINF:2,\nhttp://127.0.0.1:${elsewhere}/1.ts\n`,
    ])
    expect(await ask(gateway, `http://127.0.0.1:${elsewhere}/live`)).toEqual([401, undefined, 'Who are you?'])
    expect([own.seen, others.seen, gateway.failure()]).toEqual([
      ['asked', 'passed', 'passed'],
      ['asked'],
      'HTTP_UNAUTHORIZED',
    ])
  })

  test('may redirect to a host with credentials of its own', async () => {
    const guard = createGuard({ username: 'bob', password: 'b b', kind: 'MD5', qop: 'auth' })
    const elsewhere = await listening(createHttpsServer(certified().tls, guardedListener(guard)))
    const location = `https://bob:b%20b@127.0.0.1:${elsewhere}/live`
    const port = await listening(createServer((_request, response) => response.writeHead(302, { location }).end()))
    const gateway = await open(openHttpGateway(sourceAt(`http://${userInfo}@127.0.0.1:${port}/live`), true))
    const toGateway = `http://127.0.0.1:${elsewhere}/live`
    expect(await ask(gateway, gateway.url)).toEqual([302, toGateway, ''])
    expect([await ask(gateway, toGateway), guard.seen]).toEqual([
      [200, undefined, 'pictures'],
      ['asked', 'passed'],
    ])
  })

  test('gets no credentials with line breaks', async () => {
    const location = '/next'
    const received: (string | undefined)[] = []
    const port = await listening(
      createServer(({ url, headers }, response) => {
        received.push(headers.authorization)
        if (url === '/live')
          response.writeHead(302, { location: `http://a%0d%0ab:c@127.0.0.1:${port}${location}` }).end()
        else response.writeHead(401, { 'www-authenticate': 'Digest realm="a", nonce="b"' }).end()
      }),
    )
    const gateway = await open(openHttpGateway(sourceAt(`http://127.0.0.1:${port}/live`), true))
    expect(await ask(gateway, gateway.url)).toEqual([302, `http://127.0.0.1:${port}/next`, ''])
    expect([await ask(gateway, `http://127.0.0.1:${port}/next`), received]).toEqual([
      [401, undefined, ''],
      [undefined, undefined],
    ])
  })
})

test.each([
  ['http://ann:b@camera.example/x', 'https://camera.example/y', true],
  ['http://ann:b@camera.example/x', 'http://camera.example:80/y', true],
  ['http://ann:b@camera.example:8080/x', 'https://camera.example/y', false],
  ['http://ann:b@camera.example/x', 'https://camera.example:8443/y', false],
  ['https://ann:b@camera.example/x', 'http://camera.example/y', false],
  ['https://ann:b@camera.example/x', 'http://camera.example:443/y', false],
  ['https://ann:b@camera.example/x', 'https://camera.example.evil/y', false],
  ['http://ann:b@camera.example/x', 'http://other.example/y', false],
])('the login in %s is sent to %s: %s', (source, address, isSent) => {
  expect(createLinks(new URL(source)).authorizer(new URL(address)) !== undefined).toBe(isSent)
})

test.each([
  ['http://camera.example/user=admin_password=secret.ts', 'http://camera.example/source.ts'],
  ['http://camera.example:8080/a/b/index.m3u8?token=c', 'http://camera.example:8080/source.m3u8'],
  ['https://[fd12::1]/live/secret', 'http://[fd12::1]:443/source'],
  ['https://ann:b@camera.example/x.php?y=.ts', 'http://camera.example:443/source'],
])('of %s ffmpeg is given %s', (source, first) => {
  const links = createLinks(new URL(source))
  expect([links.first, links.toSource(new URL(first)).href]).toEqual([first, source])
})

test('a playlist that would grow too long is refused', () => {
  const base = new URL(`http://camera.example/${'a'.repeat(10_000)}/index.m3u8`)
  const links = createLinks(base)
  const playlist = (count: number) => `#EXTM3U\n${'b\n'.repeat(count)}`
  expect(relinkPlaylist(playlist(2), base, links)).toBe(
    `#EXTM3U\n${`http://camera.example/${'a'.repeat(10_000)}/b\n`.repeat(2)}`,
  )
  expect(relinkPlaylist(playlist(1000), base, links)).toBeUndefined()
})

describe('an RTSP camera with a password', () => {
  /** What ffmpeg gets when it sends its requests one after another, each answer without its headers. */
  const talk = async (gateway: Gateway, requests: readonly string[]): Promise<string[]> => {
    const client = connect(gateway.port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.on('error', () => undefined)
    let received = ''
    const answers: string[] = []
    for (const each of requests) {
      client.write(each)
      while (!received.includes('\r\n\r\n')) {
        const [chunk]: Buffer[] = await once(client, 'data')
        received += chunk?.toString('latin1') ?? ''
      }
      answers.push(received)
      received = ''
    }
    return answers
  }

  const asks = (address: string): string[] => [
    `OPTIONS ${address} RTSP/1.0\r\nCSeq: 7\r\nUser-Agent: Lavf59\r\nAuthorization: Basic eA==\r\n\r\n`,
    `SETUP ${address}/track1 RTSP/1.0\r\nTransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nCSeq: 8\r\n\r\n`,
  ]

  test.each([...kinds, { kind: '' }])('is answered by the gateway (%o), with its own URL', async (kind) => {
    const guard = createGuard({ ...ann, ...kind })
    const { port, asked } = await startRtspCamera(guardedBy(guard))
    const source = sourceAt(`rtsp://${userInfo}@127.0.0.1:${port}/live?channel=1`)
    const gateway = await open(openRtspGateway(source, true))
    expect(gateway.url).toBe(`rtsp://127.0.0.1:${gateway.port}/source`)
    expect([await talk(gateway, asks(gateway.url)), gateway.failure()]).toEqual([
      [
        'RTSP/1.0 200 OK\r\ncseq: 7\r\npublic: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n\r\n',
        'RTSP/1.0 200 OK\r\ncseq: 8\r\ntransport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nsession: 1234;timeout=60\r\n\r\n',
      ],
      undefined,
    ])
    const [options, setup] = ['OPTIONS', 'SETUP'].map((method) => {
      const path = method === 'SETUP' ? '/track1' : ''
      return `${method} rtsp://127.0.0.1:${port}/live?channel=1${path} RTSP/1.0`
    })
    const isRenewed = 'uses' in kind
    expect(asked).toEqual([options, options, ...(isRenewed ? [setup] : []), setup])
    expect(guard.seen).toEqual(['asked', 'passed', ...(isRenewed ? ['stale'] : []), 'passed'])
  })

  test.each(kinds)('that rejects it (%o) fails in ffmpeg after one attempt', async (kind) => {
    const guard = createGuard({ ...ann, ...kind, password: 'another' })
    const { port } = await startRtspCamera(guardedBy(guard))
    const gateway = await open(openRtspGateway(sourceAt(`rtsp://${userInfo}@127.0.0.1:${port}/`), true))
    const [answer = ''] = await talk(gateway, asks(gateway.url).slice(0, 1))
    expect([answer.slice(0, answer.indexOf('\r\n\r\n')), guard.seen, gateway.failure()]).toEqual([
      'RTSP/1.0 401 Unauthorized\r\ncseq: 7\r\ncontent-length: 12',
      ['asked', 'wrong'],
      'HTTP_UNAUTHORIZED',
    ])
  })

  test.each([
    ['another protocol', 'GET / HTTP/1.1\r\nHost: camera\r\n\r\n'],
    ['a method that records', 'RECORD rtsp://127.0.0.1/source RTSP/1.0\r\nCSeq: 1\r\n\r\n'],
    ['a line of its own', 'OPTIONS * RTSP/1.0\r\nCSeq: 1\nX: y\r\n\r\n'],
    ['a head without end', `OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n${'X: y\r\n'.repeat(2000)}`],
  ])('gets nothing from an ffmpeg that sends %s', async (_name, sent) => {
    const { port, asked } = await startRtspCamera()
    const gateway = await open(openRtspGateway(sourceAt(`rtsp://${userInfo}@127.0.0.1:${port}/`), true))
    const client = connect(gateway.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write(sent)
    await once(client.resume(), 'close')
    expect([asked, gateway.failure()]).toEqual([[], 'ProbeError'])
  })

  test('gets packets and answers of ffmpeg unchanged, however they are split', async () => {
    const received: string[] = []
    const { port } = await startRtspCamera((method, _sequence, _socket, whole) => {
      received.push(whole)
      return method === 'RTSP/1.0' ? 'OPTIONS * RTSP/1.0\r\nCSeq: 9\r\n\r\n' : undefined
    })
    const gateway = await open(openRtspGateway(sourceAt(`rtsp://127.0.0.1:${port}/`), true))
    const client = connect(gateway.port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    for (const letter of '$\u0001\0\u0004abcdRTSP/1.0 200 OK\r\nCSeq: 3\r\n\r\n') client.write(letter, 'latin1')
    await once(client, 'data')
    expect(received).toEqual(['$\u0001\0\u0004abcdRTSP/1.0 200 OK\r\nCSeq: 3'])
  })
})

test.each([
  ['rtsp://admin:pa#ss@camera/live', 'Put login and password in their own fields'],
  ['http://admin:12#34@camera/live', 'Put login and password in their own fields'],
  ['rtsp://admin:pa/ss@camera/live', 'Put login and password in their own fields'],
  ['rtsp://admin:pa?ss@camera/live', 'Put login and password in their own fields'],
  ['rtsp://admin:p@ss#word@camera/live', 'Put login and password in their own fields'],
  ['rtsp://camera:port/live', 'Not an address'],
  ['rtsp://ann:a%0d%0ab@camera/live', 'Not an address'],
  ['rtsp://ann:a b@camera/live', 'Not an address'],
])('the address %s is refused: %s', (address, problem) => {
  expect(parseSource(address)).toBe(problem)
})

test.each([
  ['rtsp://ann:p@ss@camera/live', 'ann', 'p@ss'],
  ['rtsp://ann:%40%3A%2F%20%23%3F%25%C3%B6@camera/live', 'ann', '@:/ #?%ö'],
  ['http://%D0%B0%40b:c@camera/live', 'а@b', 'c'],
  ['http://ann:100%@camera/live', 'ann', '100%'],
  ['rtsp://camera:554/live/user@domain', '', ''],
  ['rtsp://camera/live#user', '', ''],
])('the address %s has the login %j and the password %j', (address, username, password) => {
  expect(parseSource(address)).toMatchObject({ host: 'camera', username, password })
})
