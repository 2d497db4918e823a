import { createServer as createHttpServer, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { ConnectFailure, connectOutside } from './address.ts'
import type { NetworkSource } from './source.ts'

/**
 * The only way out for an ffmpeg: a listener on loopback, of this one process, that makes the connections in its place.
 * `failure` is what went wrong on the way, undefined while nothing did.
 */
export type Gateway = {
  port: number
  failure: () => string | undefined
  close: () => void
}

const codeOf = (error: unknown): string => (error instanceof ConnectFailure ? error.code : 'EHOSTUNREACH')

const listen = async (server: Server | TcpServer): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}

const join = (a: Duplex, b: Duplex): void => {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}

const statusFailure = (status: number): string | undefined => {
  if (status === 401) return 'HTTP_UNAUTHORIZED'
  if (status === 403) return 'ACCESS_DENIED_ERR'
  return status === 404 || status === 410 ? 'HTTP_NOT_FOUND' : undefined
}

/**
 * An HTTP proxy for one ffmpeg. Redirects, HLS segments and keys all pass it, each resolved and checked anew, so that no
 * answer of a source leads ffmpeg to an address it may not have.
 */
export const openHttpGateway = async (allowLoopback: boolean): Promise<Gateway> => {
  let failure: string | undefined
  const sockets = new Set<Duplex>()
  const keep = (socket: Duplex) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = URL.parse(request.url ?? '')
    if (target === null || target.protocol !== 'http:') {
      failure = 'ACCESS_DENIED_ERR'
      response.writeHead(403).end()
      return
    }
    const port = target.port === '' ? 80 : Number(target.port)
    const socket = await connectOutside(target.hostname.replace(/^\[|\]$/g, ''), port, allowLoopback)
    keep(socket)
    const headers: OutgoingHttpHeaders = { ...request.headers, host: target.host, connection: 'close' }
    delete headers['proxy-connection']
    const outgoing = httpRequest({
      method: request.method ?? 'GET',
      path: `${target.pathname}${target.search}`,
      headers,
      createConnection: () => socket,
    })
    outgoing.on('response', (answer) => {
      failure = statusFailure(answer.statusCode ?? 0) ?? failure
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    })
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    request.pipe(outgoing)
  }

  const server = createHttpServer((request, response) => {
    forward(request, response).catch((error: unknown) => {
      failure = codeOf(error)
      response.writeHead(502).end()
    })
  })
  server.on('connect', (request, client, head) => {
    keep(client)
    client.on('error', () => undefined)
    const target = URL.parse(`http://${request.url ?? ''}`)
    if (target === null) {
      client.destroy()
      return
    }
    connectOutside(target.hostname.replace(/^\[|\]$/g, ''), Number(target.port || 443), allowLoopback)
      .then((socket) => {
        keep(socket)
        client.write('HTTP/1.1 200 Connected\r\n\r\n')
        if (head.length > 0) socket.write(head)
        join(client, socket)
        return undefined
      })
      .catch((error: unknown) => {
        failure = codeOf(error)
        client.destroy()
      })
  })
  return {
    port: await listen(server),
    failure: () => failure,
    close: () => {
      server.close()
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const openCamera = async (source: NetworkSource, allowLoopback: boolean): Promise<Duplex> => {
  const socket = await connectOutside(source.host, source.port, allowLoopback)
  if (source.scheme === 'rtsp') return socket
  // Cameras sign their own certificates; ffmpeg wouldn't check them either.
  return connectTls({ socket, servername: source.host, rejectUnauthorized: false })
}

/** A status of 3xx as ffmpeg would read it, wherever it stands. */
const redirect = /RTSP\/\S*\s+\+?0*3\d\d/
const heardKept = 8192

/**
 * A relay to one camera by RTSP over TCP; with rtsps it speaks TLS to the camera, and plain RTSP to ffmpeg.
 * RTSP can redirect as well, and ffmpeg would follow on its own: until PLAY was asked for, an answer 3xx ends the connection.
 */
export const openRtspGateway = async (source: NetworkSource, allowLoopback: boolean): Promise<Gateway> => {
  let failure: string | undefined
  const sockets = new Set<Duplex>()
  const relay = async (client: Socket): Promise<void> => {
    const camera = await openCamera(source, allowLoopback)
    sockets.add(camera)
    let isAsking = true
    let heard = ''
    client.on('data', (chunk: Buffer) => {
      if (chunk.subarray(0, 5).toString('latin1') === 'PLAY ') isAsking = false
    })
    camera.on('data', (chunk: Buffer) => {
      if (!isAsking) return
      heard = heard.slice(-heardKept) + chunk.toString('latin1')
      if (!redirect.test(heard)) return
      failure = 'ACCESS_DENIED_ERR'
      client.destroy()
    })
    join(client, camera)
  }
  const server = createTcpServer({ noDelay: true }, (client) => {
    sockets.add(client)
    client.on('error', () => undefined)
    relay(client).catch((error: unknown) => {
      failure = codeOf(error)
      client.destroy()
    })
  })
  return {
    port: await listen(server),
    failure: () => failure,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
