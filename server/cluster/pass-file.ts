import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { whileOpen } from '../http/while-open.ts'
import type { NodeCalls } from './node-calls.ts'
import { callOf, requireAnswer } from './passing-on.ts'

/** Answers with a file that another node has, as fast as the client reads it. */
export const passFile = async (
  calls: NodeCalls,
  nodeId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { status, headers, body } = await calls.open(nodeId, { ...callOf(request), signal: whileOpen(reply) })
  if (status >= 400) requireAnswer({ status, headers, body: await body.read() })
  reply.code(status).headers(headers)
  // A stream as body: fastify would set the content-length of an empty string to 0.
  return reply.send(request.method === 'HEAD' || status === 304 ? Readable.from([]) : body.stream)
}
