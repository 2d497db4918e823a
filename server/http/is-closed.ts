import type { FastifyReply } from 'fastify'
import { Duplex } from 'node:stream'

/** Whether the response is done or its connection lost. Over HTTP/2 only its stream knows. */
export const isClosed = ({ raw }: Pick<FastifyReply, 'raw'>): boolean =>
  'stream' in raw && raw.stream instanceof Duplex ? raw.stream.destroyed : raw.destroyed
