import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { connect, type Socket } from 'node:net'

/** `status`: 0 without an answer; `ms`: until its last byte. */
export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer; ms: number; failure: string }

export type Call = {
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON; text is sent as it is. */
  body?: unknown
  /** The IP address that the call comes from. */
  from?: string
  agent?: Agent
  timeoutMs?: number
  signal?: AbortSignal
}

/** A keep-alive agent for HTTP or HTTPS; certificates aren't checked. */
export const keptConnections = (origin: string, maxSockets = 200): Agent =>
  origin.startsWith('https:')
    ? new TlsAgent({ keepAlive: true, maxSockets, rejectUnauthorized: false })
    : new Agent({ keepAlive: true, maxSockets })

/** Makes one HTTP/1.1 call. Never rejects. */
export const call = (
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body, from, agent, timeoutMs = 30_000, signal }: Call = {},
): Promise<Reply> =>
  new Promise((resolve) => {
    const began = performance.now()
    const chunks: Buffer[] = []
    const settle = (status: number, answered: IncomingHttpHeaders, failure = '') =>
      resolve({ status, headers: answered, body: Buffer.concat(chunks), ms: performance.now() - began, failure })
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const given =
      text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]
    const { protocol, hostname, port } = new URL(origin)
    const send = protocol === 'https:' ? tlsRequest : request
    const options = {
      hostname,
      port,
      path,
      method,
      signal: AbortSignal.any(signals),
      agent: agent ?? false,
      ...(from === undefined ? {} : { localAddress: from }),
      headers: { origin, ...given, ...headers },
      rejectUnauthorized: false,
    } as const
    const sent = send(options, (response) => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => settle(response.statusCode ?? 0, response.headers))
      response.on('error', (error) => settle(0, response.headers, error.message))
    })
    sent.on('error', (error) => settle(0, {}, error.message))
    sent.end(text)
  })

/** The value under these keys in a JSON answer; undefined if it is absent. */
export const member = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>(
    (held, key) => (typeof held === 'object' && held !== null ? Reflect.get(held, key) : undefined),
    value,
  )

export const jsonOf = ({ body }: Pick<Reply, 'body'>): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The list under `items`. */
export const itemsOf = (reply: Reply): unknown[] => {
  const items = member(jsonOf(reply), 'items')
  return Array.isArray(items) ? items : []
}

/** A raw connection; its errors are ignored. */
export const rawConnection = (origin: string, from?: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      ...(from === undefined ? {} : { localAddress: from }),
    })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })

/** Sends bytes on a new connection; returns what comes back within `ms`, or until the other end closes. */
export const exchange = async (origin: string, bytes: string | Buffer, ms: number): Promise<string> => {
  const socket = await rawConnection(origin)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  socket.write(bytes)
  await closed
  socket.destroy()
  return Buffer.concat(chunks).toString('latin1')
}
