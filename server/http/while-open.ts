import type { FastifyReply } from 'fastify'
import { guarded } from '../guarded.ts'
import { isClosed } from './is-closed.ts'

/** One for all, as each costs the stack of its caller. */
const closed = new DOMException('The response is closed', 'AbortError')

/** Aborts when the response is done or its connection lost. */
export const whileOpen = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  if (isClosed(reply)) controller.abort(closed)
  reply.raw.once(
    'close',
    guarded('answer: closed', () => controller.abort(closed)),
  )
  return controller.signal
}
