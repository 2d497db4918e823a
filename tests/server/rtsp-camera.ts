import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { Guard } from './guard.ts'

export type RtspCamera = {
  port: number
  /** Every request that came, its first line. */
  asked: string[]
  /** Ends all connections. */
  drop: () => void
  /** Ends all connections and takes no new ones until it is back, at the same port. */
  leave: () => void
  comeBack: () => Promise<void>
}

/** What a camera answers: the status, more headers and a body; undefined answers as a camera does. */
export type RtspBehaviour = (method: string, sequence: string, socket: Socket, request: string) => string | undefined

/** A camera that asks for a password. */
export const guardedBy =
  (guard: Guard): RtspBehaviour =>
  (method, sequence, _socket, request) => {
    const [, uri = ''] = request.split(' ')
    const challenge = guard.check(method, uri, /^Authorization: (.*)$/im.exec(request)?.[1]?.trimEnd())
    if (challenge === undefined) return undefined
    const body = 'Who are you?'
    return `RTSP/1.0 401 Unauthorized\r\nCSeq: ${sequence}\r\nWWW-Authenticate: ${challenge}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }

const description = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=Camera',
  't=0 0',
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 packetization-mode=1',
  'a=control:track1',
  '',
].join('\r\n')

const usual = (method: string): string => {
  if (method === 'OPTIONS') return 'Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\nServer: Camera\r\n\r\n'
  if (method === 'DESCRIBE')
    return `Content-Type: application/sdp\r\nContent-Length: ${description.length}\r\n\r\n${description}`
  if (method === 'SETUP') return 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1234;timeout=60\r\n\r\n'
  return 'Session: 1234\r\n\r\n'
}

/** Pictures as RTP packets, each given to whoever plays. */
const sendPictures = async (players: Set<Socket>): Promise<void> => {
  const packets = createSocket('udp4')
  packets.bind(0, '127.0.0.1')
  await once(packets, 'listening')
  const ffmpeg = spawn(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      '-re',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=320x180:r=25',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-tune',
      'zerolatency',
      '-g',
      '25',
      '-pix_fmt',
      'yuv420p',
      '-f',
      'rtp',
      `rtp://127.0.0.1:${packets.address().port}`,
    ],
    { stdio: 'ignore' },
  )
  packets.on('message', (packet) => {
    const head = Buffer.from([0x24, 0, packet.length >> 8, packet.length & 0xff])
    for (const player of players) player.write(Buffer.concat([head, packet]))
  })
  onTestFinished(() => {
    ffmpeg.kill('SIGKILL')
    packets.close()
  })
}

/** A camera that speaks RTSP, with pictures where it is asked to play; by TLS where it is given a certificate. */
export const startRtspCamera = async (
  behaviour: RtspBehaviour = () => undefined,
  tls?: TlsOptions,
): Promise<RtspCamera> => {
  const players = new Set<Socket>()
  const sockets = new Set<Socket>()
  const asked: string[] = []
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => players.delete(socket))
    let begun = ''
    socket.on('data', (chunk) => {
      const requests = (begun + chunk.toString('latin1')).split('\r\n\r\n')
      begun = requests.pop() ?? ''
      for (const request of requests) {
        const [first = ''] = request.split('\r\n')
        asked.push(first)
        const [method = ''] = first.split(' ')
        const sequence = /^CSeq: (\d+)/im.exec(request)?.[1] ?? '1'
        const answer =
          behaviour(method, sequence, socket, request) ?? `RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\n${usual(method)}`
        socket.write(answer, 'latin1')
        if (method === 'PLAY' && answer.startsWith('RTSP/1.0 200')) players.add(socket)
      }
    })
  }
  const server = tls === undefined ? createTcpServer(serve) : createTlsServer(tls, serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await sendPictures(players)
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
