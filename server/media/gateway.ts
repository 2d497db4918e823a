import { isIP, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { guarded } from '../guarded.ts'
import { ConnectFailure, connectOutside } from './address.ts'
import type { GatewayFailure } from './failures.ts'
import { openListener } from './namespace.ts'
import type { Transport } from './transport-relay.ts'

/** The only network access of an ffmpeg process: connects to the source on its behalf. */
export type Gateway = {
  port: number
  /** Descriptors of the namespaces in which it listens, for `Isolation.join`. */
  namespaces: readonly number[]
  /** The last failure, unless the source has sent something since. */
  failure: () => GatewayFailure | undefined
  /** What the source offers, if its protocol says so. */
  offer: () => string | undefined
  /** Undefined unless the source sends MPEG-TS over HTTP. */
  transport: () => Transport | undefined
  close: () => void
}

/** What the connections of one gateway share. */
export type GatewayState = {
  /** Closes a socket with the gateway. */
  track: <Connection extends Duplex>(socket: Connection) => Connection
  /** The connection that was opened before ffmpeg was started, once; undefined if it is closed. */
  takeFirst: () => Duplex | undefined
  /** Registers the status of an answer of the source: a failure, or a success that ends one. */
  noteStatus: (status: number) => void
  noteFailure: (failure: GatewayFailure) => void
  /** Registers that the source ended a connection without a word: it is away, unless another failure is known. */
  noteHangUp: () => void
  noteOffer: (offer: string) => void
  noteTransport: (transport: Transport) => void
}

const maxConnections = 64

/** What a source may send in `everyMs`: 256 Mbit/s, several times the rate of a large camera. */
const flowLimit = { bytes: 160_000_000, everyMs: 5000 }
const flood: GatewayFailure = 'The source sends too much at once'

const statusFailure = (status: number): GatewayFailure | undefined => {
  if (status === 401) return 'HTTP_UNAUTHORIZED'
  if (status === 403) return 'ACCESS_DENIED_ERR'
  return status === 404 || status === 410 || status === 454 ? 'HTTP_NOT_FOUND' : undefined
}

/**
 * `serveBy` returns the handler of connections. An error of the handler closes its connection, and is reported unless
 * it is a ConnectFailure. `firstConnection`: an open connection to the source. A source that sends more than `limit`
 * loses its connections, as it would take the processor from the other cameras.
 */
export const openGateway = async (
  serveBy: (state: GatewayState) => (client: Socket) => unknown,
  firstConnection?: Duplex,
  limit = flowLimit,
): Promise<Gateway> => {
  const { server, port, namespaces, close } = await openListener()
  let failure: GatewayFailure | undefined
  let offer: string | undefined
  let transport: Transport | undefined
  let isClosed = false
  const sockets = new Set<Duplex>()
  const counted = new WeakMap<Duplex, number>()
  /** Received on connections that were closed since the last count. */
  let bytesOfClosed = 0
  /** What a connection has received since it was counted last. */
  const newBytesOf = (socket: Duplex): number => {
    const read = socket instanceof Socket ? socket.bytesRead : 0
    const before = counted.get(socket) ?? 0
    counted.set(socket, read)
    return read - before
  }
  const state: GatewayState = {
    track: (socket) => {
      sockets.add(socket)
      // An error is followed by `close`.
      socket.on('error', () => undefined)
      socket.once(
        'close',
        guarded('gateway: end', () => {
          bytesOfClosed += newBytesOf(socket)
          sockets.delete(socket)
        }),
      )
      // The gateway was closed while this connected.
      if (isClosed) socket.destroy()
      return socket
    },
    takeFirst: () => {
      const found = first?.destroyed === false ? first : undefined
      first = undefined
      return found
    },
    noteStatus: (status) => {
      if (status >= 300) failure = statusFailure(status) ?? failure
      else if (failure !== flood) failure = undefined
    },
    noteFailure: (why) => {
      failure = why
    },
    noteHangUp: () => {
      failure ??= 'EHOSTUNREACH'
    },
    noteOffer: (offered) => {
      offer = offered
    },
    noteTransport: (found) => {
      transport = found
    },
  }
  let first = firstConnection === undefined ? undefined : state.track(firstConnection)
  const serve = serveBy(state)
  const watchFlow = (): void => {
    let bytes = bytesOfClosed
    bytesOfClosed = 0
    for (const socket of sockets) bytes += newBytesOf(socket)
    if (bytes <= limit.bytes) return
    failure = flood
    for (const socket of sockets) socket.destroy()
  }
  const flowTimer = setInterval(guarded('gateway: flow', watchFlow), limit.everyMs).unref()
  const accept = (client: Socket) => {
    client.setNoDelay(true)
    state.track(client)
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
    transport: () => transport,
    close: () => {
      isClosed = true
      clearInterval(flowTimer)
      close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Connects to a source, by TLS if `isSecure`. Throws ConnectFailure, also if aborted. */
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
  // The handshake may fail before the caller adds a listener.
  secure.on('error', () => undefined)
  return secure
}
