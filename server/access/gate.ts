import type { FastifyInstance, FastifyRequest } from 'fastify'
import { authorizationRequired, forbidden, notInitialised, validationError } from '../http/api-error.ts'
import { propertyOf } from '../property-of.ts'
import { safeMethods } from '../http/methods.ts'
import { needsSharePassword, type Access, type Action, type Caller } from './access.ts'
import type { StreamAction } from './stream-rights.ts'
import type { Revocation } from './revocation.ts'
import { StoreAway } from '../store/connection.ts'
import { withLastAnswers } from '../store/last-answers.ts'

/**
 * The access that a route declares. `from`: where the request has the uid of the stream, or the id of the mosaic, of
 * the export or of the plan.
 */
export type RouteAccess =
  | { to: 'anyone' | 'self' | 'creator' }
  /** `orIf`: requests that anyone may make. */
  | { to: 'administrator'; orIf?: (request: FastifyRequest) => boolean }
  | { to: 'user'; notByToken?: string }
  /** `without`: the access required if the query has no uid. */
  | { to: StreamAction; from: 'params.uid' | 'query.stream_id' | 'query.streamId'; without?: 'user' | 'creator' }
  | { to: 'mosaic' | 'export' | 'plan'; from: 'params.id' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required of every route, checked at the start. */
    access?: RouteAccess
    /** Answers before the first administrator exists (docs/behaviour.md §2). */
    beforeFirstAdministrator?: boolean
    /** A GET that changes something: its origin is checked, as that of other methods. */
    changes?: boolean
  }
  interface FastifyRequest {
    caller: Caller
  }
}

export type GateOptions = {
  access: Access
  revocation: Revocation
  hasAdministrator: () => Promise<boolean>
  /** Every identity that the request proves, the strongest first; empty if anonymous. */
  identify: (request: FastifyRequest) => Promise<Caller[]>
}

export const signedIn = (request: FastifyRequest): Extract<Caller, { kind: 'user' }> => {
  if (request.caller.kind !== 'user') throw authorizationRequired()
  return request.caller
}

export const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim()

export const isSameOrigin = (request: FastifyRequest): boolean => {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const own = `${request.protocol}://${request.host}`
  const { host, origin, referer } = request.headers
  // A trusted proxy may replace Host and Origin by this server's; `request.host` is then the X-Forwarded-Host.
  const isRewritten = host !== undefined && host !== request.host && URL.parse(origin ?? '')?.host === host
  if (origin !== undefined) return origin === own || isRewritten
  // A same-origin GET has no Origin on plain HTTP in a LAN; a foreign page can drop Referer but not forge it.
  return safeMethods.has(request.method) && referer !== undefined && URL.parse(referer)?.origin === own
}

const isChange = ({ method, routeOptions }: FastifyRequest): boolean =>
  !safeMethods.has(method) || routeOptions.config.changes === true

/** Requests of who watches streams and mosaics, which go on while the database is away. */
const isWatching = (request: FastifyRequest): boolean =>
  !isChange(request) && ['see', 'view', 'mosaic'].includes(request.routeOptions.config.access?.to ?? '')

const actionOf = (request: FastifyRequest, access: RouteAccess): Action => {
  if ('orIf' in access && access.orIf?.(request) === true) return { to: 'anyone' }
  if (!('from' in access)) return access
  const [part = '', key = ''] = access.from.split('.')
  const id = propertyOf(part === 'params' ? request.params : request.query, key)
  if (id === undefined && 'without' in access) return { to: access.without }
  if (typeof id !== 'string' || id === '') throw validationError({ [key]: 'Required' })
  return access.to === 'mosaic' || access.to === 'export' || access.to === 'plan'
    ? { to: access.to, id }
    : { to: access.to, uid: id }
}

/**
 * Checks before every route that an administrator exists (423), the origin of changes, identity and access. A route
 * that declares no access throws at the start.
 */
export const installGate = (app: FastifyInstance, options: GateOptions): void => {
  app.decorateRequest('caller')

  const grantedOf = async (identities: readonly Caller[], action: Action): Promise<Caller | undefined> => {
    for (const caller of identities) {
      if ((await options.access.apiError(caller, action)) === undefined) return caller
    }
    return undefined
  }

  /** While the database is away only callers of before can be identified; public routes still answer all. */
  const identify = async (request: FastifyRequest): Promise<Caller[]> => {
    try {
      return await options.identify(request)
    } catch (error) {
      const isForAnyone = request.routeOptions.config.access?.to === 'anyone' && safeMethods.has(request.method)
      if (isForAnyone && error instanceof StoreAway) return []
      throw error
    }
  }

  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) {
      throw new Error(`${String(route.method)} ${route.url} declares no access: add config.access`)
    }
  })

  app.addHook('onRequest', (request, _reply, done) => (isWatching(request) ? withLastAnswers(done) : done()))
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions
    if (
      (request.routeOptions.url ?? request.url).startsWith('/v1/') &&
      config.beforeFirstAdministrator !== true &&
      !(await options.hasAdministrator())
    )
      throw notInitialised()
    if (isChange(request) && !request.is404 && bearerOf(request) === undefined && !isSameOrigin(request)) {
      throw forbidden('Changes are accepted only from the console itself or with a Bearer token')
    }
    await options.revocation.watch(request, reply, async () => {
      const identities = await identify(request)
      const [first = { kind: 'anonymous' }] = identities
      request.caller = first
      if (request.is404) return undefined
      if (config.access === undefined) throw forbidden()
      const action = actionOf(request, config.access)
      const granted = await grantedOf(identities, action)
      if (granted === undefined) await options.access.require(identities.find(needsSharePassword) ?? first, action)
      else request.caller = granted
      return action
    })
  })
}
