import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { createSending, sendBytes } from '../archive/playback/sending.ts'
import { minuteMs } from '../durations.ts'
import { guarded } from '../guarded.ts'
import { viewerKey } from '../http/caller-key.ts'
import { ApiError, unavailable } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'
import { propertyOf } from '../property-of.ts'
import { isHttp2 } from '../http/tls.ts'
import { whileOpen } from '../http/while-open.ts'
import { apiErrorCodes } from '../../src/api/contract/api-error.ts'
import { parseJson } from '../parse-json.ts'
import { holderElsewhere, type Cluster } from './cluster.ts'
import { headersIn, refusedStatus, retrySeconds, type NodeAnswer, type NodeCalls } from './node-calls.ts'
import { passedPath } from './node-requests.ts'

/** The node that records the stream, or this one; `holderOrHere`: this one while that node is away. */
type Answerer = 'holder' | 'holderOrHere' | 'here'
type AnsweredBy = Answerer | ((request: FastifyRequest) => Answerer)

declare module 'fastify' {
  interface FastifyContextConfig {
    answeredBy?: AnsweredBy
    /** The answer is the same for every caller who may have it. */
    isSameForAll?: boolean
  }
}

const requestHeaders = ['accept', 'accept-language', 'user-agent', 'if-none-match', 'if-range', 'range'] as const

const Failure = z.object({
  code: z.union([z.literal(''), z.enum(apiErrorCodes)]),
  message: z.optional(z.string()),
  details: z.optional(z.record(z.string(), z.unknown())),
})

/** Newer chunks may be on the holder's disk only. */
export const recentMs = 3 * minuteMs

/** Calls without a moment are about live video. The moment is `end_time`, `time` or the start in a segment's name. */
export const byMoment =
  (now: () => number) =>
  ({ params, query }: FastifyRequest): Answerer => {
    const name = propertyOf(params, 'name')
    const named = typeof name === 'string' ? Number.parseInt(name, 10) : undefined
    const moment = propertyOf(query, 'end_time') ?? propertyOf(query, 'time') ?? named
    if (typeof moment !== 'number') return 'holder'
    return moment > now() - recentMs ? 'holderOrHere' : 'here'
  }

const uidOf = ({ params, query }: FastifyRequest): string | undefined => {
  const uid = propertyOf(params, 'uid') ?? propertyOf(query, 'stream_id')
  return typeof uid === 'string' ? uid : undefined
}

/** The call to the node that answers a request. */
export const callOf = (request: FastifyRequest) => {
  const { caller, headers, ip, method, url } = request
  return {
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    path: passedPath(url),
    headers: headersIn(headers, requestHeaders),
    client: { caller, ip, isHttp2: isHttp2(request) },
  } as const
}

/** Throws the error of another node, so that it is logged like those of this node. */
export const requireAnswer = ({ status, headers, body }: NodeAnswer): void => {
  if (status === refusedStatus) throw unavailable(retrySeconds)
  if (status < 400) return
  const { code = '', message, details } = parseJson(Failure, body.toString()) ?? {}
  const seconds = Number(headers['retry-after'])
  throw new ApiError(status, code, {
    ...(message === undefined ? {} : { message }),
    ...(details === undefined ? {} : { details }),
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  })
}

/** Concurrent requests with the same key share one call, which is aborted when all of their clients have left. */
const createSharedCalls = () => {
  const calls = new Map<string, { answer: Promise<NodeAnswer>; abort: AbortController; clients: number }>()
  return async (key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<NodeAnswer>) => {
    const known = calls.get(key)
    const abort = known?.abort ?? new AbortController()
    const call = known ?? { answer: ask(abort.signal), abort, clients: 0 }
    calls.set(key, call)
    call.clients += 1
    const leave = guarded('cluster: a client goes', () => {
      call.clients -= 1
      if (call.clients > 0) return
      abort.abort()
      if (calls.get(key) === call) calls.delete(key)
    })
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await call.answer
    } finally {
      signal.removeEventListener('abort', leave)
      if (calls.get(key) === call) calls.delete(key)
    }
  }
}

/**
 * Passes requests on to the node that records their stream, if that is another one. Access was decided here, and is
 * decided there again for the same caller.
 */
export const installPassingOn = (app: App, cluster: Cluster, calls: NodeCalls): void => {
  const askOnce = createSharedCalls()
  const { mediaBytes } = createSending()

  const nodeFor = (request: FastifyRequest): string | undefined => {
    const { answeredBy } = request.routeOptions.config
    const uid = uidOf(request)
    if (answeredBy === undefined || uid === undefined || request.passedOn !== undefined) return undefined
    const holder = holderElsewhere(cluster, uid)
    if (holder === undefined) return undefined
    const answerer = typeof answeredBy === 'function' ? answeredBy(request) : answeredBy
    if (answerer === 'here') return undefined
    return answerer === 'holderOrHere' && !cluster.isAvailable(holder) ? undefined : holder
  }

  const passOn = (request: FastifyRequest, reply: FastifyReply, nodeId: string): Promise<NodeAnswer> => {
    const call = callOf(request)
    const { method, headers } = call
    const viewer = request.routeOptions.config.isSameForAll === true ? '' : viewerKey(request)
    const key = JSON.stringify([nodeId, method, request.url, headers['if-none-match'], headers['range'], viewer])
    return askOnce(key, whileOpen(reply), (signal) => calls.ask(nodeId, { ...call, signal }))
  }

  app.addHook('preHandler', async (request, reply) => {
    const nodeId = nodeFor(request)
    if (nodeId === undefined) return undefined
    const answer = await passOn(request, reply, nodeId)
    requireAnswer(answer)
    const { status, headers, body } = answer
    // As for what this node has itself: who reads slowly must not fill the memory.
    if (body.length > 0) mediaBytes.reserve(viewerKey(request), reply, body.length)
    reply.code(status).headers(headers)
    if (body.length === 0) reply.send()
    else sendBytes(reply, body)
    // Never settles: fastify would go on to the handler of this node once a client leaves in the middle. A hijacked
    // reply wouldn't take the error of a hook that refuses to send the answer.
    return new Promise(() => undefined)
  })
}
