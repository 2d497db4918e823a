import type { FastifyRequest } from 'fastify'
import type { ServerPlugin } from '../context.ts'
import type { AddressList } from '../http/address-list.ts'
import { addGauges } from './measures.ts'

/**
 * Whether monitoring calls directly. A proxy that isn't named in TRUST_PROXY shows its own address: what it passes on
 * may come from anywhere.
 */
const isFrom = (allowed: AddressList, { ip, ips, headers }: FastifyRequest): boolean =>
  (ips !== undefined || (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined)) &&
  allowed.has(ip)

export const createMetricsRoutes =
  (allowed: AddressList): ServerPlugin =>
  (app, { metrics, store, backgroundWrites }) => {
    addGauges(
      metrics,
      {
        name: 'sightline_queue_length',
        help: 'Queue lengths: database calls, background writes',
        label: 'queue',
      },
      () => ({ database: store.pending(), notes: backgroundWrites.pending() }),
    )

    app.get(
      '/v1/system/metrics',
      {
        config: { access: { to: 'administrator', orIf: (request) => isFrom(allowed, request) } },
        schema: { tags: ['system'], produces: ['application/openmetrics-text', 'text/plain'] },
      },
      async (request, reply) => {
        // Readers of the older format take the same text: it knows the end and the suffixes as comments and names.
        const isPlain = request.headers.accept?.includes('openmetrics') !== true
        reply.type(isPlain ? 'text/plain; version=0.0.4; charset=utf-8' : metrics.contentType)
        return metrics.metrics()
      },
    )
  }
