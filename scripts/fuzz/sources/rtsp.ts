import type { Dice } from '../values.ts'
import { bentBytes, leadingAway, type World } from './world.ts'

const words = [
  'RTSP/1.0',
  'RTSP/1.0',
  'RTSP/1.0',
  'RTSP/1.0',
  'RT\rSP/1.0',
  '\rRTSP/1.0',
  'RTSP\r/1.0',
  'RTSP/1.0\r',
  'RTSP/2.0',
  'rtsp/1.0',
  'HTTP/1.1',
  'RTSP/',
  'RTSP/1.0\t',
  ' RTSP/1.0',
  '\r\nRTSP/1.0',
] as const
const statuses = [
  '200',
  '200',
  '200',
  '200',
  '200',
  '301',
  '302',
  '3\r02',
  '+302',
  '00302',
  '4294967598',
  '-4294966994',
  '302\0',
  '401',
  '403',
  '404',
  '454',
  '461',
  '500',
  '99',
  '0',
  '',
  'abc',
  '2 00',
  '302x',
] as const

const sets = ['Z0IAKeKQFge2AtwEBAaQeJEV,aM48gA==', '====', 'A'.repeat(3000), ''] as const
const levels = ['420029', 'zz', ''] as const
const channels = ['0-1', '255-256', '-1', '0-1;destination=127.0.0.1;source=127.0.0.1'] as const

const session = (world: World, dice: Dice): string => {
  const control = () =>
    dice.onceIn(3)
      ? leadingAway(world, dice)
      : dice.pick(['track1', '*', `rtsp://127.0.0.1:${world.canary}/t`, '', '../x', 'x'.repeat(2000)])
  const lines = [
    'v=0',
    `o=- ${'1'.repeat(dice.below(40))} 0 IN IP4 127.0.0.1`,
    's=x',
    `c=IN IP4 ${dice.pick(['127.0.0.1', '0.0.0.0', '224.0.0.1', 'x', '::1'])}`,
    't=0 0',
    `a=control:${control()}`,
    `m=video ${dice.pick(['0', String(world.canary), '99999', '-1'])} ` +
      `${dice.pick(['RTP/AVP', 'RTP/AVP/TCP', 'RAW/RAW/UDP', 'X'])} ${dice.pick(['96', '26', '33', '999'])}`,
    `a=rtpmap:96 ${dice.pick(['H264/90000', 'H265/90000', 'X-SV3V-ES/90000', 'MP4V-ES/0', 'H264/-1', 'JPEG/90000'])}`,
    `a=fmtp:96 packetization-mode=1;sprop-parameter-sets=${dice.pick(sets)};profile-level-id=${dice.pick(levels)}`,
    `a=control:${control()}`,
    `a=range:npt=${dice.pick(['0-', 'now-', '1e99-', '-'])}`,
    `a=framesize:96 ${dice.below(99_999)}-${dice.below(99_999)}`,
  ]
  return lines.filter(() => !dice.onceIn(8)).join(dice.pick(['\r\n', '\r\n', '\n'])) + '\r\n'
}

const frame = (dice: Dice): Buffer => {
  const length = dice.onceIn(5) ? 65_535 : dice.below(400)
  const payload = Buffer.alloc(Math.min(length, 400), dice.below(256))
  return Buffer.concat([Buffer.from([0x24, dice.below(4), length >> 8, length & 255]), payload])
}

const headersOf = (world: World, dice: Dice, sequence: string): string[] => {
  const all = [
    `CSeq: ${dice.onceIn(10) ? dice.below(99) : sequence}`,
    'Public: OPTIONS, DESCRIBE, SETUP, PLAY',
    `Session: ${dice.pick(['1', 'x;timeout=1', ';timeout=-1', 's'.repeat(2000), ''])}`,
    ...(dice.onceIn(2) ? [`Transport: RTP/AVP/TCP;unicast;interleaved=${dice.pick(channels)}`] : []),
    ...(dice.onceIn(2) ? [`Location: ${leadingAway(world, dice)}`] : []),
    ...(dice.onceIn(2) ? [`Location: rtsp://127.0.0.1:${world.canary}/inside`] : []),
    ...(dice.onceIn(4) ? [`Content-Base: rtsp://127.0.0.1:${world.canary}/`] : []),
    ...(dice.onceIn(6) ? ['WWW-Authenticate: Digest realm="x", nonce="y"'] : []),
    ...(dice.onceIn(6) ? [`RTP-Info: url=${leadingAway(world, dice)};seq=1;rtptime=0`] : []),
    ...(dice.onceIn(9) ? [`X: ${'x:'.repeat(dice.below(3000))}`] : []),
    ...(dice.onceIn(9) ? ['Server: RealServer', 'RealChallenge1: x'] : []),
  ]
  return all.filter(() => !dice.onceIn(10))
}

/** The answer of an RTSP camera to a request, by method and number. */
export const rtspAnswer = (world: World, dice: Dice, method: string, sequence: string): Buffer => {
  const body = method === 'DESCRIBE' || dice.onceIn(12) ? session(world, dice) : ''
  const length =
    body === '' && !dice.onceIn(8)
      ? []
      : [
          'Content-Type: application/sdp',
          `Content-Length: ${dice.onceIn(10) ? dice.pick(['-1', '0', '99999', '99999999999', 'x']) : body.length}`,
        ]
  const end = dice.onceIn(12) ? dice.pick(['\n', '\r', '\n\r']) : '\r\n'
  const head = [
    `${dice.pick(words)} ${dice.pick(statuses)} ${dice.pick(['OK', 'Moved', ''])}`,
    ...headersOf(world, dice, sequence),
    ...length,
  ].join(end)
  const before = dice.onceIn(6) ? frame(dice) : Buffer.alloc(0)
  const junk = dice.onceIn(10)
    ? dice.pick([
        '\r\n',
        '\n',
        'RTSP/1.0 200 OK\r\nCSeq: 99\r\n\r\n',
        'RTSP/'.repeat(2000),
        'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n',
        '\0',
      ])
    : ''
  const more = dice.onceIn(6) ? Buffer.concat([frame(dice), frame(dice)]) : Buffer.alloc(0)
  const whole = Buffer.concat([before, Buffer.from(`${junk}${head}${end}${end}${body}`, 'latin1'), more])
  return dice.onceIn(3) ? bentBytes(whole, dice) : whole
}
