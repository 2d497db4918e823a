import { once } from 'node:events'
import { createServer as createHttpServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { onFault, type Fault } from '../../../server/guarded.ts'
import { connectSource, openGateway, type Gateway } from '../../../server/media/gateway.ts'
import { openHttpGateway } from '../../../server/media/http-gateway.ts'
import { openRtspGateway } from '../../../server/media/rtsp-gateway.ts'
import { createLinks } from '../../../server/media/links.ts'
import { sourceAt } from './sources.ts'
import { certified } from '../fixtures/tls.ts'

/** The gateway on this machine's own loopback, where a test reaches it as ffmpeg does from within its namespace. */
vi.mock('../../../server/media/sandbox.ts', () => ({
  sandbox: () => ({ isolation: undefined, before: [], user: undefined }),
}))

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address: AddressInfo | string | null = server.address()
  return address === null || typeof address === 'string' ? 0 : address.port
}

/** A camera of raw bytes: it sends them to whoever asks, and hangs up where `ends`. */
const rawCamera = (bytes: string, ends = true): Promise<number> =>
  portOf(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(bytes, 'latin1')
        if (ends) socket.end()
      })
      onTestFinished(() => void socket.destroy())
    }),
  )

/** Whose own address doesn't matter. */
const anyCamera = sourceAt('http://any.example/live')

const camera = (listener: RequestListener): Promise<number> => portOf(createHttpServer(listener))

const open = async <Opened extends Gateway>(opening: Promise<Opened>): Promise<Opened> => {
  const gateway = await opening
  onTestFinished(gateway.close)
  return gateway
}

/** What ffmpeg is answered: the status where the answer came whole, and `lost` where the connection ended before. */
const ask = async (
  gateway: Gateway,
  address: string,
): Promise<{ outcome: string; answer: IncomingMessage | undefined; body: string }> => {
  try {
    const outgoing = request({
      host: '127.0.0.1',
      port: gateway.port,
      path: address,
      headers: { 'proxy-authorization': 'x' },
    })
    outgoing.end()
    const [answer]: IncomingMessage[] = await once(outgoing, 'response')
    if (answer === undefined) throw new Error('no answer')
    return { outcome: String(answer.statusCode), body: await text(answer), answer }
  } catch {
    return { outcome: 'lost', answer: undefined, body: '' }
  }
}

/** Nothing may reach `uncaughtException`, and nothing here is a fault of ours. */
const watched = (): { crashes: unknown[]; faults: Fault[] } => {
  const crashes: unknown[] = []
  const faults: Fault[] = []
  const note = (error: unknown) => void crashes.push(error)
  process.on('uncaughtException', note)
  process.on('unhandledRejection', note)
  const stop = onFault((fault) => void faults.push(fault))
  onTestFinished(() => {
    process.off('uncaughtException', note)
    process.off('unhandledRejection', note)
    stop()
  })
  return { crashes, faults }
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n'

test('a source that floods loses its connections, for a reason of its own', async () => {
  const flood = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    const send = (): boolean => socket.writable && socket.write(Buffer.alloc(65_536), send)
    send()
  })
  const port = await portOf(flood)
  const gateway = await open(
    openGateway(
      ({ track }) =>
        async (client) => {
          track(await connectSource('127.0.0.1', port, false, true)).pipe(client)
        },
      undefined,
      { bytes: 100_000, everyMs: 1 },
    ),
  )
  const client = connect(gateway.port, '127.0.0.1')
  client.on('error', () => undefined)
  client.resume()
  await once(client, 'close')
  expect(gateway.failure()).toBe('The source sends too much at once')
})

describe('an HTTP source with an invalid answer loses only its own connection', () => {
  test.each([
    ['a trailer announced without chunks', `${ok}Trailer: x-a\r\nContent-Length: 4\r\n\r\nabcd`, '200'],
    ['a trailer', `${ok}Trailer: x-a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\nx-a: 1\r\n\r\n`, '200'],
    ['a bad trailer', `${ok}Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\nbad trailer\0\r\n\r\n`, 'lost'],
    [
      'a trailer of 100 kB',
      `${ok}Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`,
      'lost',
    ],
    ['status 099', 'HTTP/1.1 099 No\r\nContent-Length: 0\r\n\r\n', '502'],
    ['status 000', 'HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n', '502'],
    ['status 1000', 'HTTP/1.1 1000 No\r\nContent-Length: 0\r\n\r\n', 'lost'],
    ['status 999', 'HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n', '502'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n', 'lost'],
    [
      'other protocols by an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabcd',
      'lost',
    ],
    [
      'early hints, then a picture',
      `HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${ok}Content-Length: 4\r\n\r\nabcd`,
      '200',
    ],
    ['early hints without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100), 'lost'],
    ['half a body', `${ok}Content-Length: 400\r\n\r\nabcd`, 'lost'],
    ['less than its first bytes', `${ok}Content-Length: 400\r\n\r\n`, 'lost'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-Ty', 'lost'],
    ['nothing', '', 'lost'],
    ['control characters in a header', `${ok}X-A: a\u0001b\r\nContent-Length: 4\r\n\r\nabcd`, 'lost'],
    ['a NUL in a header that passes', 'HTTP/1.1 200 OK\r\nContent-Type: a\0b\r\nContent-Length: 4\r\n\r\nabcd', 'lost'],
    [
      'letters of no ASCII in a header that passes',
      'HTTP/1.1 200 OK\r\nContent-Type: \xff\xfe\r\nContent-Length: 4\r\n\r\nabcd',
      '200',
    ],
    ['headers of 100 kB', `${ok}X-A: ${'a'.repeat(100_000)}\r\n\r\n`, 'lost'],
    ['ten thousand headers', `${ok}${'a: b\r\n'.repeat(10_000)}\r\n`, 'lost'],
    ['a length twice', `${ok}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`, 'lost'],
    [
      'a length and chunks',
      `${ok}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n`,
      'lost',
    ],
    ['a length below nothing', `${ok}Content-Length: -1\r\n\r\nabcd`, 'lost'],
    ['a chunk of no size', `${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\nabcd`, 'lost'],
    ['Connection: content-length', `${ok}Connection: content-length\r\nContent-Length: 4\r\n\r\nabcd`, '200'],
    ['framing of its own', `${ok}Transfer-Encoding: gzip, x\r\n\r\nabcd`, '200'],
    ['a playlist without end', `${ok}\r\n#EXTM3U\n${'#EXTINF:2,\nsegment.ts\n'.repeat(250_000)}`, '502'],
    ['no HTTP at all', '\0\x01\x02\xff', 'lost'],
    ['TLS', '\x15\x03\x01\0\x02\x02\x28', 'lost'],
  ])('%s', async (_name, bytes, outcome) => {
    const seen = watched()
    const gateway = await open(openHttpGateway(anyCamera, true))
    const [bad, good] = [await rawCamera(bytes), await camera((_request, response) => response.end('sound'))]
    const first = await ask(gateway, `http://127.0.0.1:${bad}/live`)
    const next = await ask(gateway, `http://127.0.0.1:${good}/live`)
    expect([first.outcome, next.outcome, next.body, seen]).toEqual([
      outcome,
      '200',
      'sound',
      { crashes: [], faults: [] },
    ])
  })

  test('ffmpeg may end at any moment', async () => {
    const seen = watched()
    const gateway = await open(openHttpGateway(anyCamera, true))
    const port = await camera((_request, response) => {
      response.write('begun')
      response.write(Buffer.alloc(1_000_000))
    })
    for (const bytes of [
      '',
      'GET ',
      `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
      'bad\0\r\n\r\n',
      `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]) {
      const client = connect(gateway.port, '127.0.0.1')
      client.on('error', () => undefined)
      client.write(bytes)
      if (bytes.startsWith('GET http')) await once(client, 'data')
      client.destroy()
      await once(client, 'close')
    }
    expect((await ask(gateway, 'http://127.0.0.1:9/')).outcome).toBe('502')
    expect([gateway.failure(), seen]).toEqual(['EHOSTUNREACH', { crashes: [], faults: [] }])
  })
})

test('only known headers of an answer pass; repeated ones stay separate', async () => {
  const gateway = await open(openHttpGateway(anyCamera, true))
  const received: NodeJS.Dict<string | string[]>[] = []
  const port = await camera(({ headers }, response) => {
    received.push(headers)
    response
      .writeHead(401, {
        'content-type': 'text/plain',
        'icy-metaint': '16',
        'x-evil': '1',
        'proxy-authenticate': 'Basic',
        'strict-transport-security': 'max-age=9',
        'www-authenticate': ['Digest realm="a"', 'Basic realm="b"'],
        'set-cookie': ['a=1', 'b=2'],
        'keep-alive': 'timeout=9',
        server: 'evil',
      })
      .end('no')
  })
  const { answer, body } = await ask(gateway, `http://127.0.0.1:${port}/live`)
  expect([body, { ...answer?.headersDistinct, date: undefined }]).toEqual([
    'no',
    {
      'content-type': ['text/plain'],
      'icy-metaint': ['16'],
      'set-cookie': ['a=1', 'b=2'],
      'transfer-encoding': ['chunked'],
      connection: ['keep-alive'],
      'keep-alive': ['timeout=5'],
    },
  ])
  expect(received).toEqual([{ host: `127.0.0.1:${port}`, connection: 'close' }])
})

test('a missing segment is a reason until another one has come, whatever the playlist answers', async () => {
  const port = await camera(({ url }, response) => {
    if (url === '/index.m3u8') response.end('#EXTM3U\n#EXTINF:2,\n1.ts\n#EXTINF:2,\n2.ts\n')
    else response.writeHead(url === '/1.ts' ? 404 : 200).end('pictures')
  })
  const gateway = await open(openHttpGateway(sourceAt(`http://127.0.0.1:${port}/index.m3u8`), true))
  const seen: (string | undefined)[] = []
  for (const path of ['1.ts', 'index.m3u8', '2.ts', 'index.m3u8', '1.ts']) {
    await ask(gateway, `http://127.0.0.1:${port}/${path}`)
    seen.push(gateway.failure())
  }
  expect(seen).toEqual(['HTTP_NOT_FOUND', 'HTTP_NOT_FOUND', undefined, undefined, 'HTTP_NOT_FOUND'])
})

describe('an address that a source names', () => {
  test.each([
    'file:///etc/passwd',
    'httpproxy://127.0.0.1:9/',
    'tcp://127.0.0.1:9',
    'tls://127.0.0.1:9',
    'rtsp://127.0.0.1/',
    'crypto+http://127.0.0.1/',
    'data:,x',
    'http://[::1',
    '//',
  ])('redirects nowhere as %s', async (location) => {
    const gateway = await open(openHttpGateway(anyCamera, true))
    const port = await camera((_request, response) => response.writeHead(302, { location }).end())
    const { outcome, answer } = await ask(gateway, `http://127.0.0.1:${port}/`)
    expect([outcome, answer?.headers.location, gateway.failure()]).toEqual(['403', undefined, 'ACCESS_DENIED_ERR'])
  })

  test.each([
    ['/next', (port: number) => `http://127.0.0.1:${port}/next`],
    ['http://camera.example/next', () => 'http://camera.example/next'],
    ['https://camera.example/next?a=1', () => 'http://camera.example:443/next?a=1'],
    ['https://a:b@camera.example:8443/next', () => 'http://camera.example:8443/next'],
  ])('redirects as %s', async (location, rewritten) => {
    const gateway = await open(openHttpGateway(anyCamera, true))
    const port = await camera((_request, response) => response.writeHead(302, { location }).end())
    const { outcome, answer } = await ask(gateway, `http://127.0.0.1:${port}/`)
    expect([outcome, answer?.headers.location]).toEqual(['302', rewritten(port)])
  })

  test('may be HTTPS: the gateway speaks TLS, with any certificate, to a name or an IP address', async () => {
    const { tls } = certified()
    const hosts: (string | undefined)[] = []
    const listener: RequestListener = ({ url, headers }, response) => {
      hosts.push(headers.host)
      if (url === '/segment.ts') response.end('pictures')
      else
        response
          .writeHead(206, { 'content-range': 'bytes 0-9/10' })
          .end(
            `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="https://localhost:${port}/key",IV=0x1\r\n#EXTINF:2,\r\nhttps://localhost:${port}/segment.ts\r\n` +
              `#EXTINF:2,\nsegment.ts?next=https://x/\n#EXTINF:2,\n//localhost:${port}/segment.ts\n`,
          )
    }
    const port = await portOf(createHttpsServer(tls, listener))
    const gateway = await open(openHttpGateway(sourceAt(`https://127.0.0.1:${port}/a/index.m3u8?key=b`), true))
    expect(gateway.url).toBe(`http://127.0.0.1:${port}/source.m3u8`)
    const playlist = await ask(gateway, gateway.url)
    expect([playlist.outcome, playlist.answer?.headers['content-range'], playlist.body]).toEqual([
      '200',
      undefined,
      `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="http://localhost:${port}/key",IV=0x1\r\n#EXTINF:2,\r\nhttp://localhost:${port}/segment.ts\n` +
        `#EXTINF:2,\nhttp://127.0.0.1:${port}/a/segment.ts?next=https://x/\n#EXTINF:2,\nhttp://localhost:${port}/segment.ts\n`,
    ])
    expect((await ask(gateway, `http://localhost:${port}/segment.ts`)).body).toBe('pictures')
    expect(hosts).toEqual([`127.0.0.1:${port}`, `localhost:${port}`])
  })

  test('at most 256 HTTPS hosts are remembered', () => {
    const links = createLinks(new URL('http://any.example/'))
    const converted = Array.from({ length: 300 }, (_, index) =>
      links.toGateway(new URL(`https://host-${index}.example/`)),
    )
    expect([
      converted.filter((each) => each !== undefined).length,
      links.toGateway(new URL('https://host-7.example/x')),
    ]).toEqual([256, 'http://host-7.example:443/x'])
  })
})

describe('an RTSP camera', () => {
  const source = (port: number, scheme: 'rtsp' | 'rtsps' = 'rtsp', host = '127.0.0.1') =>
    ({ kind: 'network', scheme, host, port, path: '/live', username: '', password: '' }) as const

  /** What ffmpeg gets until its connection ends, or until it has as much as `enough`. */
  const relayed = async (gateway: Gateway, enough = Infinity): Promise<string> => {
    const client = connect(gateway.port, '127.0.0.1')
    client.on('error', () => undefined)
    client.write('OPTIONS rtsp://127.0.0.1/live RTSP/1.0\r\nCSeq: 1\r\n\r\n')
    let received = ''
    client.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (received.length >= enough) client.destroy()
    })
    await once(client, 'close')
    return received
  }

  test.each([
    [
      'a carriage return within its name',
      'RT\rSP/1.0 302 Moved\r\nLocation: rtsp://127.0.0.1:9/\r\n\r\n',
      'ProbeError',
    ],
    ['a redirect', 'RTSP/1.0 302 Moved\r\nLocation: rtsp://127.0.0.1:9/\r\n\r\n', 'ACCESS_DENIED_ERR'],
    ['a redirect behind a packet', '$\0\0\u0001xRTSP/1.0 302 Moved\r\n\r\n', 'ACCESS_DENIED_ERR'],
    [
      'a request to go elsewhere',
      'REDIRECT rtsp://127.0.0.1/live RTSP/1.0\r\nLocation: rtsp://127.0.0.1:9/\r\n\r\n',
      'ACCESS_DENIED_ERR',
    ],
    ['390 kB of its name', 'RTSP/'.repeat(78_000), 'ProbeError'],
    ['a head without end', `RTSP/1.0 200 OK\r\n${'Public: OPTIONS\r\n'.repeat(100)}`, 'ProbeError'],
    ['noise', '\0\x01\x02\xff\r\n', 'ProbeError'],
    ['HTTP', 'HTTP/1.1 200 OK\r\n\r\n', 'ProbeError'],
  ])('that answers with %s is disconnected, and nothing of it passes', async (_name, bytes, failure) => {
    const seen = watched()
    const gateway = await open(openRtspGateway(source(await rawCamera(bytes, false)), true))
    expect([await relayed(gateway), gateway.failure(), seen]).toEqual(['', failure, { crashes: [], faults: [] }])
  })

  test('speaks TLS by IP address as well as by name', async () => {
    const { tls } = certified()
    const { createServer } = await import('node:tls')
    const names: unknown[] = []
    const port = await portOf(
      createServer(tls, (socket) => {
        names.push(socket.servername)
        socket.on('error', () => undefined)
        socket.once('data', () => socket.write('RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n'))
      }),
    )
    const answer = 'RTSP/1.0 200 OK\r\ncseq: 1\r\n\r\n'
    const received = await Promise.all(
      ['127.0.0.1', 'localhost'].map(async (host) =>
        relayed(await open(openRtspGateway(source(port, 'rtsps', host), true)), answer.length),
      ),
    )
    expect([received, names.toSorted()]).toEqual([[answer, answer], [false, 'localhost'].toSorted()])
  })

  test.each([
    ['is unreachable', async () => 9],
    ['hangs up without a word', () => rawCamera('')],
    [
      'resets the connection',
      () =>
        portOf(
          createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy())),
        ),
    ],
  ])('that %s fails as EHOSTUNREACH, and ends the connection of ffmpeg', async (_name, portOfCamera) => {
    const seen = watched()
    const gateway = await open(openRtspGateway(source(await portOfCamera()), true))
    expect([await relayed(gateway), gateway.failure(), seen]).toEqual(['', 'EHOSTUNREACH', { crashes: [], faults: [] }])
  })

  test('that answers and then hangs up ends the connection of ffmpeg, for no reason of the gateway', async () => {
    const seen = watched()
    const gateway = await open(openRtspGateway(source(await rawCamera('RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n')), true))
    expect([await relayed(gateway), gateway.failure(), seen]).toEqual([
      'RTSP/1.0 200 OK\r\ncseq: 1\r\n\r\n',
      undefined,
      { crashes: [], faults: [] },
    ])
  })
})

test('an error in the gateway is reported and ends only its connection', async () => {
  const { openGateway } = await import('../../../server/media/gateway.ts')
  const seen = watched()
  const error = new Error('broken')
  const served: Socket[] = []
  const gateway = await open(
    openGateway(() => (client) => {
      served.push(client)
      if (served.length === 1) throw error
      if (served.length === 2) return Promise.reject(error)
      client.end('served')
      return undefined
    }),
  )
  const received: string[] = []
  for (let count = 0; count < 3; count += 1) received.push(await text(connect(gateway.port, '127.0.0.1')))
  expect([received, gateway.failure(), seen]).toEqual([
    ['', '', 'served'],
    'ProbeError',
    {
      crashes: [],
      faults: [
        { callback: 'gateway: connection', error },
        { callback: 'gateway: connection', error },
      ],
    },
  ])
})
