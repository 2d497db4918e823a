import type { FastifyReply } from 'fastify'
import { guarded } from '../guarded.ts'

/** Aborts when the response is done or its connection lost. */
export const whileOpen = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  raw.once(
    'close',
    guarded('answer: closed', () => controller.abort()),
  )
  return controller.signal
}
