import { createServer as createTcpServer } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer as createHttpsServer } from 'node:https'
import { once } from 'node:events'
import { maskSecrets } from '../../../server/http/log.ts'
import {
  isMasked,
  maskCredentials,
  parseSource,
  restoreCredentials,
  withoutCredentials,
} from '../../../server/media/source.ts'
import { startRtspCamera, type RtspBehaviour } from '../fixtures/rtsp-camera.ts'
import { certified } from '../fixtures/tls.ts'
import { logged, serve, startVideo, shortClip } from '../fixtures/video.ts'

const secret = 'the server keeps this to itself'

/** A file of this server that looks like video enough to be played if it were opened. */
const secretFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret.ts')
  writeFileSync(file, secret)
  return file
}

const reasonOf = (body: unknown): unknown => Reflect.get(Object(Reflect.get(Object(body), 'details')), 'reason')

test.each([
  ['no address at all', 'a camera'],
  ['a path', '/etc/passwd'],
  ['file:', 'file:///etc/passwd'],
  ['concat:', 'concat:/etc/passwd|/etc/hosts'],
  ['subfile:', 'subfile,,start,0,end,100,,:/etc/passwd'],
  ['data:', 'data:video/mp2t;base64,AAAA'],
  ['an option in place of an address', '-i /etc/passwd'],
  ['ffmpeg’s own prefix', 'http+file:///etc/passwd'],
  ['pipe:', 'pipe:0'],
  ['tcp:', 'tcp://127.0.0.1:22'],
])('%s is refused beside its field, and by the probe', async (_name, source) => {
  const { ask, admin } = await startVideo()
  const made = await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'x', streamSource: source } })
  expect(made).toMatchObject({
    status: 400,
    body: { code: 'ValidationError', details: { streamSource: expect.any(String) } },
  })
  const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(source)}`, { cookie: admin })
  expect(probe).toMatchObject({ status: 400, body: { code: 'ProbeError' } })
})

test.each([
  '127.0.0.1',
  'localhost',
  '127.1',
  '0x7f000001',
  '2130706433',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '169.254.169.254',
  '0.0.0.0',
  '[fe80::1]',
  '[64:ff9b::7f00:1]',
])('a source on %s is refused where loopback is not allowed', async (host) => {
  const { ask, admin } = await startVideo({ allowLoopback: false })
  for (const scheme of ['rtsp', 'http']) {
    const source = `${scheme}://${host}/stream`
    const made = await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'x', streamSource: source } })
    expect(made.status, source).toBe(400)
    const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(source)}`, { cookie: admin })
    expect([reasonOf(probe.body), probe.status], source).toEqual(['ACCESS_DENIED_ERR', 400])
  }
})

describe('what a source answers leads nowhere it may not go', () => {
  test.each([
    ['a redirect to file:', (file: string) => ({ status: 302, location: `file://${file}`, body: '' })],
    ['a redirect to concat:', (file: string) => ({ status: 302, location: `concat:${file}`, body: '' })],
    [
      'a redirect to a link-local address',
      () => ({ status: 302, location: 'http://169.254.169.254/latest/meta-data', body: '' }),
    ],
    [
      'an HLS playlist of a file',
      (file: string) => ({
        status: 200,
        body: `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://${file}\n#EXT-X-ENDLIST\n`,
      }),
    ],
    [
      'an HLS playlist of concat:',
      (file: string) => ({
        status: 200,
        body: `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nconcat:${file}\n#EXT-X-ENDLIST\n`,
      }),
    ],
    [
      'an HLS key from a file',
      (file: string) => ({
        status: 200,
        body: `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI="file://${file}"\n#EXTINF:2,\nsegment.ts\n#EXT-X-ENDLIST\n`,
      }),
    ],
    [
      'a list for ffmpeg to join',
      (file: string) => ({ status: 200, body: `ffconcat version 1.0\nfile 'file://${file}'\n` }),
    ],
    [
      'a session description',
      () => ({
        status: 200,
        body: 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5000 RTP/AVP 96\na=rtpmap:96 H264/90000\n',
      }),
    ],
    ['a web page', () => ({ status: 200, body: '<!doctype html><title>Camera</title>' })],
  ])('%s', async (_name, answer) => {
    const { ask, admin } = await startVideo()
    const file = secretFile()
    const origin = await serve((_request, response) => {
      const { status, location, body }: { status: number; location?: string; body: string } = answer(file)
      if (location !== undefined) response.setHeader('location', location)
      response.writeHead(status).end(body)
    })
    const url = encodeURIComponent(`${origin}/index.m3u8`)
    for (const call of ['probe', 'preview']) {
      const reply = await ask('GET', `/v1/stream/${call}?url=${url}`, { cookie: admin })
      expect(reply).toMatchObject({ status: 400, body: { code: 'ProbeError' } })
      expect(JSON.stringify(reply.body)).not.toContain(secret)
      expect([
        'ProbeError',
        'ACCESS_DENIED_ERR',
        'EHOSTUNREACH',
        'The source has no video',
        'HTTP_NOT_FOUND',
      ]).toContain(reasonOf(reply.body))
    }
  })
})

test.each([
  [401, 'HTTP_UNAUTHORIZED'],
  [403, 'ACCESS_DENIED_ERR'],
  [404, 'HTTP_NOT_FOUND'],
  [500, 'ProbeError'],
])('a source that answers %i fails as %s', async (status, reason) => {
  const { ask, admin } = await startVideo()
  const origin = await serve((_request, response) => response.writeHead(status).end())
  const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(`${origin}/x`)}`, { cookie: admin })
  expect([probe.status, reasonOf(probe.body)]).toEqual([400, reason])
})

test('a host that does not answer fails as EHOSTUNREACH, with a word in the log and another attempt', async () => {
  const { ask, admin, site } = await startVideo()
  const { body } = await ask('POST', '/v1/stream', {
    cookie: admin,
    body: { name: 'Away', streamSource: 'rtsp://127.0.0.1:9/live' },
  })
  const uid = String(Reflect.get(Object(body), 'uid'))
  expect(await logged(site, uid, /trying again/)).toMatch(
    /^The camera doesn't answer; trying again in (?:0\.[7-9]|1|1\.[1-3]) s$/,
  )
  const stream = await ask('GET', `/v1/stream/${uid}`, { cookie: admin })
  expect(stream.body).toMatchObject({ status: 'failed', failureReason: 'EHOSTUNREACH' })
  const live = await ask('GET', `/v1/stream/${uid}/archive/index.m3u8`, { cookie: admin })
  expect(live).toMatchObject({ status: 404, body: { code: 'NotFound' } })
})

/** Something on this machine that no source may lead to; `asked` lists who came. */
const startInside = async (): Promise<{ port: number; asked: string[] }> => {
  const asked: string[] = []
  const server = createTcpServer((socket) => {
    asked.push('connected')
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  return { port: address === null || typeof address === 'string' ? 0 : address.port, asked }
}

test.each([
  ['ACCESS_DENIED_ERR', 'behind a packet', '$\0\0\u0001xRTSP/1.0 302 Moved'],
  ['ACCESS_DENIED_ERR', 'with a number of its own', 'RTSP/1.0 399 Moved'],
  ['ProbeError', 'with a carriage return in its name', 'RT\rSP/1.0 302 Moved'],
  ['ProbeError', 'with spaces before its status', 'RTSP/1.0   302 Moved'],
  ['ProbeError', 'with a sign before its status', 'RTSP/1.0 +302 Moved'],
  ['ProbeError', 'of a version that is none', 'RTSP/ 302 Moved'],
  ['ProbeError', 'behind a packet that has less than a head', '$\0\0\u0007RTSP/\r\n$\0\0\u0001x302'],
])('an RTSP camera that redirects (%s) %s is not followed', async (reason, _name, status) => {
  const { ask, admin } = await startVideo()
  const inside = await startInside()
  const { port } = await startRtspCamera(
    (_method, sequence) => `${status}\r\nCSeq: ${sequence}\r\nLocation: rtsp://127.0.0.1:${inside.port}/inside\r\n\r\n`,
  )
  const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(`rtsp://127.0.0.1:${port}/live`)}`, {
    cookie: admin,
  })
  expect([probe.status, reasonOf(probe.body), inside.asked]).toEqual([400, reason, []])
})

test.each([
  ['a segment', (inside: string) => `#EXTINF:2,\n${inside}\n`],
  ['a key', (inside: string) => `#EXT-X-KEY:METHOD=AES-128,URI="${inside}"\n#EXTINF:2,\nsegment.ts\n`],
  ['a map', (inside: string) => `#EXT-X-MAP:URI="${inside}"\n#EXTINF:2,\nsegment.ts\n`],
  ['a variant', (inside: string) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${inside}\n`],
])('an HLS playlist with %s that ffmpeg would fetch past the gateway leads nowhere', async (_name, body) => {
  const { ask, admin } = await startVideo()
  const inside = await startInside()
  for (const scheme of ['httpproxy', 'crypto+httpproxy', 'tcp', 'tls', 'rtmp', 'http+tcp']) {
    const origin = await serve((request, response) => {
      if (request.url === '/index.m3u8')
        response.end(
          `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${body(`${scheme}://127.0.0.1:${inside.port}/x:80`)}#EXT-X-ENDLIST\n`,
        )
      else response.end(Buffer.alloc(1880))
    })
    const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(`${origin}/index.m3u8`)}`, {
      cookie: admin,
    })
    expect([scheme, probe.status, inside.asked]).toEqual([scheme, 400, []])
  }
})

test('cameras are taken in by RTSP and RTSPS, with a password, to an address or to a name', async () => {
  const { ask, admin } = await startVideo()
  const answers: string[] = []
  const guardedCamera: RtspBehaviour = (method, sequence, socket) => {
    if (method === 'OPTIONS' || answers.includes(`${socket.remotePort}`)) return undefined
    answers.push(`${socket.remotePort}`)
    return `RTSP/1.0 401 Unauthorized\r\nCSeq: ${sequence}\r\nWWW-Authenticate: Digest realm="a", nonce="b"\r\nWWW-Authenticate: Basic realm="a"\r\n\r\n`
  }
  const [plain, secure] = [await startRtspCamera(guardedCamera), await startRtspCamera(undefined, certified().tls)]
  for (const source of [
    `rtsp://a:b@127.0.0.1:${plain.port}/live`,
    `rtsps://127.0.0.1:${secure.port}/live`,
    `rtsps://localhost:${secure.port}/live`,
  ]) {
    const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(source)}`, { cookie: admin })
    expect([source, probe]).toEqual([
      source,
      expect.objectContaining({ status: 200, body: expect.objectContaining({ format: 'rtsp' }) }),
    ])
  }
})

test('a camera by HTTPS whose playlist names secure addresses of its own is taken in', async () => {
  const { ask, admin } = await startVideo()
  const { tls } = certified()
  const pictures = shortClip()
  let port = 0
  const server = createHttpsServer(tls, (request, response) => {
    if (request.url === '/moved.m3u8')
      response.writeHead(302, { location: `https://localhost:${port}/index.m3u8` }).end()
    else if (request.url === '/index.m3u8')
      response.end(
        `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttps://127.0.0.1:${port}/segment.ts\n#EXT-X-ENDLIST\n`,
      )
    else pictures(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  port = address === null || typeof address === 'string' ? 0 : address.port
  for (const path of ['segment.ts', 'index.m3u8', 'moved.m3u8']) {
    const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(`https://127.0.0.1:${port}/${path}`)}`, {
      cookie: admin,
    })
    expect([path, probe.status]).toEqual([path, 200])
  }
})

test('credentials never leave: masked for those who only watch, kept when the mask is sent back, absent for a share', async () => {
  const { ask, admin, addUser, signIn, context } = await startVideo()
  const source = 'rtsp://root:p%40ss@127.0.0.1:9/live?x=1'
  const { body } = await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'Safe', streamSource: source } })
  const uid = String(Reflect.get(Object(body), 'uid'))
  await addUser('watcher')
  await ask('POST', `/v1/stream/${uid}/permissions`, {
    cookie: admin,
    body: { permissions: [{ login: 'watcher', canView: true, canViewArchive: false, canAdmin: false }] },
  })
  const seenBy = async (asks: Parameters<typeof ask>[2]) =>
    Reflect.get(Object((await ask('GET', `/v1/stream/${uid}`, asks)).body), 'streamSource')
  expect(await seenBy({ cookie: admin })).toBe(source)
  expect(await seenBy({ cookie: await signIn('watcher') })).toBe('rtsp://***@127.0.0.1:9/live?x=1')
  expect(await seenBy({ headers: { 'share-token': await context.shares.open(uid) } })).toBe(
    'rtsp://127.0.0.1:9/live?x=1',
  )
  const kept = await ask('PUT', `/v1/stream/${uid}`, {
    cookie: admin,
    body: { name: 'Safe', streamSource: 'rtsp://***@127.0.0.1:9/other' },
  })
  expect(kept.body).toMatchObject({ streamSource: 'rtsp://root:p%40ss@127.0.0.1:9/other' })
  const moved = await ask('PUT', `/v1/stream/${uid}`, {
    cookie: admin,
    body: { name: 'Safe', streamSource: 'rtsp://***@127.0.0.2:9/other' },
  })
  expect(moved).toMatchObject({ status: 400, body: { details: { streamSource: expect.any(String) } } })
  const { body: lines } = await ask('GET', `/v1/stream/${uid}/logs`, { cookie: admin })
  expect(JSON.stringify(lines)).not.toContain('p%40ss')
})

test.each([
  ['http://cam/v.cgi?user=admin&pwd=S3cret/1', 'http://cam/v.cgi?user=***&pwd=***', 'http://cam/v.cgi?user=&pwd='],
  [
    'rtsp://cam/user=admin_password=S3cret_channel=1_stream=0.sdp',
    'rtsp://cam/user=***_password=***_channel=1_stream=0.sdp',
    'rtsp://cam/user=_password=_channel=1_stream=0.sdp',
  ],
  [
    'rtsp://root:S3@cret@cam/live?access_token=S3cret&x=1',
    'rtsp://***@cam/live?access_token=***&x=1',
    'rtsp://cam/live?access_token=&x=1',
  ],
  ['http://cam/live?monkey=1', 'http://cam/live?monkey=1', 'http://cam/live?monkey=1'],
])('credentials are those of %s too', (source, masked, without) => {
  expect([maskCredentials(source), withoutCredentials(source), restoreCredentials(masked, source)]).toEqual([
    masked,
    without,
    source,
  ])
  expect([isMasked(source), isMasked(masked)]).toEqual([false, masked !== source])
  expect(restoreCredentials(masked, source.replace('cam/', 'other/'))).toBe(masked)
  expect(maskSecrets(`GET ${source} failed`)).toBe(`GET ${masked} failed`)
})

test.each([
  'http:cam:S3cret@10.0.0.1/a',
  'http:/cam:S3cret@10.0.0.1/a',
  'http:///cam:S3cret@10.0.0.1/a',
  'http:\\\\cam:S3cret@10.0.0.1/a',
])('%s is no address', (text) => {
  expect(parseSource(text)).toBe('Not an address')
})
