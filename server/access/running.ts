import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/fastify.ts'
import { safeMethods } from '../http/methods.ts'
import { guarded } from '../guarded.ts'
import type { Access, Action, Caller } from './access.ts'

export type Running = {
  watch: (request: FastifyRequest, reply: FastifyReply, action: Action) => void
}

/** Aborts responses in progress that a change no longer allows, as of a blocked user or a withdrawn share. */
export const installRunning = (app: App, access: Access, standing: (caller: Caller) => Caller | undefined): Running => {
  const running = new Map<FastifyReply, { caller: Caller; action: Action }>()

  app.addHook('onSend', async (request, reply) => {
    if (safeMethods.has(request.method) || reply.statusCode >= 400) return
    for (const [other, { caller, action }] of running) {
      if (other === reply) continue
      const now = standing(caller)
      // Without an error, an HTTP/2 client would take the partial response for complete.
      if (now === undefined || access.apiError(now, action) !== undefined)
        other.raw.destroy(new Error('The right to it is gone'))
    }
  })

  return {
    watch: (request, reply, action) => {
      // A request that changes something is decided at its start and always answered.
      if (action.to === 'anyone' || !safeMethods.has(request.method)) return
      running.set(reply, { caller: request.caller, action })
      reply.raw.once(
        'close',
        guarded('access: an answer ends', () => running.delete(reply)),
      )
    },
  }
}
