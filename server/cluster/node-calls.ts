import type { FastifyBaseLogger } from 'fastify'
import type { Readable } from 'node:stream'
import { Agent, type buildConnector } from 'undici'
import { minuteMs } from '../durations.ts'
import { ApiError, unavailable } from '../http/api-error.ts'
import { createThrottle } from '../users/throttle.ts'
import type { Cluster } from './cluster.ts'
import { callHeader, type PassedClient, type Signing } from './signing.ts'

export type NodeAnswer = { status: number; headers: Record<string, string>; body: Buffer }
/** `stream`: the body piece by piece; `read`: all of it at once, up to a limit. */
type OpenAnswer = Omit<NodeAnswer, 'body'> & { body: { stream: Readable; read: () => Promise<Buffer> } }

type NodeCall = {
  method?: 'GET' | 'HEAD'
  /** The path with its query. */
  path: string
  headers?: Record<string, string>
  /** The client whose request this node passes on. */
  client?: PassedClient
  signal?: AbortSignal
}

/** Calls of this node to others. */
export type NodeCalls = {
  /** Rejects with 503 if that node doesn't answer. */
  ask: (nodeId: string, call: NodeCall) => Promise<NodeAnswer>
  /** The same, for an answer of any length that is read piece by piece. */
  open: (nodeId: string, call: NodeCall) => Promise<OpenAnswer>
  close: () => Promise<void>
}

/** Until the headers of an answer: longer than a node waits for a new playlist or part. */
const silenceMs = 45_000
const bodyMs = 10_000
/** Larger than any segment. */
const maxBytes = 128 * 1024 * 1024
const maxCalls = 512
/** The retry-after for calls that an unavailable node would answer. */
export const retrySeconds = 2

/** The headers of another node's answer that clients get. */
const answerHeaders = ['content-type', 'cache-control', 'etag', 'last-modified', 'retry-after', 'vary'] as const
const fileHeaders = [
  ...answerHeaders,
  'content-length',
  'content-range',
  'content-disposition',
  'accept-ranges',
] as const

/** The headers with these names, without those that are missing or repeated. */
export const headersIn = (
  headers: Record<string, string | string[] | undefined>,
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value] as const] : []
    }),
  )

/** The status by which a node refuses the signature of a call. */
export const refusedStatus = 421

type CallOptions = {
  connect: buildConnector.connector
  now: () => number
  log: Pick<FastifyBaseLogger, 'warn'>
}

export const createNodeCalls = (
  cluster: Pick<Cluster, 'nodes'>,
  signing: Signing,
  { connect, now, log }: CallOptions,
): NodeCalls => {
  const warnings = createThrottle(1, minuteMs, now)
  const agent = new Agent({
    connections: maxCalls,
    pipelining: 1,
    allowH2: false,
    connect,
    headersTimeout: silenceMs,
    bodyTimeout: bodyMs,
    maxHeaderSize: 16_384,
  })
  let inProgress = 0

  const read = async (body: AsyncIterable<unknown>): Promise<Buffer> => {
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of body) {
      if (!Buffer.isBuffer(piece)) continue
      bytes += piece.length
      if (bytes > maxBytes) throw new Error('The answer of another node is too long')
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }

  const send = (nodeId: string, { method = 'GET', path, headers = {}, client, signal }: NodeCall) => {
    const node = cluster.nodes().find(({ id }) => id === nodeId)
    if (node?.isAvailable !== true) throw unavailable(retrySeconds)
    return agent.request({
      origin: node.url,
      path,
      method,
      headers: { ...headers, [callHeader]: signing.sign({ method, path }, nodeId, client) },
      ...(signal === undefined ? {} : { signal }),
    })
  }

  const logFailure = (nodeId: string, { signal }: NodeCall, error: unknown): void => {
    if (error instanceof ApiError || signal?.aborted === true || warnings.take(nodeId) !== undefined) return
    log.warn({ err: error, nodeId }, 'another node did not answer a call')
  }

  /**
   * Bounds the calls in progress; one of `open` counts until its headers have come. A node that doesn't answer, or
   * breaks off its answer until then, counts as unavailable.
   */
  const limited = async <T>(nodeId: string, call: NodeCall, work: () => Promise<T>): Promise<T> => {
    if (inProgress >= maxCalls) throw unavailable(retrySeconds)
    inProgress += 1
    try {
      return await work()
    } catch (error) {
      logFailure(nodeId, call, error)
      throw unavailable(retrySeconds)
    } finally {
      inProgress -= 1
    }
  }

  return {
    ask: (nodeId, call) =>
      limited(nodeId, call, async () => {
        const { statusCode, headers, body } = await send(nodeId, call)
        return { status: statusCode, headers: headersIn(headers, answerHeaders), body: await read(body) }
      }),
    open: (nodeId, call) =>
      limited(nodeId, call, async () => {
        const { statusCode, headers, body } = await send(nodeId, call)
        return {
          status: statusCode,
          headers: headersIn(headers, fileHeaders),
          body: { stream: body, read: () => read(body) },
        }
      }),
    close: () => agent.destroy(),
  }
}
