import type { FastifyRequest } from 'fastify'
import type { ServerPlugin } from '../context.ts'
import type { AddressList } from '../http/address-list.ts'
import type { Hosts } from '../http/hosts.ts'
import { waitingWork } from '../media/slots.ts'
import { visitorOf } from '../users/visitors.ts'
import { addGauges } from './measures.ts'

/**
 * Whether a request comes from an allowed address. A request that a proxy forwarded may come from anywhere, unless
 * TRUST_PROXY names the proxy, and so may one from loopback while a tunnel is open.
 */
const isFrom = (allowed: AddressList, hosts: Hosts, request: FastifyRequest): boolean => {
  const { ip, ips, headers } = request
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return (ips !== undefined || !isForwarded) && !visitorOf(request, hosts).isShared && allowed.has(ip)
}

export const createMetricsRoutes =
  (allowed: AddressList): ServerPlugin =>
  (app, { metrics, store, backgroundWrites, hosts }) => {
    addGauges(
      metrics,
      {
        name: 'sightline_queue_length',
        help: 'Queue lengths: database calls, background writes, and work that waits for a slot',
        label: 'queue',
      },
      () => ({ database: store.pending(), notes: backgroundWrites.pending(), ...waitingWork() }),
    )

    app.get(
      '/v1/system/metrics',
      {
        config: { access: { to: 'administrator', orIf: (request) => isFrom(allowed, hosts, request) } },
        schema: { tags: ['system'], produces: ['application/openmetrics-text', 'text/plain'] },
      },
      async (request, reply) => {
        // The older text format reads the same body: `# EOF` is a comment in it, and suffixes are parts of names.
        const isPlain = request.headers.accept?.includes('openmetrics') !== true
        reply.type(isPlain ? 'text/plain; version=0.0.4; charset=utf-8' : metrics.contentType)
        return metrics.metrics()
      },
    )
  }
