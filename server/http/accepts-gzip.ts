import type { FastifyRequest } from 'fastify'

/** An `Accept-Encoding` with gzip, unless by `q=0`. */
const gzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

export const acceptsGzip = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  gzip.test(headers['accept-encoding']?.toString() ?? '')
