import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { Guard } from './guard.ts'

export type RtspCamera = {
  port: number
  /** The first lines of all received requests. */
  asked: string[]
  /** Ends all connections. */
  drop: () => void
  /** Closes all connections and accepts none until it is back, at the same port. */
  leave: () => void
  comeBack: () => Promise<void>
}

/** The answer of a camera: status, headers and body; undefined: the usual answer. */
export type RtspBehaviour = (method: string, sequence: string, socket: Socket, request: string) => string | undefined

/** A camera that requires a password. */
export const guardedBy =
  (guard: Guard): RtspBehaviour =>
  (method, sequence, _socket, request) => {
    const [, uri = ''] = request.split(' ')
    const challenge = guard.check(method, uri, /^Authorization: (.*)$/im.exec(request)?.[1]?.trimEnd())
    if (challenge === undefined) return undefined
    const body = 'Who are you?'
    return `RTSP/1.0 401 Unauthorized\r\nCSeq: ${sequence}\r\nWWW-Authenticate: ${challenge}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }

/** What a camera sends; removing the sound later only removes it from the description. */
export type RtspMedia = { pictures: 'H264' | 'H265'; sound?: 'PCMA' | 'AAC' | undefined }

const soundLines = {
  PCMA: ['m=audio 0 RTP/AVP 8', 'a=rtpmap:8 PCMA/8000'],
  AAC: [
    'm=audio 0 RTP/AVP 97',
    'a=rtpmap:97 MPEG4-GENERIC/48000/1',
    'a=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=118856E500',
  ],
}

const describe = ({ pictures, sound }: RtspMedia): string =>
  [
    'v=0',
    'o=- 0 0 IN IP4 127.0.0.1',
    's=Camera',
    't=0 0',
    'm=video 0 RTP/AVP 96',
    `a=rtpmap:96 ${pictures}/90000`,
    ...(pictures === 'H264' ? ['a=fmtp:96 packetization-mode=1'] : []),
    'a=control:track1',
    ...(sound === undefined ? [] : [...soundLines[sound], 'a=control:track2']),
    '',
  ].join('\r\n')

const isOfSound = (request: string): boolean => /^\S+ \S*track2/.test(request)

const usual = (method: string, request: string, media: RtspMedia): string => {
  if (method === 'OPTIONS') return 'Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\nServer: Camera\r\n\r\n'
  if (method === 'DESCRIBE') {
    const description = describe(media)
    return `Content-Type: application/sdp\r\nContent-Length: ${description.length}\r\n\r\n${description}`
  }
  const channels = isOfSound(request) ? '2-3' : '0-1'
  if (method === 'SETUP')
    return `Transport: RTP/AVP/TCP;unicast;interleaved=${channels}\r\nSession: 1234;timeout=60\r\n\r\n`
  return 'Session: 1234\r\n\r\n'
}

const encoders = {
  H264: '-c:v libx264 -preset ultrafast -tune zerolatency -g 25 -pix_fmt yuv420p',
  H265:
    '-c:v libx265 -preset ultrafast -tune zerolatency -pix_fmt yuv420p ' +
    '-x265-params log-level=error:keyint=25:min-keyint=25:repeat-headers=1',
  PCMA: '-c:a pcm_alaw -ar 8000 -ac 1',
  AAC: '-c:a aac -ar 48000 -ac 1 -payload_type 97',
}

/** The clients that play a track. */
type Listening = Record<'pictures' | 'sound', Set<Socket>>

const relay = async (channel: number, players: Set<Socket>): Promise<string> => {
  const packets = createSocket('udp4')
  packets.bind(0, '127.0.0.1')
  await once(packets, 'listening')
  packets.on('message', (packet) => {
    const head = Buffer.from([0x24, channel, packet.length >> 8, packet.length & 0xff])
    for (const player of players) player.write(Buffer.concat([head, packet]))
  })
  onTestFinished(() => void packets.close())
  return `rtp://127.0.0.1:${packets.address().port}`
}

/** Sends video and audio as RTP packets to the clients that play them. */
const send = async (players: Listening, { pictures, sound }: RtspMedia): Promise<void> => {
  const inputs = ['-f lavfi -i testsrc2=s=320x180:r=25', ...(sound === undefined ? [] : ['-f lavfi -i sine=r=48000'])]
  const outputs = [`-map 0 ${encoders[pictures]} -f rtp ${await relay(0, players.pictures)}`]
  if (sound !== undefined) outputs.push(`-map 1 ${encoders[sound]} -f rtp ${await relay(2, players.sound)}`)
  const args = ['-nostdin -v error', ...inputs.map((input) => `-re ${input}`), ...outputs].join(' ').split(' ')
  const ffmpeg = spawn('ffmpeg', args, { stdio: 'ignore' })
  onTestFinished(() => void ffmpeg.kill('SIGKILL'))
}

/** An RTSP camera, by TLS if it gets a certificate. */
export const startRtspCamera = async (
  behaviour: RtspBehaviour = () => undefined,
  tls?: TlsOptions,
  media: RtspMedia = { pictures: 'H264' },
): Promise<RtspCamera> => {
  const players: Listening = { pictures: new Set(), sound: new Set() }
  const sockets = new Set<Socket>()
  const asked: string[] = []
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      for (const each of Object.values(players)) each.delete(socket)
    })
    let begun = ''
    let hasSound = false
    socket.on('data', (chunk) => {
      const requests = (begun + chunk.toString('latin1')).split('\r\n\r\n')
      begun = requests.pop() ?? ''
      for (const request of requests) {
        const [first = ''] = request.split('\r\n')
        asked.push(first)
        const [method = ''] = first.split(' ')
        const sequence = /^CSeq: (\d+)/im.exec(request)?.[1] ?? '1'
        const answer =
          behaviour(method, sequence, socket, request) ??
          `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n${usual(method, request, media)}`
        socket.write(answer, 'latin1')
        if (!answer.startsWith('RTSP/1.0 200')) continue
        hasSound ||= method === 'SETUP' && isOfSound(request)
        if (method !== 'PLAY') continue
        players.pictures.add(socket)
        if (hasSound) players.sound.add(socket)
      }
    })
  }
  const server = tls === undefined ? createTcpServer(serve) : createTlsServer(tls, serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await send(players, media)
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const drop = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const leave = () => {
    server.close()
    drop()
  }
  onTestFinished(leave)
  const comeBack = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  return { port, asked, drop, leave, comeBack }
}
