import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { serviceAt } from '../../../server/onvif/services.ts'
import { createGuard } from '../fixtures/guard.ts'
import { fault } from '../../fixtures/onvif-device.ts'
import { startOnvifCamera, type CameraOptions } from '../fixtures/onvif-camera.ts'
import { certified } from '../fixtures/tls.ts'
import { startVideo } from '../fixtures/video.ts'

const login = 'ann'
const password = 'p&<"w0rd/#'

const open = async () => {
  const video = await startVideo()
  const ask = (address: string, credentials: { login?: string; password?: string } = { login, password }) =>
    video.ask('POST', '/v1/onvif/camera', { cookie: video.admin, body: { address, ...credentials } })
  return { ...video, inspect: ask }
}

const reasonOf = (body: unknown): unknown => Reflect.get(Object(Reflect.get(Object(body), 'details')), 'reason')
const described = { manufacturer: 'Acme', model: 'Dome & 4', serialNumber: 'SN42', firmware: '1.2.3' }
const common = { fps: 25, bitrate: 2_048_000 }
const profiles = [
  {
    name: 'P1',
    codec: 'hevc',
    width: 2560,
    height: 1440,
    streamSource: 'rtsp://127.0.0.1:554/main?a=1&b=2',
    ...common,
  },
  { name: 'P2', codec: 'h264', width: 640, height: 360, streamSource: 'rtsp://127.0.0.1:554/sub', ...common },
]

describe('a camera with a login', () => {
  test.each<[string, CameraOptions]>([
    ['the digest of WS-Security', {}],
    ['a clock that is years off', { clockAheadMs: -8 * 365 * 24 * 3_600_000 }],
    ['HTTP Digest', { guard: createGuard({ username: login, password, kind: 'MD5', qop: 'auth', uses: 3 }) }],
    ['HTTP Digest by SHA-256', { guard: createGuard({ username: login, password, kind: 'SHA-256', qop: 'auth' }) }],
    ['media services that it names at a host of another network', { namedHost: '10.9.8.7' }],
  ])('is read by %s', async (_name, options) => {
    const { inspect } = await open()
    const camera = await startOnvifCamera({ login, password, ...options })
    const { status, body } = await inspect(camera.address)
    expect([status, body]).toEqual([
      200,
      { ...described, profiles, snapshot: `http://127.0.0.1:${camera.port}/snap.jpg` },
    ])
    expect(camera.received.join('')).not.toContain('p&amp;&lt;')
    expect(camera.received.join('')).not.toContain(password)
  })

  test('may have a self-signed certificate', async () => {
    const { inspect } = await open()
    const { cert, key } = certified().tls
    const camera = await startOnvifCamera({ login, password, tls: { cert, key } })
    const { status, body } = await inspect(camera.address)
    expect([status, body]).toMatchObject([200, { profiles, snapshot: `https://127.0.0.1:${camera.port}/snap.jpg` }])
  })

  test('without GetServices is read by its capabilities', async () => {
    const { inspect } = await open()
    const camera = await startOnvifCamera({ login, password, isOld: true })
    const { status, body } = await inspect(`127.0.0.1:${camera.port}`)
    expect([status, body]).toMatchObject([200, { profiles }])
    expect(camera.asked.map(([request]) => request)).toContain('GetCapabilities')
  })

  test('gets a wrong password once, as cameras lock out a client that repeats it', async () => {
    const { inspect } = await open()
    const camera = await startOnvifCamera({ login, password })
    const wrong = await inspect(camera.address, { login, password: 'wrong' })
    expect([wrong.status, wrong.body]).toMatchObject([400, { code: 'ProbeError', message: 'HTTP_UNAUTHORIZED' }])
    expect(camera.asked.filter(([, outcome]) => outcome === 'refused')).toEqual([['GetDeviceInformation', 'refused']])
    expect((await inspect(camera.address, {})).status).toBe(400)
  })

  test('never gets the password in plain text, even if it requires HTTP Basic', async () => {
    const { inspect } = await open()
    const guard = createGuard({ username: login, password, kind: 'basic' })
    const camera = await startOnvifCamera({ login, password, guard })
    expect(reasonOf((await inspect(camera.address)).body)).toBe('HTTP_UNAUTHORIZED')
    expect(guard.seen).toEqual(['asked'])
    expect(camera.received.join('')).not.toMatch(/Basic /)
  })
})

describe('a hostile camera', () => {
  const laughs = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
  const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${laughs.join('')}]><x>&l9;</x>`
  const outside = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'
  const envelope = (content: string) => `<e:Envelope xmlns:e="e"><e:Body>${content}</e:Body></e:Envelope>`
  const noOnvif = 'Not an ONVIF camera'
  test.each<[string, string, string]>([
    ['an entity bomb', bomb, noOnvif],
    ['an entity outside', outside, noOnvif],
    ['a page', '<html><body>Welcome<br></body></html>', noOnvif],
    ['nothing', '', noOnvif],
    ['what ends early', '<e:Envelope xmlns:e="e"><e:Body><a>', noOnvif],
    ['a tree that is too deep', envelope('<a>'.repeat(50_000) + '</a>'.repeat(50_000)), noOnvif],
    ['too many elements', envelope(`<a>${'<b/>'.repeat(20_000)}</a>`), noOnvif],
    ['more than is read', envelope(`<a>${'x'.repeat(600_000)}</a>`), 'EHOSTUNREACH'],
    ['a fault', fault('ter:ActionNotSupported'), 'The camera answered with a fault'],
    ['no profiles', envelope('<GetProfilesResponse/>'), 'The source has no video'],
  ])('that answers %s is an error with a reason', async (_name, answer, reason) => {
    const { inspect } = await open()
    const camera = await startOnvifCamera({ answer: () => answer })
    const { status, body } = await inspect(camera.address)
    expect([status, reasonOf(body)]).toEqual([400, reason])
  })

  test('that redirects isn’t followed', async () => {
    const { inspect } = await open()
    const other = await startOnvifCamera()
    const camera = await startOnvifCamera({
      answer: (_request, response) => void response.writeHead(307, { location: other.address }).end(),
    })
    expect(reasonOf((await inspect(camera.address)).body)).toBe(noOnvif)
    expect(other.received).toEqual([])
  })

  test.each([
    ['http://10.9.8.7/onvif/media?a=1', 'http://cam.example:8080/onvif/media?a=1'],
    ['http://cam.example:81/onvif/media', 'http://cam.example:81/onvif/media'],
    ['http://cam.example//eve.example/media', 'http://cam.example//eve.example/media'],
    ['http://10.9.8.7//eve.example/media', 'http://cam.example:8080//eve.example/media'],
  ])('is called at its own host for the service %s', (named, called) => {
    expect(serviceAt(named, new URL('http://cam.example:8080/onvif/device_service'))?.href).toBe(called)
  })

  test('gets no stream at another host, and no credentials from its URLs', async () => {
    const { inspect } = await open()
    const camera = await startOnvifCamera({
      profiles: [
        { token: 'a', encoding: 'H264', width: 1, height: 1, uri: 'rtsp://eve:x@198.51.100.9:8554/a' },
        { token: 'b', encoding: 'H264', width: 1, height: 1, uri: 'file:///etc/passwd' },
        { token: 'c', encoding: 'H264', width: 1, height: 1, uri: 'rtsp://a b/c' },
      ],
    })
    const { body } = await inspect(camera.address, {})
    expect(Object(body).profiles.map(({ streamSource }: { streamSource: string }) => streamSource)).toEqual([
      'rtsp://127.0.0.1:8554/a',
    ])
  })
})

test('only addresses allowed for sources are called', async () => {
  const { ask, admin } = await startVideo({ allowLoopback: false })
  const camera = await startOnvifCamera()
  const answerOf = async (address: string) =>
    (await ask('POST', '/v1/onvif/camera', { cookie: admin, body: { address } })).body
  for (const address of [camera.address, '169.254.169.254', 'http://[::ffff:127.0.0.1]/'])
    expect(reasonOf(await answerOf(address))).toBe('ACCESS_DENIED_ERR')
  for (const address of ['ftp://camera/', 'http://ann:x@camera/', 'a b', 'http://', '/onvif'])
    expect([address, await answerOf(address)]).toMatchObject([address, { code: 'ValidationError' }])
  expect(camera.received).toEqual([])
})

test('a user who may not add streams can neither search for cameras nor read one', async () => {
  const video = await startVideo()
  await video.addUser('eve', false, { maxStreamCreation: 0 })
  const cookie = await video.signIn('eve')
  const search = await video.ask('POST', '/v1/onvif/discover', { cookie, body: {} })
  const inspected = await video.ask('POST', '/v1/onvif/camera', { cookie, body: { address: '192.0.2.9' } })
  expect([search.status, inspected.status]).toEqual([403, 403])
})

test('the audit log has each call, with the host only', async () => {
  const { ask, admin, inspect } = await open()
  const camera = await startOnvifCamera()
  await inspect(camera.address, {})
  await inspect('http://ann:hush@127.0.0.1/', {})
  const { body } = await ask('GET', '/v1/admin/audit-logs?action=camera.ask', { cookie: admin })
  expect(JSON.stringify(body)).toContain(`127.0.0.1:${camera.port}`)
  expect(JSON.stringify(body)).not.toContain('hush')
})

test('the snapshot of a camera is shown by the preview of a source, with the same login', async () => {
  const { ask, admin, inspect } = await open()
  const arguments_ = '-nostdin -v error -f lavfi -i testsrc2=s=640x360 -frames:v 1 -pix_fmt yuvj420p -f mjpeg pipe:1'
  const snapshot = spawnSync('ffmpeg', arguments_.split(' ')).stdout
  const guard = createGuard({ username: login, password, kind: 'MD5', qop: 'auth' })
  const camera = await startOnvifCamera({ login, password, guard, snapshot })
  const { body } = await inspect(camera.address)
  const url = new URL(Object(body).snapshot)
  url.username = encodeURIComponent(login)
  url.password = encodeURIComponent(password)
  const preview = await ask('GET', `/v1/stream/preview?url=${encodeURIComponent(url.href)}`, { cookie: admin })
  expect([preview.status, preview.headers['content-type'], preview.body]).toEqual([
    200,
    'image/jpeg',
    expect.anything(),
  ])
})
