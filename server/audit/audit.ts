import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { AuditPage, AuditQuery } from '../../src/api/contract/system.ts'
import type { App, Room, ServerContext } from '../context.ts'
import { refusalOf } from '../http/errors.ts'
import { auditLogsDisabled } from '../http/refusal.ts'
import { query } from '../store/database.ts'
import { auditPageSize } from './audit-log.ts'
import { auditedRoutes, type Audited } from './audited-routes.ts'

const viewingsAtMost = 10_000

/** Remembers what was done lately: true where the same was done within `ms`, which then counts on from now. */
const createViewings = (now: () => number) => {
  const seen = new Map<string, number>()
  return (key: string, ms: number): boolean => {
    const before = seen.get(key) ?? -Infinity
    seen.delete(key)
    seen.set(key, now())
    const [oldest] = seen.keys()
    if (seen.size > viewingsAtMost && oldest !== undefined) seen.delete(oldest)
    return now() - before < ms
  }
}

const loginOf = ({ caller }: FastifyRequest): string | undefined => {
  if (caller.kind === 'user') return caller.login
  // No login has a space.
  return caller.kind === 'share' ? 'share link' : undefined
}

const auditedOf = ({ method, routeOptions }: FastifyRequest): Audited | undefined => auditedRoutes[`${method} ${routeOptions.url ?? ''}`]

/**
 * The one place that records who did and watched what: after each call that `auditedRoutes` names. A refusal is recorded with its code,
 * but not that of a caller who is nobody, unless the call is one of signing in. Installed before the gate, whose refusals are recorded too.
 */
export const installAudit = (app: App, { audit, settings, now }: ServerContext): void => {
  const answers = new WeakMap<FastifyRequest, unknown>()
  const refusals = new WeakMap<FastifyRequest, string>()
  const addresses = new WeakMap<FastifyRequest, string>()
  const isSameViewing = createViewings(now)

  // Over HTTP/2 it is unknown once the call is answered.
  app.addHook('onRequest', async (request) => {
    if (auditedOf(request) !== undefined) addresses.set(request, request.ip)
  })
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (auditedOf(request) !== undefined) answers.set(request, payload)
    return payload
  })
  app.addHook('onError', async (request, _reply, error) => {
    refusals.set(request, refusalOf(error)?.code ?? 'InternalServerError')
  })
  app.addHook('onResponse', async (request, reply) => {
    const audited = auditedOf(request)
    // Before the first administrator, or from a foreign page, the gate doesn't ask who calls.
    if (audited === undefined || request.caller === undefined || !settings.isAudited) return
    const { params, query, body } = request
    const call = { params, query, body, answer: answers.get(request) }
    const action = typeof audited.action === 'string' ? audited.action : audited.action(call)
    const login = loginOf(request) ?? audited.login?.(call)
    if (action === undefined || login === undefined) return
    const outcome = reply.statusCode < 400 ? 'ok' : (refusals.get(request) ?? String(reply.statusCode))
    const target = audited.target?.(call) ?? ''
    const ip = addresses.get(request) ?? ''
    if (audited.viewingMs !== undefined) {
      const [uid = ''] = target.split(' ')
      const who = `${login} ${ip} ${action} ${outcome}`
      const isWatching = isSameViewing(`${who} ${uid}`, audited.viewingMs)
      // A playlist of another stretch is another viewing; a segment or a picture goes on with the one that is.
      const isStretch = target.includes('/')
      if (isStretch ? isSameViewing(`${who} ${target}`, audited.viewingMs) : isWatching) return
    }
    audit.write({ login, action, target, ip, outcome })
  })
}

/** Actions whose target begins with the id of a stream. */
const isOfStream = /^(?:stream|archive)\.|^bookmark\.create$/
const isOfMosaic = /^mosaic\./

export const auditRoutes: Room = (app, context) => {
  const { audit, configuration, db, settings, features } = context
  const mosaics = query(db, z.object({ name: z.string() }), 'SELECT name FROM mosaics WHERE id = ?')
  configuration.watch((values) => {
    if (values.audit.isEnabled) features.add('audit')
    else features.delete('audit')
  })
  app.get(
    '/v1/admin/audit-logs',
    {
      config: { access: { to: 'administrator' } },
      schema: { tags: ['administration'], querystring: AuditQuery, response: { 200: AuditPage } },
    },
    async ({ query: { page: asked, ...filter }, caller }) => {
      if (!settings.isAudited) throw auditLogsDisabled()
      const page = Math.max(1, asked)
      const { items, total } = audit.read(filter, page)
      const nameOf = ({ action, target }: { action: string; target: string }) => {
        if (isOfMosaic.test(action)) return mosaics.get(target)?.name ?? ''
        return isOfStream.test(action) ? (context.streams.view(caller, target.split(' ')[0] ?? '')?.name ?? '') : ''
      }
      return { items: items.map((entry) => ({ ...entry, name: nameOf(entry) })), total, page, pageSize: auditPageSize }
    },
  )
}
