import type { FastifyReply } from 'fastify'
import { guarded } from '../guarded.ts'

/** One for all, as each costs the stack of its caller. */
const closed = new DOMException('The response is closed', 'AbortError')

/** Aborts when the response is done or its connection lost. */
export const whileOpen = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort(closed)
  raw.once(
    'close',
    guarded('answer: closed', () => controller.abort(closed)),
  )
  return controller.signal
}
