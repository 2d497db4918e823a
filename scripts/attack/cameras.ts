import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { atEnd } from './endings.ts'
import type { Space } from './space.ts'

/** A listener of the attackers. */
export type Listener = { port: number; url: string; close: () => void }

const listening = async (server: Server, host: string, drop: () => void): Promise<Listener> => {
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = atEnd(() => {
    drop()
    server.close()
  })
  return { port: address.port, url: `http://${host}:${address.port}`, close }
}

/** A listener of raw connections. */
export const listenRaw = ({ ownHost }: Space, onSocket: (socket: Socket) => void): Promise<Listener> => {
  const open = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
    onSocket(socket)
  })
  return listening(server, ownHost, () => open.forEach((socket) => socket.destroy()))
}

const listenHttp = ({ ownHost }: Space, listener: RequestListener): Promise<Listener> => {
  const server = createHttpServer(listener)
  return listening(server, ownHost, () => server.closeAllConnections())
}

/** A camera that answers the path of each request with raw bytes, and then closes by default. */
export const rawHttp = (
  space: Space,
  answer: (path: string, socket: Socket) => string | Buffer | undefined,
): Promise<Listener> =>
  listenRaw(space, (socket) => {
    let received = ''
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const path = /^\S+ (\S+) HTTP\/1\.[01]\r\n[^]*?\r\n\r\n/.exec(received)?.[1]
      if (path === undefined) return
      received = ''
      const bytes = answer(path, socket)
      if (bytes !== undefined) socket.end(bytes)
    })
  })

export type Picture = {
  /** The bit rate, reached by filler; by default as low as the picture needs. */
  bitRate?: number
  /** Frames between keyframes, at 25 frames a second; 0: only one keyframe. */
  keyEvery?: number
  size?: string
}

const encoding = ({ bitRate, keyEvery = 25, size = '320x180' }: Picture): string[] => {
  const keys = keyEvery === 0 ? 'keyint=infinite' : `keyint=${keyEvery}:min-keyint=${keyEvery}`
  const filled = bitRate === undefined ? '' : ':nal-hrd=cbr:filler=1'
  const rate = bitRate === undefined ? '' : `-b:v ${bitRate} -maxrate ${bitRate} -bufsize ${bitRate}`
  const input = `-nostdin -v error -re -f lavfi -i testsrc2=s=${size}:r=25`
  const codec = '-c:v libx264 -preset ultrafast -tune zerolatency -pix_fmt yuv420p'
  const output = `-x264-params ${keys}:scenecut=0${filled} ${rate} -f mpegts -muxdelay 0 pipe:1`
  return `${input} ${codec} ${output}`.split(/ +/)
}

export type Camera = Listener & { lose: () => void; comeBack: () => void }

/** An MPEG-TS camera over HTTP with an ffmpeg for each connection; it can be lost. */
export const startCamera = async (space: Space, picture: Picture = {}): Promise<Camera> => {
  let isThere = true
  const drop = new Set<() => void>()
  const listener = await listenHttp(space, (_request, response) => {
    if (!isThere) return void response.destroy()
    const ffmpeg = spawn('ffmpeg', encoding(picture), { stdio: ['ignore', 'pipe', 'ignore'] })
    setPriority(ffmpeg.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL)
    const end = atEnd(() => void ffmpeg.kill('SIGKILL'))
    const cut = () => void response.destroy()
    drop.add(cut)
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    ffmpeg.stdout.pipe(response)
    response.on('close', () => {
      drop.delete(cut)
      end()
    })
  })
  return {
    ...listener,
    url: `${listener.url}/live.ts`,
    lose: () => {
      isThere = false
      for (const cut of drop) cut()
    },
    comeBack: () => {
      isThere = true
    },
  }
}
