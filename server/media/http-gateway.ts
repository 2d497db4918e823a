import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { guarded } from '../guarded.ts'
import { ConnectFailure, endpointOf } from './address.ts'
import { connectSource, openGateway, type Gateway, type GatewayState } from './gateway.ts'
import type { GatewayFailure } from './failures.ts'
import { exchange, maxHeaderBytes, pathOf } from './http-exchange.ts'
import { createLinks, relinkPlaylist, type Links } from './links.ts'
import { urlOf, type NetworkSource } from './source.ts'
import { createTransportRelay, type Body, type TransportRelay } from './transport-relay.ts'
import { headBytes, isTransportStream } from './transport-stream.ts'

export type HttpGateway = Gateway & {
  /** The URL for ffmpeg, without path, query and credentials of the source. */
  url: string
}

const maxPlaylistBytes = 4 * 1024 * 1024
/** The first attempt has no challenge to answer; its nonce may expire before the second. */
const maxAttempts = 3
const playlistMark = '#EXTM3U'

/** The headers of answers that ffmpeg gets. */
const passedBack = [
  'accept-ranges',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'set-cookie',
]
const isPassedBack = (name: string): boolean => passedBack.includes(name) || name.startsWith('icy-')

const isPlain = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

const headersFor = (answer: IncomingMessage): OutgoingHttpHeaders => {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    const plain = values.filter(isPlain)
    if (isPassedBack(name) && plain.length > 0) headers[name] = name === 'set-cookie' ? plain : plain[0]
  }
  if (answer.headers['transfer-encoding'] !== undefined) delete headers['content-length']
  return headers
}

/** Reads a body after `head` until there are `minBytes`, or to its end. */
const read = async (body: Body, minBytes: number, head: Buffer = Buffer.alloc(0)): Promise<Buffer> => {
  const bodyPieces = [head]
  let bytes = head.length
  while (bytes < minBytes) {
    const next = await body.next()
    if (next.done === true) break
    bodyPieces.push(next.value)
    bytes += next.value.length
  }
  return Buffer.concat(bodyPieces)
}

const isPlaylist = (answer: IncomingMessage, head: Buffer): boolean =>
  (answer.statusCode === 200 || answer.statusCode === 206) &&
  (answer.headers['content-encoding'] ?? 'identity') === 'identity' &&
  head.subarray(0, playlistMark.length).toString('latin1') === playlistMark

/** A stream without an end, as a camera sends it. */
const isEndless = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 &&
  (headers['content-encoding'] ?? 'identity') === 'identity' &&
  headers['content-length'] === undefined &&
  headers['icy-metaint'] === undefined

type PassingBack = {
  url: URL
  response: ServerResponse
  links: Links
  state: GatewayState
  /** Called if the source itself sends MPEG-TS, before the relay sends it. */
  onRelay: (relay: TransportRelay) => void
}

const passBack = async (
  answer: IncomingMessage,
  { url, response, links, state, onRelay }: PassingBack,
): Promise<void> => {
  const refuse = (status: number, why: GatewayFailure) => {
    state.noteFailure(why)
    answer.destroy()
    response.writeHead(status).end()
  }
  const status = answer.statusCode ?? 0
  if (status < 200 || status > 599) return refuse(502, 'ProbeError')
  if (status >= 300) state.noteStatus(status)
  const headers = headersFor(answer)
  const { location } = answer.headers
  if (status > 299 && status < 400 && location !== undefined) {
    const target = URL.parse(location, url)
    const link = target === null ? undefined : links.toGateway(target)
    if (link === undefined) return refuse(403, 'ACCESS_DENIED_ERR')
    headers['location'] = link
  }
  const body: Body = answer.iterator()
  const head = await read(body, playlistMark.length)
  if (isPlaylist(answer, head)) {
    const whole = await read(body, maxPlaylistBytes, head)
    if (whole.length >= maxPlaylistBytes) return refuse(502, 'ProbeError')
    const playlist = relinkPlaylist(whole.toString('utf8'), url, links)
    if (playlist === undefined) return refuse(502, 'ProbeError')
    delete headers['content-range']
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(playlist) }).end(playlist)
    return
  }
  // After the playlists, which come between segments that all fail.
  if (status < 300) state.noteStatus(status)
  const start = links.isSource(url) && isEndless(answer) ? await read(body, headBytes, head) : head
  if (start !== head && isTransportStream(start)) {
    const relay = createTransportRelay(answer, body, start, headers)
    onRelay(relay)
    await relay.sendTo(response)
    return
  }
  response.writeHead(status, headers)
  const rest = async function* () {
    if (start.length > 0) yield start
    for (let next = await body.next(); next.done !== true; next = await body.next()) yield next.value
  }
  await pipeline(rest, response)
}

const connectTo = (url: URL, allowLoopback: boolean): Promise<Duplex> => {
  const { host, port, isSecure } = endpointOf(url)
  return connectSource(host, port, isSecure, allowLoopback)
}

type ForwardOptions = {
  connect: (url: URL) => Promise<Duplex>
  links: Links
  state: GatewayState
  /** The relay of the source's latest MPEG-TS. */
  relay: () => TransportRelay | undefined
  keepRelay: (relay: TransportRelay) => void
}

const forward = async (
  request: IncomingMessage,
  response: ServerResponse,
  { connect, links, state, relay, keepRelay }: ForwardOptions,
): Promise<void> => {
  request.resume()
  const target = URL.parse(request.url ?? '')
  const { method } = request
  if (target === null || target.protocol !== 'http:' || (method !== 'GET' && method !== 'HEAD')) {
    state.noteFailure('ACCESS_DENIED_ERR')
    response.writeHead(403).end()
    return
  }
  const url = links.toSource(target)
  const waiting = links.isSource(url) && relay()?.isWaiting() === true ? relay() : undefined
  if (waiting !== undefined) {
    await waiting.sendTo(response).catch((error: unknown) => {
      if (!response.destroyed) throw error
    })
    return
  }
  const authorizer = links.authorizer(url)
  for (let attempt = 1; attempt <= maxAttempts && !response.destroyed; attempt += 1) {
    const socket = await connect(url)
    const sent = authorizer?.authorize(method, pathOf(url))
    let isRelayed = false
    const onRelay = (found: TransportRelay): void => {
      isRelayed = true
      keepRelay(found)
    }
    const call = { request, response, url, state, isRelayed: () => isRelayed }
    const exchanged = await exchange(call, socket, sent?.value)
    if (exchanged === undefined) return
    const { answer, end, drop } = exchanged
    const challenges = answer.headersDistinct['www-authenticate'] ?? []
    const mustRepeat = authorizer?.answered(answer.statusCode ?? 0, challenges, sent) === true
    if (mustRepeat && attempt < maxAttempts) {
      drop()
      continue
    }
    try {
      await passBack(answer, { url, response, links, state, onRelay })
    } catch (error) {
      if (!answer.destroyed && !response.destroyed) throw error
      end()
    }
    return
  }
}

/**
 * An HTTP proxy for one ffmpeg. It checks the host of every request, also of redirects and HLS, and passes on only
 * known headers. `first`: an open connection to the source.
 */
export const openHttpGateway = async (
  source: NetworkSource,
  allowLoopback: boolean,
  first?: Duplex,
): Promise<HttpGateway> => {
  const links = createLinks(urlOf(source))
  const serve = (state: GatewayState) => {
    let relay: TransportRelay | undefined
    const keepRelay = (found: TransportRelay): void => {
      relay = found
      state.noteTransport(found)
    }
    const connect = async (url: URL): Promise<Duplex> =>
      (links.isSource(url) ? state.takeFirst() : undefined) ?? state.track(await connectTo(url, allowLoopback))
    const handleRequest = (request: IncomingMessage, response: ServerResponse) => {
      const refuse = (why: GatewayFailure) => {
        state.noteFailure(why)
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end()
      }
      const attempt = async () => {
        try {
          await forward(request, response, { connect, links, state, relay: () => relay, keepRelay })
        } catch (error) {
          if (!(error instanceof ConnectFailure)) throw error
          refuse(error.code)
        }
      }
      response.on('error', () => undefined)
      guarded('gateway: request', attempt, () => refuse('ProbeError'))()
    }
    const server = createServer({ maxHeaderSize: maxHeaderBytes }, guarded('gateway: request', handleRequest))
    server.on(
      'clientError',
      guarded('gateway: client', (_error: Error, client: Duplex) => client.destroy()),
    )
    return (client: Socket) => server.emit('connection', client)
  }
  const gateway = await openGateway(serve, first)
  return { ...gateway, url: links.first }
}
