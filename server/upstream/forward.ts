import type { FastifyReply, FastifyRequest } from 'fastify'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { Pool, type Dispatcher } from 'undici'
import { guarded } from '../guarded.ts'
import { notFound, ApiError, requestDecodeError, unavailable } from '../http/api-error.ts'
import { isHttp2 } from '../http/tls.ts'
import { ourHeaders, theirHeaders } from './headers.ts'
import { isForwardable } from './target.ts'

/** A server that says nothing for five minutes is given up; shorter limits are the console's own. */
const silenceMs = 300_000
/** Answers that announce another one (1xx), before it comes. */
const mostAnnouncements = 16

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const nothing = new Uint8Array()
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The other server answers what can't be passed on. */
const badGateway = () => new ApiError(502, 'Unavailable')

/** By its framing, whatever the method is; a stream of HTTP/2 that isn't over with its head brings one. */
const hasBody = ({ headers, raw }: FastifyRequest): boolean => {
  if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) return true
  return 'stream' in raw && Reflect.get(Object(raw.stream), 'endAfterHeaders') === false
}

/** The visitor's body by itself: when the other server has enough of it, the visitor is still there to be answered. */
const bodyOf = (raw: Readable): PassThrough => {
  const body = new PassThrough()
  raw.pipe(body)
  raw.once(
    'close',
    guarded('upstream: a body ends', () => {
      if (!raw.readableEnded) body.destroy(new Error('The visitor has gone'))
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

/** Sends calls on and their answers back, both as streams; whoever hangs up ends the other side too. */
export const createForward = (upstream: URL) => {
  // Each connection has one call at a time, whose body undici frames by itself; HTTP/2 would put many on one.
  const pool = new Pool(upstream.origin, {
    pipelining: 1,
    allowH2: false,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  })

  const ask = (request: FastifyRequest, reply: FastifyReply): Promise<Dispatcher.ResponseData> => {
    const gone = new AbortController()
    reply.raw.once(
      'close',
      guarded('upstream: a visitor goes', () => gone.abort()),
    )
    const headers = theirHeaders(request, upstream)
    const length = request.headers['content-length']
    const isLong = hasBody(request)
    if (isLong && length !== undefined) headers['content-length'] = length
    let announcements = 0
    return pool.request({
      path: request.url,
      method: methods.find((method) => method === request.method) ?? 'GET',
      headers,
      body: isLong ? bodyOf(request.raw) : null,
      signal: gone.signal,
      onInfo: () => {
        announcements += 1
        if (announcements > mostAnnouncements) gone.abort(badGateway())
      },
    })
  }

  const requireForwardable = (request: FastifyRequest): void => {
    if (!isForwardable(request.url)) throw notFound()
    if (bodiless.has(request.method) && hasBody(request)) throw requestDecodeError(`${request.method} takes no body`)
    const { upgrade } = request.headers
    // To who offers another HTTP one goes on with this; anything else it couldn't be taken back from.
    if (upgrade !== undefined && upgrade !== 'h2c') throw requestDecodeError('Connections are not upgraded')
  }

  /** Puts the head on the answer; what Node refuses to write is the other server's fault. */
  const writeHead = (request: FastifyRequest, reply: FastifyReply, answer: Dispatcher.ResponseData): void => {
    const { statusCode, headers, body } = answer
    const asked = new URL(request.url, upstream)
    try {
      if (statusCode < 200 || statusCode > 599) throw new Error(`Status ${statusCode}`)
      const ours = ourHeaders(headers, reply.getHeaders(), asked, request.protocol === 'https')
      for (const [name, value] of Object.entries(ours)) reply.raw.setHeader(name, value)
      // Held to it by undici, or it has no body at all.
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
    const answer = await ask(request, reply).catch((error: unknown) => {
      request.log.warn({ err: error }, 'the other server does not answer')
      throw isAway(error) ? unavailable() : badGateway()
    })
    writeHead(request, reply, answer)
    reply.hijack()
    // A head that is flushed by itself is written as UTF-8, and one before bytes as the Latin-1 that it is.
    if (isHttp2(request)) reply.raw.flushHeaders()
    else reply.raw.write(nothing)
    pipeline(
      answer.body,
      reply.raw,
      guarded('upstream: an answer ends', (error: Error | null | undefined) => {
        if (error != null) request.log.debug({ err: error }, 'an answer broke off')
      }),
    )
    return reply
  }

  return { methods, forward, close: () => pool.destroy() }
}

/** It can't be reached, or hangs up, and may be back soon; anything else is an answer that is none. */
const isAway = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isTimeOut = /^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code)
  return isTimeOut || /^E(?!RR_)/.test(code) || (error instanceof Error && error.message === 'other side closed')
}
