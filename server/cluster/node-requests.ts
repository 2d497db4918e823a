import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/access.ts'
import { ApiError, notFound } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'
import type { ServerContext } from '../context.ts'
import { minuteMs } from '../durations.ts'
import { createThrottle } from '../users/throttle.ts'
import { safeMethods } from '../http/methods.ts'
import { refusedStatus } from './node-calls.ts'
import { callHeader, type PassedClient, type Signing } from './signing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The client whose request another node has passed on; undefined if the client has sent it to this node. */
    passedOn: PassedClient | undefined
  }
}

const nodePrefix = '/v1/internal/'
const passPrefix = '/v1/internal/pass'

/** The path under which a node passes a request on. */
export const passedPath = (url: string): string => `${passPrefix}${url}`

/** A request that was passed on gets the route of its own path. */
export const withoutPassPrefix = (url: string): string =>
  url.startsWith(`${passPrefix}/v1/`) ? url.slice(passPrefix.length) : url

/**
 * Answers calls under `/v1/internal/` only if a node has signed them; others get 404, as without a cluster. The `ip` of
 * a request that was passed on becomes that of its client.
 */
export const installNodeRequests = (
  app: App,
  signing: Signing | undefined,
  { hosts, now }: Pick<ServerContext, 'hosts' | 'now'>,
  ownUrl = '',
): void => {
  const warnings = createThrottle(1, minuteMs, now)
  app.decorateRequest('passedOn', undefined)
  if (signing === undefined) return
  hosts.allow(URL.parse(ownUrl)?.hostname ?? '')
  app.addHook('onRequest', async (request) => {
    const { method, originalUrl: path, headers, routeOptions } = request
    // The router decodes a path, and takes an absolute address: another spelling leads to the same route.
    if (![path, routeOptions.url ?? ''].some((one) => one.startsWith(nodePrefix))) return
    if (headers[callHeader] === undefined) throw notFound()
    const claims = safeMethods.has(method) ? signing.verify({ method, path }, headers[callHeader]) : undefined
    if (claims === undefined) {
      if (warnings.take('') === undefined)
        request.log.warn({ path }, 'a call of a node was refused: its signature is wrong, or its clock')
      throw new ApiError(refusedStatus, 'Forbidden')
    }
    if (!path.startsWith(passPrefix)) return
    if (claims.origin === undefined) throw new ApiError(refusedStatus, 'Forbidden')
    request.passedOn = claims.origin
    Object.defineProperty(request, 'ip', { value: claims.origin.ip })
  })
}

/** The identities of a request that was passed on, with their present rights; undefined for other requests. */
export const identifyPassed = async (
  { passedOn }: FastifyRequest,
  currentCaller: (caller: Caller) => Promise<Caller | undefined>,
): Promise<Caller[] | undefined> => {
  if (passedOn === undefined) return undefined
  const current = await currentCaller(passedOn.caller)
  return current === undefined || current.kind === 'anonymous' ? [] : [current]
}
