import { globSync, readFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGuard, type Guard, type GuardOptions } from '../fixtures/guard.ts'
import { guardedBy, startRtspCamera } from '../fixtures/rtsp-camera.ts'
import { certified } from '../fixtures/tls.ts'
import { segments, serve, startVideo, shortClip } from '../fixtures/video.ts'

const login = { username: 'admin@site', password: 'p@ss: w/ö?r#d%' }
const userInfo = `${encodeURIComponent(login.username)}:${encodeURIComponent(login.password)}`

/** Two seconds of video behind a password, as MPEG-TS and as HLS. */
const guardedVideo = (guard: Guard): RequestListener => {
  const pictures = shortClip()
  return (request, response) => {
    const challenge = guard.check(request.method ?? '', request.url ?? '', request.headers.authorization)
    if (challenge !== undefined) response.writeHead(401, { 'www-authenticate': challenge }).end()
    else if (request.url?.startsWith('/live.m3u8') === true)
      response.end('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nsegments/1.ts\n#EXT-X-ENDLIST\n')
    else pictures(request, response)
  }
}

const serveSecurely = async (listener: RequestListener): Promise<string> => {
  const server = createHttpsServer(certified().tls, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return `https://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`
}

const ways: [name: string, guard: Partial<GuardOptions>, start: (guard: Guard) => Promise<string>][] = [
  [
    'RTSP, Digest MD5 that renews its nonce',
    { kind: 'MD5', qop: 'auth', uses: 2 },
    async (guard) => `rtsp://127.0.0.1:${(await startRtspCamera(guardedBy(guard))).port}/live?channel=1`,
  ],
  [
    'RTSP, Digest as cameras had it first',
    { kind: '' },
    async (guard) => `rtsp://127.0.0.1:${(await startRtspCamera(guardedBy(guard))).port}/live`,
  ],
  [
    'RTSPS, Digest SHA-256',
    { kind: 'SHA-256', qop: 'auth' },
    async (guard) => `rtsps://127.0.0.1:${(await startRtspCamera(guardedBy(guard), certified().tls)).port}/live`,
  ],
  ['HTTP, Basic', { kind: 'basic' }, async (guard) => `${await serve(guardedVideo(guard))}/live.ts`],
  [
    'HTTP, Digest MD5',
    { kind: 'MD5', qop: 'auth' },
    async (guard) => `${await serve(guardedVideo(guard))}/live.ts?channel=1`,
  ],
  [
    'HLS, Digest SHA-256 with a nonce for each call',
    { kind: 'SHA-256', qop: 'auth', uses: 1 },
    async (guard) => `${await serve(guardedVideo(guard))}/live.m3u8?channel=1`,
  ],
  [
    'HLS by HTTPS, Digest MD5',
    { kind: 'MD5', qop: 'auth' },
    async (guard) => `${await serveSecurely(guardedVideo(guard))}/live.m3u8`,
  ],
]

describe('a camera with a password is taken in', () => {
  test.each(ways)('by %s', async (_name, kind, start) => {
    const guard = createGuard({ ...login, kind: '', ...kind })
    const { ask, admin } = await startVideo()
    const source = (await start(guard)).replace('//', `//${userInfo}@`)
    const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(source)}`, { cookie: admin })
    expect(probe).toMatchObject({ status: 200, body: { tracks: [{ type: 'video', codec: 'h264', width: 320 }] } })
    expect([guard.seen[0], guard.seen.filter((each) => each === 'asked' || each === 'wrong')]).toEqual([
      'asked',
      ['asked'],
    ])
  })
})

test.each(ways.slice(1, 5))('a wrong password fails as HTTP_UNAUTHORIZED by %s', async (_name, kind, start) => {
  const guard = createGuard({ ...login, kind: '', ...kind, password: 'another' })
  const { ask, admin } = await startVideo()
  const source = (await start(guard)).replace('//', `//${userInfo}@`)
  const probe = await ask('GET', `/v1/stream/probe?url=${encodeURIComponent(source)}`, { cookie: admin })
  expect(probe).toMatchObject({ status: 400, body: { code: 'ProbeError', details: { reason: 'HTTP_UNAUTHORIZED' } } })
  expect(guard.seen.filter((each) => each === 'wrong')).toEqual(['wrong'])
})

const readOf = (file: string): string => {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

test.runIf(process.platform === 'linux')(
  'no process has a secret of an address among its arguments or in its environment',
  async () => {
    const guard = createGuard({ ...login, kind: 'MD5', qop: 'auth' })
    const { port } = await startRtspCamera(guardedBy(guard))
    const origin = await serve(guardedVideo(createGuard({ ...login, kind: 'MD5', qop: 'auth' })))
    const { ask, admin, site } = await startVideo()
    const secret = 'query-secret'
    for (const address of [
      `rtsp://127.0.0.1:${port}/user=a_password=${secret}_channel=1.sdp?token=${secret}`,
      `${origin}/live.ts?pwd=${secret}`,
    ]) {
      const streamSource = address.replace('//', `//${userInfo}@`)
      await ask('POST', '/v1/stream', { cookie: admin, body: { name: 'x', streamSource } })
    }
    const rows = site.store.all()
    await Promise.all(rows.map(({ uid }) => segments(site, uid, 1)))
    const files = globSync('/proc/[0-9]*/{cmdline,environ}').map((file): [string, string] => [file, readOf(file)])
    const tools = files.filter(([, words]) => /rtsp:\/\/127\.0\.0\.1:\d+\/source\0/.test(words))
    const spellings = [login.password, login.username].flatMap((each) => [
      Buffer.from(each).toString('latin1'),
      encodeURIComponent(each),
    ])
    const base64 = Buffer.from(`${login.username}:${login.password}`).toString('base64')
    const found = files.filter(([, words]) => [...spellings, base64, secret].some((each) => words.includes(each)))
    expect([tools.length > 0, found.map(([file]) => file)]).toEqual([true, []])
  },
)
