import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../access/access.ts'
import { ApiError, notFound } from '../http/api-error.ts'
import type { App } from '../http/fastify.ts'
import type { Hosts } from '../http/hosts.ts'
import { safeMethods } from '../http/methods.ts'
import { refusedStatus } from './node-calls.ts'
import { callHeader, type Origin, type Signing } from './signing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Another node has passed this request on, for this caller. */
    passedOn: Origin | undefined
  }
}

const ofNodes = '/v1/internal/'
const passed = '/v1/internal/pass'

/** The path under which a node passes a request on. */
export const passedPath = (url: string): string => `${passed}${url}`

/** The option of fastify that gives requests which were passed on the route of their own path. */
export const rewritePassed = {
  rewriteUrl: ({ url = '' }: Pick<IncomingMessage, 'url'>): string =>
    url.startsWith(`${passed}/v1/`) ? url.slice(passed.length) : url,
}

/**
 * Answers calls under `/v1/internal/` only if a node has signed them, to others 404 as without a cluster. Requests that
 * were passed on get the address of their client.
 */
export const installNodeRequests = (app: App, signing: Signing | undefined, hosts: Hosts, ownUrl = ''): void => {
  app.decorateRequest('passedOn', undefined)
  if (signing === undefined) return
  hosts.allow(URL.parse(ownUrl)?.hostname ?? '')
  app.addHook('onRequest', async (request) => {
    const { method, originalUrl: path, headers } = request
    if (!path.startsWith(ofNodes)) return
    if (headers[callHeader] === undefined) throw notFound()
    const claims = safeMethods.has(method) ? signing.verify({ method, path }, headers[callHeader]) : undefined
    if (claims === undefined) {
      request.log.warn({ path }, 'a call of a node was refused: its signature is wrong, or its clock')
      throw new ApiError(refusedStatus, 'Forbidden')
    }
    if (!path.startsWith(passed)) return
    if (claims.origin === undefined) throw new ApiError(refusedStatus, 'Forbidden')
    request.passedOn = claims.origin
    Object.defineProperty(request, 'ip', { value: claims.origin.ip })
  })
}

/** The identities of a request that was passed on, as they are now. */
export const identifyPassed = async (
  { passedOn }: FastifyRequest,
  currentCaller: (caller: Caller) => Promise<Caller | undefined>,
): Promise<Caller[] | undefined> => {
  if (passedOn === undefined) return undefined
  const current = await currentCaller(passedOn.caller)
  return current === undefined || current.kind === 'anonymous' ? [] : [current]
}
