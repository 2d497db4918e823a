import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { guarded } from '../guarded.ts'
import { ConnectFailure, connectOutside } from './address.ts'
import type { GatewayFailure } from './failures.ts'
import { openListener } from './namespace.ts'

/** The only network access of an ffmpeg: connects on its behalf. `failure`: the first one, if any. */
export type Gateway = {
  port: number
  namespaces: readonly number[]
  failure: () => GatewayFailure | undefined
  /** What the source announced, if its protocol has announcements. */
  offer: () => string | undefined
  close: () => void
}

export type Passage = {
  keep: <Connection extends Duplex>(socket: Connection) => Connection
  /** The connection to the source that was there before ffmpeg; undefined if it is taken or gone. */
  first: () => Duplex | undefined
  answered: (status: number) => void
  failed: (failure: GatewayFailure) => void
  offered: (offer: string) => void
}

const maxConnections = 64

const statusFailure = (status: number): GatewayFailure | undefined => {
  if (status === 401) return 'HTTP_UNAUTHORIZED'
  if (status === 403) return 'ACCESS_DENIED_ERR'
  return status === 404 || status === 410 || status === 454 ? 'HTTP_NOT_FOUND' : undefined
}

/** `serveBy` returns the handler of connections; its error closes one, a fault unless it is a ConnectFailure. */
export const openGateway = async (
  serveBy: (passage: Passage) => (client: Socket) => unknown,
  ahead?: Duplex,
): Promise<Gateway> => {
  const { server, port, namespaces, close } = await openListener()
  let failure: GatewayFailure | undefined
  let offer: string | undefined
  const sockets = new Set<Duplex>()
  const passage: Passage = {
    keep: (socket) => {
      sockets.add(socket)
      // The `close` event suffices.
      socket.on('error', () => undefined)
      socket.once(
        'close',
        guarded('gateway: end', () => sockets.delete(socket)),
      )
      return socket
    },
    first: () => {
      const found = first?.destroyed === false ? first : undefined
      first = undefined
      return found
    },
    answered: (status) => {
      const isAllowedNow = status < 300 && failure === 'HTTP_UNAUTHORIZED'
      failure = isAllowedNow ? undefined : (statusFailure(status) ?? failure)
    },
    failed: (why) => {
      failure = why
    },
    offered: (found) => {
      offer = found
    },
  }
  let first = ahead === undefined ? undefined : passage.keep(ahead)
  const serve = serveBy(passage)
  const accept = (client: Socket) => {
    client.setNoDelay(true)
    passage.keep(client)
    const attempt = async () => {
      try {
        await serve(client)
      } catch (error) {
        if (!(error instanceof ConnectFailure)) throw error
        failure = error.code
        client.destroy()
      }
    }
    const end = () => {
      failure = 'ProbeError'
      client.destroy()
    }
    guarded('gateway: connection', attempt, end)()
  }
  server.maxConnections = maxConnections
  server.on('connection', guarded('gateway: connection', accept))
  return {
    port,
    namespaces,
    failure: () => failure,
    offer: () => offer,
    close: () => {
      close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Connects to a source, by TLS if secure. Throws ConnectFailure, also if aborted. */
export const connectSource = async (
  host: string,
  port: number,
  isSecure: boolean,
  allowLoopback: boolean,
  signal?: AbortSignal,
): Promise<Duplex> => {
  const socket = await connectOutside(host, port, allowLoopback, signal)
  if (!isSecure) return socket
  // Cameras have self-signed certificates; ffmpeg wouldn't check them either. SNI takes no addresses.
  const secure = connectTls({ socket, rejectUnauthorized: false, ...(isIP(host) === 0 ? { servername: host } : {}) })
  // The handshake may fail before there is a listener.
  secure.on('error', () => undefined)
  return secure
}
