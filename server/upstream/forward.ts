import type { FastifyReply, FastifyRequest } from 'fastify'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { Pool, type Dispatcher } from 'undici'
import { guarded } from '../guarded.ts'
import { notFound, ApiError, requestDecodeError, unavailable } from '../http/api-error.ts'
import { safeMethods } from '../http/methods.ts'
import { isHttp2 } from '../http/tls.ts'
import { responseHeaders, requestHeaders } from './headers.ts'
import { isForwardable } from './target.ts'

/** The upstream may be silent for so long; the console has shorter limits. */
const silenceMs = 300_000
/** Responses 1xx before the final one. */
const maxInformational = 16

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const nothing = new Uint8Array()

const badGateway = () => new ApiError(502, 'Unavailable')

/** By the framing, not the method. An HTTP/2 request has a body unless its stream ends with the headers. */
const hasBody = ({ headers, raw }: FastifyRequest): boolean => {
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true
  return 'stream' in raw && Reflect.get(Object(raw.stream), 'endAfterHeaders') === false
}

/** A copy of the request body: if the upstream stops reading, the client can still be answered. */
const bodyOf = (raw: Readable): PassThrough => {
  const body = new PassThrough()
  raw.pipe(body)
  raw.once(
    'close',
    guarded('upstream: a body ends', () => {
      if (!raw.readableEnded) body.destroy(new Error('The client has disconnected'))
    }),
  )
  raw.once(
    'error',
    guarded('upstream: a body fails', (error: Error) => body.destroy(error)),
  )
  body.once(
    'close',
    guarded('upstream: a body is done', () => {
      raw.unpipe(body)
      raw.resume()
    }),
  )
  body.on('error', () => undefined)
  return body
}

const discard = (body: Readable): void => {
  body.on('error', () => undefined)
  body.destroy()
}

export const createForward = (upstream: URL) => {
  // HTTP/1.1 without pipelining: a connection carries one call at a time, whose body undici frames.
  const pool = new Pool(upstream.origin, {
    pipelining: 1,
    allowH2: false,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })

  const send = (request: FastifyRequest, reply: FastifyReply): Promise<Dispatcher.ResponseData> => {
    const aborting = new AbortController()
    reply.raw.once(
      'close',
      guarded('upstream: a visitor goes', () => aborting.abort()),
    )
    const headers = requestHeaders(request, upstream)
    const length = request.headers['content-length']
    const isWithBody = hasBody(request)
    if (isWithBody && length !== undefined) headers['content-length'] = length
    let informational = 0
    return pool.request({
      path: request.url,
      method: methods.find((method) => method === request.method) ?? 'GET',
      headers,
      body: isWithBody ? bodyOf(request.raw) : null,
      signal: aborting.signal,
      onInfo: () => {
        informational += 1
        if (informational > maxInformational) aborting.abort(badGateway())
      },
    })
  }

  const requireForwardable = (request: FastifyRequest): void => {
    if (!isForwardable(request.url)) throw notFound()
    if (safeMethods.has(request.method) && hasBody(request)) throw requestDecodeError(`${request.method} takes no body`)
    const { upgrade } = request.headers
    // A client that offers h2c continues in HTTP/1.1; other upgrades can't be declined.
    if (upgrade !== undefined && upgrade !== 'h2c') throw requestDecodeError('Connections are not upgraded')
  }

  /** Writes the headers of the response. Answers 502 if Node rejects them. */
  const writeHead = (request: FastifyRequest, reply: FastifyReply, answer: Dispatcher.ResponseData): void => {
    const { statusCode, headers, body } = answer
    const requestUrl = new URL(request.url, upstream)
    try {
      if (statusCode < 200 || statusCode > 599) throw new Error(`Status ${statusCode}`)
      const ours = responseHeaders(headers, reply.getHeaders(), requestUrl, request.protocol === 'https')
      for (const [name, value] of Object.entries(ours)) reply.raw.setHeader(name, value)
      // undici enforces the length, or the response has no body.
      const length = headers['content-length']
      const isFramed = typeof length === 'string' && statusCode !== 204 && statusCode !== 304
      if (isFramed) reply.raw.setHeader('content-length', length)
      reply.raw.statusCode = statusCode
    } catch (error) {
      discard(body)
      for (const name of reply.raw.getHeaderNames()) reply.raw.removeHeader(name)
      request.log.warn({ err: error }, 'the other server answers what can not be passed on')
      throw badGateway()
    }
  }

  const forward = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    requireForwardable(request)
    const answer = await send(request, reply).catch((error: unknown) => {
      if (!isLeft(error)) request.log.warn({ err: error }, 'the other server does not answer')
      throw isAway(error) ? unavailable() : badGateway()
    })
    writeHead(request, reply, answer)
    reply.hijack()
    // `flushHeaders` would write headers as UTF-8, a write of bytes keeps their Latin-1.
    if (isHttp2(request)) reply.raw.flushHeaders()
    else reply.raw.write(nothing)
    pipeline(
      answer.body,
      reply.raw,
      guarded('upstream: a response ends', (error: Error | null | undefined) => {
        if (error != null) request.log.debug({ err: error }, 'an answer broke off')
      }),
    )
    return reply
  }

  return { methods, forward, close: () => pool.destroy() }
}

/** The visitor has disconnected before the answer. */
const isLeft = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

/** The upstream can't be reached or disconnected: another attempt may succeed. Other errors are invalid responses. */
const isAway = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isTimeOut = /^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code)
  return isTimeOut || /^E(?!RR_)/.test(code) || (error instanceof Error && error.message === 'other side closed')
}
