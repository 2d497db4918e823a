import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import * as z from 'zod/mini'
import { guarded } from '../guarded.ts'
import { bareHeaders } from './protection.ts'
import { isClosed } from './is-closed.ts'
import { isHttp2 } from './tls.ts'
import { StoreAway } from '../store/connection.ts'
import { StorageAway } from '../storage/chunk-storage.ts'
import { ApiError, notFound, requestDecodeError, tooManyRequests, unavailable, validationError } from './api-error.ts'

const send = (reply: FastifyReply, apiError: ApiError): FastifyReply => {
  if (apiError.retryAfterSeconds !== undefined) reply.header('retry-after', String(apiError.retryAfterSeconds))
  reply.header('cache-control', 'no-store')
  // The log has it as `reqId`.
  reply.header('x-request-id', reply.request.id)
  // What was to be sent may have been compressed.
  reply.removeHeader('content-encoding')
  reply.type('application/json; charset=utf-8')
  return reply
    .code(apiError.status)
    .serializer(JSON.stringify)
    .send({
      code: apiError.code,
      ...(apiError.message === '' ? {} : { message: apiError.message }),
      ...(apiError.details === undefined ? {} : { details: apiError.details }),
    })
}

/** `retry-after` while the database or the bucket is away; each call tries to reach them again. */
const awaySeconds = 5

/** Statuses of fastify that are passed on: precondition, body size and range. */
const passedStatuses: ReadonlySet<number> = new Set([412, 413, 416])

/** `/archive/isEnable` → `archive.isEnable`; the whole body → `body`. */
const fieldPath = (instancePath: string): string => instancePath.slice(1).split('/').join('.') || 'body'

const Problem = z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })
/** What zod reports of a union: the problems of each alternative. */
const Alternatives = z.object({ errors: z.array(z.array(Problem)).check(z.minLength(1)) })

const depthOf = (problems: readonly z.output<typeof Problem>[]): number =>
  Math.max(0, ...problems.map(({ path }) => path.length))

interface Issue {
  instancePath: string
  message?: string | undefined
  params: unknown
}

/** Problems by path. A union has those of the alternative that matches furthest, the last one if several do. */
const problemsOf = ({ instancePath, message = 'Invalid', params }: Issue): { path: string; message: string }[] => {
  const union = z.safeParse(Alternatives, params)
  if (!union.success) return [{ path: instancePath, message }]
  const furthest = union.data.errors.reduce((best, each) => (depthOf(each) >= depthOf(best) ? each : best))
  const start = instancePath === '/' ? '' : instancePath
  return furthest.map((each) => ({ path: [start, ...each.path].join('/') || '/', message: each.message }))
}

export const apiErrorOf = (error: FastifyError): ApiError | undefined => {
  if (error instanceof ApiError) return error
  if (error instanceof StoreAway || error instanceof StorageAway) return unavailable(awaySeconds)
  if (hasZodFastifySchemaValidationErrors(error)) {
    const problems = error.validation.flatMap(problemsOf)
    if (error.validationContext === 'body' && problems.every(({ path }) => path === '/')) {
      return requestDecodeError('The body must be a JSON object')
    }
    const details: Record<string, string> = {}
    for (const { path, message } of problems) details[fieldPath(path)] ??= message
    return validationError(details)
  }
  const status = error.statusCode ?? 500
  if (status === 404) return notFound()
  if (status === 429) return tooManyRequests(60)
  if (passedStatuses.has(status)) return new ApiError(status, 'RequestDecodeError')
  if (status >= 400 && status < 500) return requestDecodeError()
  return undefined
}

/** Sends every error as `{code, message?, details?}`, never a stack or another program's text. */
export const answerError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  // No hook runs for an invalid URL or an unknown method.
  if (!reply.hasHeader('x-content-type-options')) reply.headers(bareHeaders(request.protocol === 'https'))
  // Fastify sets `connection: close` after an oversized body; HTTP/2 forbids the field.
  if (isHttp2(request)) reply.removeHeader('connection')
  // The console has the page for a path that can't be decoded.
  if (error.code === 'FST_ERR_BAD_URL' && request.url.startsWith('/ui/'))
    return reply.redirect(`${request.server.basePath}/ui/not-found`)
  const apiError = apiErrorOf(error)
  if (apiError !== undefined) {
    if (apiError.status === 500) request.log.error({ err: error }, 'unexpected error of another node')
    return send(reply, apiError)
  }
  // What the client no longer waits for was given up.
  const isGivenUp = error.name === 'AbortError' && isClosed(reply)
  if (!isGivenUp) request.log.error({ err: error }, 'unexpected error')
  return send(reply, new ApiError(500, 'InternalServerError'))
}

const parserStatuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

const writeUnparsed = (error: ConnectionError, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const status = parserStatuses[error.code] ?? 400
  const body = JSON.stringify({ code: 'RequestDecodeError' })
  const headers = {
    ...bareHeaders(socket instanceof TLSSocket),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  socket.destroySoon()
}

/** Answers invalid HTTP, or an oversized head, directly on the socket and closes it. */
export const answerUnparsed = (error: ConnectionError, socket: Socket): void =>
  guarded('http: what is no request', writeUnparsed, () => socket.destroy())(error, socket)

export const answerNoRoute = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => send(reply, notFound())
