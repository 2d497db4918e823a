import { createServer as createTcpServer } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer as createHttpServer, request } from 'node:http'
import { once } from 'node:events'
import { maskSecrets } from '../../server/http/log.ts'
import { openHttpGateway } from '../../server/media/gateway.ts'
import { isMasked, maskCredentials, parseSource, restoreCredentials, withoutCredentials } from '../../server/media/source.ts'
import { logged, serve, startVideo } from './video.ts'

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
  expect(made).toMatchObject({ status: 400, body: { code: 'ValidationError', details: { streamSource: expect.any(String) } } })
  const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(source)}`, { cookie: admin })
  expect(probe).toMatchObject({ status: 400, body: { code: 'ProbeError' } })
})

test.each(['127.0.0.1', 'localhost', '127.1', '0x7f000001', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '0.0.0.0', '[fe80::1]', '[64:ff9b::7f00:1]'])(
  'a source on %s is refused where loopback is not allowed',
  async (host) => {
    const { ask, admin } = await startVideo({ allowLoopback: false })
    for (const scheme of ['rtsp', 'http']) {
      const source = `${scheme}://${host}/stream`
      const made = await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'x', streamSource: source } })
      expect(made.status, source).toBe(400)
      const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(source)}`, { cookie: admin })
      expect([reasonOf(probe.body), probe.status], source).toEqual(['ACCESS_DENIED_ERR', 400])
    }
  },
)

describe('what a source answers leads nowhere it may not go', () => {
  test.each([
    ['a redirect to file:', (file: string) => ({ status: 302, location: `file://${file}`, body: '' })],
    ['a redirect to concat:', (file: string) => ({ status: 302, location: `concat:${file}`, body: '' })],
    ['a redirect to a link-local address', () => ({ status: 302, location: 'http://169.254.169.254/latest/meta-data', body: '' })],
    ['an HLS playlist of a file', (file: string) => ({ status: 200, body: `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://${file}\n#EXT-X-ENDLIST\n` })],
    ['an HLS playlist of concat:', (file: string) => ({ status: 200, body: `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nconcat:${file}\n#EXT-X-ENDLIST\n` })],
    ['an HLS key from a file', (file: string) => ({ status: 200, body: `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI="file://${file}"\n#EXTINF:2,\nsegment.ts\n#EXT-X-ENDLIST\n` })],
    ['a list for ffmpeg to join', (file: string) => ({ status: 200, body: `ffconcat version 1.0\nfile 'file://${file}'\n` })],
    ['a session description', () => ({ status: 200, body: 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5000 RTP/AVP 96\na=rtpmap:96 H264/90000\n' })],
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
      expect(['ProbeError', 'ACCESS_DENIED_ERR', 'EHOSTUNREACH', 'The source has no video', 'HTTP_NOT_FOUND']).toContain(reasonOf(reply.body))
    }
  })

  test('a redirect or a playlist that leads to this machine never arrives', async () => {
    const asked: string[] = []
    const inside = createHttpServer((request, response) => {
      asked.push(request.url ?? '')
      response.end(secret)
    })
    inside.listen(0, '127.0.0.1')
    await once(inside, 'listening')
    onTestFinished(() => {
      inside.close()
    })
    const address = inside.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    const gateway = await openHttpGateway(false)
    onTestFinished(gateway.close)
    const reply = await new Promise<number>((resolve) => {
      const through = { host: '127.0.0.1', port: gateway.port, path: `http://127.0.0.1:${port}/inside` }
      request(through, (answer) => {
        resolve(answer.statusCode ?? 0)
        answer.resume()
      }).end()
    })
    expect([reply, gateway.failure(), asked]).toEqual([502, 'ACCESS_DENIED_ERR', []])
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
  const { body } = await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'Away', streamSource: 'rtsp://127.0.0.1:9/live' } })
  const uid = String(Reflect.get(Object(body), 'uid'))
  expect(await logged(site, uid, /trying again/)).toMatch(/^EHOSTUNREACH; trying again in \d/)
  const stream = await ask('GET', `/v1/stream/${uid}`, { cookie: admin })
  expect(stream.body).toMatchObject({ status: 'failed', failureReason: 'EHOSTUNREACH' })
  const live = await ask('GET', `/v1/stream/${uid}/archive/index.m3u8`, { cookie: admin })
  expect(live).toMatchObject({ status: 404, body: { code: 'NotFound' } })
})

test('an RTSP camera that redirects is not followed', async () => {
  const { ask, admin } = await startVideo()
  const asked: string[] = []
  const inside = createTcpServer((socket) => {
    asked.push('connected')
    socket.destroy()
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  const target = inside.address()
  const targetPort = target === null || typeof target === 'string' ? 0 : target.port
  const cameraServer = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const sequence = /CSeq: (\d+)/i.exec(chunk.toString())?.[1] ?? '1'
      socket.write(`$\0\0\u0001xRTSP/1.0 302 Moved\r\nCSeq: ${sequence}\r\nLocation: rtsp://127.0.0.1:${targetPort}/inside\r\n\r\n`)
    })
  })
  cameraServer.listen(0, '127.0.0.1')
  await once(cameraServer, 'listening')
  onTestFinished(() => {
    inside.close()
    cameraServer.close()
  })
  const address = cameraServer.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(`rtsp://127.0.0.1:${port}/live`)}`, { cookie: admin })
  expect([probe.status, reasonOf(probe.body), asked]).toEqual([400, 'ACCESS_DENIED_ERR', []])
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
  expect(await seenBy({ headers: { 'share-token': context.shares.open(uid) } })).toBe('rtsp://127.0.0.1:9/live?x=1')
  const kept = await ask('PUT', `/v1/stream/${uid}`, { cookie: admin, body: { name: 'Safe', streamSource: 'rtsp://***@127.0.0.1:9/other' } })
  expect(kept.body).toMatchObject({ streamSource: 'rtsp://root:p%40ss@127.0.0.1:9/other' })
  const moved = await ask('PUT', `/v1/stream/${uid}`, { cookie: admin, body: { name: 'Safe', streamSource: 'rtsp://***@127.0.0.2:9/other' } })
  expect(moved).toMatchObject({ status: 400, body: { details: { streamSource: expect.any(String) } } })
  const { body: lines } = await ask('GET', `/v1/stream/${uid}/logs`, { cookie: admin })
  expect(JSON.stringify(lines)).not.toContain('p%40ss')
})

test.each([
  ['http://cam/v.cgi?user=admin&pwd=S3cret/1', 'http://cam/v.cgi?user=***&pwd=***', 'http://cam/v.cgi?user=&pwd='],
  ['rtsp://cam/user=admin_password=S3cret_channel=1_stream=0.sdp', 'rtsp://cam/user=***_password=***_channel=1_stream=0.sdp', 'rtsp://cam/user=_password=_channel=1_stream=0.sdp'],
  ['rtsp://root:S3@cret@cam/live?access_token=S3cret&x=1', 'rtsp://***@cam/live?access_token=***&x=1', 'rtsp://cam/live?access_token=&x=1'],
  ['http://cam/live?monkey=1', 'http://cam/live?monkey=1', 'http://cam/live?monkey=1'],
])('credentials are those of %s too', (source, masked, without) => {
  expect([maskCredentials(source), withoutCredentials(source), restoreCredentials(masked, source)]).toEqual([masked, without, source])
  expect([isMasked(source), isMasked(masked)]).toEqual([false, masked !== source])
  expect(restoreCredentials(masked, source.replace('cam/', 'other/'))).toBe(masked)
  expect(maskSecrets(`GET ${source} failed`)).toBe(`GET ${masked} failed`)
})

test.each(['http:cam:S3cret@10.0.0.1/a', 'http:/cam:S3cret@10.0.0.1/a', 'http:///cam:S3cret@10.0.0.1/a', 'http:\\\\cam:S3cret@10.0.0.1/a'])('%s is no address', (text) => {
  expect(parseSource(text)).toBe('Not an address')
})
