import { setTimeout as after } from 'node:timers/promises'
import { startCanary, type Canary } from './canary.ts'
import { listenRaw, rawHttp, type Listener } from './cameras.ts'
import type { Person } from './people.ts'
import { openTarget, type Attack, type Scene } from './scene.ts'

const askMs = 6000

/** Requests probe and preview of a source at once. */
const request = (by: Person, url: string): Promise<unknown> =>
  Promise.all(
    ['probe', 'preview'].map((call) =>
      by.ask('GET', `/v1/stream/${call}?url=${encodeURIComponent(url)}`, { timeoutMs: askMs }),
    ),
  )

const session = 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nt=0 0\r\n'
const video = 'm=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n'

/** Answers of an RTSP camera that point to `there`, by what is odd about them; each to a request's method and CSeq. */
const redirects = (there: string): Readonly<Record<string, (method: string, sequence: string) => string>> => {
  const moved = (status: string) => (_method: string, sequence: string) =>
    `${status}\r\nCSeq: ${sequence}\r\nLocation: rtsp://${there}/inside\r\n\r\n`
  const described = (sequence: string, headers: string, sdp: string) =>
    `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n${headers}Content-Type: application/sdp\r\n` +
    `Content-Length: ${sdp.length}\r\n\r\n${sdp}`
  const onDescribe = (answer: (sequence: string) => string) => (method: string, sequence: string) =>
    method === 'DESCRIBE'
      ? answer(sequence)
      : `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\nPublic: DESCRIBE, SETUP, PLAY\r\nSession: 1\r\n\r\n`
  return {
    'plain 302': moved('RTSP/1.0 302 Moved'),
    'RT\\rSP/1.0 302': moved('RT\rSP/1.0 302 Moved'),
    '\\rRTSP/1.0 302': moved('\rRTSP/1.0 302 Moved'),
    'RTSP/1.0 3\\r02': moved('RTSP/1.0 3\r02 Moved'),
    'RTSP\\r/1.0\\r 302': moved('RTSP\r/1.0\r 302 Moved'),
    'RTSP/1.0\\t302': moved('RTSP/1.0\t302 Moved'),
    'RTSP/1.0 +302': moved('RTSP/1.0 +302 Moved'),
    'RTSP/1.0 000302': moved('RTSP/1.0 000302 Moved'),
    'RTSP/1.0 302 without more': moved('RTSP/1.0 302'),
    'HTTP/1.1 302': moved('HTTP/1.1 302 Moved'),
    'Rtsp/1.0 302': moved('Rtsp/1.0 302 Moved'),
    '302 of 4294967598': moved('RTSP/1.0 4294967598 Moved'),
    'an interleaved frame before': (_method, sequence) =>
      `$\0\0\u0004abcdRT\rSP/1.0 302 Moved\r\nCSeq: ${sequence}\r\nLocation: rtsp://${there}/inside\r\n\r\n`,
    'a good answer before': (_method, sequence) =>
      `RTSP/1.0 200 OK\r\nCSeq: 99\r\n\r\nRT\rSP/1.0 301 Moved\r\nCSeq: ${sequence}\r\n` +
      `Location: rtsp://${there}/inside\r\n\r\n`,
    'a body before': (_method, sequence) =>
      `RTSP/1.0 200 OK\r\nContent-Length: 3\r\nCSeq: 98\r\n\r\nabcRT\rSP/1.0 302 Moved\r\n` +
      `CSeq: ${sequence}\r\nLocation: rtsp://${there}/inside\r\n\r\n`,
    'DESCRIBE to 302': (method, sequence) =>
      method === 'DESCRIBE'
        ? moved('RT\rSP/1.0 302 Moved')(method, sequence)
        : `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n\r\n`,
    'a base elsewhere': onDescribe((sequence) =>
      described(sequence, `Content-Base: rtsp://${there}/inside/\r\n`, `${session}${video}a=control:track1\r\n`),
    ),
    'a track elsewhere': onDescribe((sequence) =>
      described(sequence, '', `${session}${video}a=control:rtsp://${there}/inside/track1\r\n`),
    ),
    'a session elsewhere': onDescribe((sequence) =>
      described(sequence, '', `${session}a=control:rtsp://${there}/inside/\r\nc=IN IP4 127.0.0.1\r\n${video}`),
    ),
    'to http': (_method, sequence) =>
      `RT\rSP/1.0 302 Moved\r\nCSeq: ${sequence}\r\nLocation: http://${there}/inside\r\n\r\n`,
    'to rtspt': (_method, sequence) =>
      `RT\rSP/1.0 302 Moved\r\nCSeq: ${sequence}\r\nLocation: rtsp://${there}/inside?tcp\r\n\r\n`,
  }
}

const rtsp = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const canary = await startCanary(scene.space)
  scene.defer(canary.close)
  const reached: string[] = []
  const kinds = redirects(`127.0.0.1:${canary.port}`)
  for (const [name, answer] of Object.entries(kinds)) {
    const camera = await listenRaw(
      scene.space,
      (socket) =>
        void socket.on('data', (chunk: Buffer) => {
          const [, method = '', sequence = '1'] = /^(\w+) [^]*CSeq: (\d+)/i.exec(chunk.toString('latin1')) ?? []
          if (method !== '') socket.write(Buffer.from(answer(method, sequence), 'latin1'))
        }),
    )
    await request(admin, `rtsp://${scene.space.ownHost}:${camera.port}/live`)
    camera.close()
    await after(50)
    if (canary.contacts.splice(0).length > 0) reached.push(name)
  }
  const result =
    reached.length === 0
      ? 'the canary was never called'
      : `the canary on the server’s loopback was called by ${reached.join(', ')}`
  scene.note(
    `${Object.keys(kinds).length} ways of RTSP to lead to the server’s own loopback`,
    result + (target.isUp() ? '' : '; the server ended'),
    reached.length === 0 && target.isUp(),
  )
}

const head = '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:1\n'
const segment = (uri: string) => `${head}#EXTINF:2,\n${uri}\n#EXT-X-ENDLIST\n`

/** HLS playlists that point to `there`, by how; `own` is the camera's origin. */
const playlists = (there: string, own: string): Readonly<Record<string, string>> => {
  const rest = (name: string) => `\n#EXTINF:2,\n${own}/${name}\n#EXT-X-ENDLIST\n`
  const schemes = [
    `httpproxy://${there}/${own}/x.ts`,
    `http://${there}/x.ts`,
    `https://${there}/x.ts`,
    `tcp://${there}`,
    `tls://${there}`,
    `concat:http://${there}/x.ts|http://${there}/y.ts`,
    `subfile,,start,0,end,100,,:http://${there}/x.ts`,
    `crypto:http://${there}/x.ts`,
    `crypto+http://${there}/x.ts`,
    `cache:http://${there}/x.ts`,
    `async:http://${there}/x.ts`,
    `hls+http://${there}/x.m3u8`,
    `rtmp://${there}/x`,
    `rtsp://${there}/x`,
    `ftp://${there}/x`,
    `udp://${there}`,
    `rtp://${there}`,
    `gopher://${there}/x`,
    `mmsh://${there}/x`,
    `icecast://${there}/x`,
    `srt://${there}`,
    `unix:/run/x.sock`,
    'file:///etc/passwd',
    'concat:/etc/passwd|/etc/hosts',
    'fd:',
    'pipe:0',
    'data:text/plain,#EXTM3U',
    `//${there}/x.ts`,
    `http:${there}/x.ts`,
    `HTTPPROXY://${there}/x`,
    `httpproxy:${there}/x`,
    `md5:http://${there}/x`,
    `tee:http://${there}/x`,
    `ipfs://${there}/x`,
    `data:,http://${there}/`,
  ]
  return {
    ...Object.fromEntries(schemes.map((uri) => [uri.replaceAll(there, '…').slice(0, 30), segment(uri)])),
    'a key': `${head}#EXT-X-KEY:METHOD=AES-128,URI="httpproxy://${there}/key"${rest('x.ts')}`,
    'a key by http': `${head}#EXT-X-KEY:METHOD=AES-128,URI="http://${there}/key"${rest('x.ts')}`,
    'a map': `${head}#EXT-X-MAP:URI="httpproxy://${there}/init.mp4"${rest('x.m4s')}`,
    'a map by tcp': `${head}#EXT-X-MAP:URI="tcp://${there}",BYTERANGE="10@0"${rest('x.m4s')}`,
    'a variant': `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttpproxy://${there}/x.m3u8\n`,
    'a rendition':
      `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,` +
      `URI="httpproxy://${there}/a.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\n${own}/x.m3u8\n`,
    'a segment that redirects': segment(`${own}/redirect-http`),
    'a segment that redirects to httpproxy': segment(`${own}/redirect-httpproxy`),
    'a playlist of a playlist': segment(`${own}/nested.m3u8`),
  }
}

type Hostile = { camera: Listener; canary: Canary; kinds: Readonly<Record<string, string>> }

const hostileHls = async (scene: Scene, host: string): Promise<Hostile> => {
  const canary = await startCanary(scene.space)
  scene.defer(canary.close)
  const there = `${host}:${canary.port}`
  const given: { kinds: Readonly<Record<string, string>> } = { kinds: {} }
  const camera = await rawHttp(scene.space, (path) => {
    const name = decodeURIComponent(path.slice(1)).replace(/\.m3u8$/, '')
    if (name === 'nested') return `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${segment(`httpproxy://${there}/x.ts`)}`
    if (name.startsWith('redirect-'))
      return `HTTP/1.1 302 Found\r\nLocation: ${name.slice(9)}://${there}/x.ts\r\nContent-Length: 0\r\n\r\n`
    const playlist = given.kinds[Object.keys(given.kinds)[Number(name)] ?? '']
    return playlist === undefined
      ? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'
      : `HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apple.mpegurl\r\nConnection: close\r\n\r\n${playlist}`
  })
  scene.defer(camera.close)
  given.kinds = playlists(there, camera.url)
  return { camera, canary, kinds: given.kinds }
}

/** Protocols of ffmpeg that connect without the gateway. */
const byItself = /(?:httpproxy|\b(?:tcp|tls|rtmp|rtsp|ftp|udp|rtp|srt|gopher|mmsh|icecast|ipfs):)/i

const hls = async (scene: Scene): Promise<void> => {
  const { target, admin } = await openTarget(scene)
  const { camera, canary, kinds } = await hostileHls(scene, '127.0.0.1')
  const reached: string[] = []
  // Without namespaces loopback is allowed, so the gateway itself may follow plain HTTP.
  const counts = ([name, playlist]: [string, string]) =>
    scene.space.isIsolated ||
    byItself.test(`${name} ${playlist.replaceAll(camera.url, '')}`) ||
    name.endsWith('a playlist')
  const entries = Object.entries(kinds)
  for (const [index, entry] of entries.entries()) {
    await request(admin, `${camera.url}/${index}.m3u8`)
    await after(50)
    if (canary.contacts.splice(0).length > 0 && counts(entry)) reached.push(entry[0])
  }
  const result =
    reached.length === 0
      ? 'the canary was never called'
      : `the canary on the server’s loopback was called by ${reached.join(', ')}`
  scene.note(
    `${entries.length} playlists of HLS that lead to the server’s own loopback, its files or out by another protocol`,
    result + (target.isUp() ? '' : '; the server ended'),
    reached.length === 0 && target.isUp(),
  )
}

const ownAddress = async (scene: Scene): Promise<void> => {
  if (!scene.space.isIsolated) return scene.skip('sources on the server’s own LAN address', 'takes a network namespace')
  const { admin } = await openTarget(scene)
  const canary = await startCanary(scene.space)
  scene.defer(canary.close)
  const there = `${scene.space.serverHost}:${canary.port}`
  await request(admin, `http://${there}/x.ts`)
  await request(admin, `rtsp://${there}/x`)
  const { camera, canary: second, kinds } = await hostileHls(scene, scene.space.serverHost)
  await request(admin, `${camera.url}/${Object.keys(kinds).indexOf('http://…/x.ts')}.m3u8`)
  const contacts = canary.contacts.length + second.contacts.length
  scene.note(
    'sources, and a playlist, on the server’s own LAN address',
    contacts === 0 ? 'never called' : `called ${contacts} times: ${[...canary.contacts, ...second.contacts][0]}`,
    contacts === 0,
  )
}

export const ssrfAttacks: readonly Attack[] = [
  { name: 'ssrf: RTSP that leads elsewhere', run: rtsp },
  { name: 'ssrf: HLS that leads elsewhere', run: hls },
  { name: 'ssrf: the machine’s own address', run: ownAddress },
]
