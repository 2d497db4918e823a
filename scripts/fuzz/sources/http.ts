import type { Dice } from '../values.ts'
import { playlistOf } from './hls.ts'
import { bentBytes, leadingAway, type World } from './world.ts'

const reasons = ['OK', '', 'x'.repeat(3000), '\u00ff', 'a\tb'] as const
const statuses = [
  '200',
  '200',
  '200',
  '200',
  '200',
  '200',
  '206',
  '206',
  '204',
  '304',
  '301',
  '302',
  '303',
  '307',
  '308',
  '400',
  '401',
  '403',
  '404',
  '407',
  '410',
  '416',
  '429',
  '500',
  '503',
  '100',
  '101',
  '103',
  '199',
  '099',
  '000',
  '600',
  '999',
  '1000',
  '20',
  '2000',
  '-1',
  '+200',
  '0200',
  'abc',
  '',
] as const

const oddHeaders: readonly [(world: World, dice: Dice) => string, ...((world: World, dice: Dice) => string)[]] = [
  () => 'Trailer: x',
  () => 'Trailer: Content-Length',
  () => 'Connection: close, content-length',
  () => 'Connection: upgrade\r\nUpgrade: h2c',
  () => 'Keep-Alive: timeout=-1',
  (_, dice) => `X-${'a'.repeat(dice.below(200))}: ${'b'.repeat(dice.below(20_000))}`,
  () => 'X: \u00ff\u0080',
  () => 'X: a\u0001b',
  () => 'X : y',
  () => ': y',
  () => 'X',
  () => ' folded',
  () => 'Content-Encoding: gzip',
  () => 'Content-Encoding: br, gzip',
  () => 'Transfer-Encoding: gzip, chunked',
  () => 'Transfer-Encoding: identity',
  () => 'Content-Length: 5, 5',
  () => 'Content-Length: -1',
  () => 'Content-Length: 99999999999999999999',
  () => 'Content-Length: 0x10',
  () => 'Set-Cookie: a=b\u0000',
  () => 'Content-Range: bytes 5-1/0',
  () => 'Accept-Ranges: bytes',
  () => 'WWW-Authenticate: Basic realm="x"',
  () => 'WWW-Authenticate: Digest realm="x", nonce="y", qop="auth", algorithm=X',
  () => 'Proxy-Authenticate: Basic',
  () => 'Icy-MetaInt: 1',
  () => 'Icy-MetaInt: -1',
  () => 'Refresh: 0; url=http://0.0.0.0/',
  (world, dice) => `Location: ${leadingAway(world, dice)}`,
  (world, dice) => `Content-Location: ${leadingAway(world, dice)}`,
  (world, dice) => `Link: <${leadingAway(world, dice)}>; rel=next`,
  () => 'Location: /x',
  () => 'Location: ',
  () => 'Location: http://[',
  () => 'Expires: x\r\nDate: y',
]

const types = [
  'video/mp2t',
  'application/vnd.apple.mpegurl',
  'application/x-mpegurl',
  'video/mp4',
  'image/jpeg',
  'multipart/x-mixed-replace;boundary=b',
  'multipart/x-mixed-replace;boundary=',
  'text/html',
  'application/sdp',
  'video/x-flv',
  'video/webm',
  '',
  'x'.repeat(2000),
  'video/mp2t\u0001',
] as const

const bodyOf = (world: World, dice: Dice): Buffer => {
  const { ts, mp4, jpeg } = world.media
  const kinds: readonly [() => Buffer, ...(() => Buffer)[]] = [
    () => Buffer.from(playlistOf(world, dice), 'utf8'),
    () => Buffer.from(playlistOf(world, dice), 'utf8'),
    () => Buffer.from(playlistOf(world, dice), 'utf8'),
    () => ts,
    () => mp4,
    () => jpeg,
    () => Buffer.concat([Buffer.from('--b\r\nContent-Type: image/jpeg\r\n\r\n'), jpeg, Buffer.from('\r\n--b')]),
    () => Buffer.alloc(0),
    () => Buffer.from(`ffconcat version 1.0\nfile '${leadingAway(world, dice)}'\n`),
    () => Buffer.from(`v=0\r\nc=IN IP4 127.0.0.1\r\nm=video ${world.canary} RTP/AVP 96\r\n`),
    () => Buffer.from(`<MPD><BaseURL>${leadingAway(world, dice)}</BaseURL></MPD>`),
  ]
  return bentBytes(dice.pick(kinds)(), dice)
}

const chunkedOf = (body: Buffer, dice: Dice): Buffer => {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const piece = body.subarray(at, at + 1 + dice.below(2000))
    const size = dice.onceIn(40)
      ? dice.pick(['zz', '-1', 'ffffffffffffffff', '', `0x${piece.length}`])
      : piece.length.toString(16)
    parts.push(
      Buffer.from(`${size}${dice.onceIn(20) ? `;${'e'.repeat(dice.below(3000))}` : ''}\r\n`),
      piece,
      Buffer.from('\r\n'),
    )
    at += piece.length
  }
  const trailer = dice.onceIn(3)
    ? dice.pick([
        'x: y\r\n',
        'x: \u0000\r\n',
        'Content-Length: 4\r\n',
        ': \r\n',
        `x: ${'y'.repeat(30_000)}\r\n`,
        'HTTP/1.1 200 OK\r\n',
      ])
    : ''
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`, 'latin1')])
}

/** The answer of an HTTP source: by the grammar, then changed a little or completely. */
export const httpAnswer = (world: World, dice: Dice): Buffer => {
  const body = bodyOf(world, dice)
  const isChunked = dice.onceIn(3)
  const lines = [
    `${dice.pick(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2', 'http/1.1', 'ICY', 'RTSP/1.0'])}` +
      ` ${dice.pick(statuses)} ${dice.onceIn(4) ? dice.pick(reasons) : 'OK'}`,
  ]
  lines.push(`Content-Type: ${dice.pick(types)}`)
  if (isChunked) lines.push('Transfer-Encoding: chunked')
  else if (!dice.onceIn(3))
    lines.push(`Content-Length: ${dice.onceIn(8) ? dice.below(body.length * 2 + 2) : body.length}`)
  for (let more = dice.below(4); more > 0; more -= 1) lines.push(dice.pick(oddHeaders)(world, dice))
  const early = dice.onceIn(15) ? 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'.repeat(1 + dice.below(200)) : ''
  const whole = Buffer.concat([
    Buffer.from(`${early}${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    isChunked ? chunkedOf(body, dice) : body,
  ])
  return dice.onceIn(3) ? bentBytes(whole, dice) : whole
}
