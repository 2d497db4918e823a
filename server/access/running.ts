import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { guarded } from '../guarded.ts'
import type { Access, Action, Caller } from './access.ts'

/** Answers that are still under way, each with what it was granted for. */
export type Running = {
  /** This answer goes on only while its caller may have it. */
  watch: (request: FastifyRequest, reply: FastifyReply, action: Action) => void
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A change may take away what is being answered just then: a download of somebody who is blocked, a segment of a share
 * that is withdrawn. So before a change is answered, every answer under way is decided anew, and those that would be
 * refused now are broken off. `standing` says who a caller is by now; undefined is nobody any more.
 */
export const installRunning = (app: App, access: Access, standing: (caller: Caller) => Caller | undefined): Running => {
  const running = new Map<FastifyReply, { caller: Caller; action: Action }>()

  app.addHook('onSend', async (request, reply) => {
    if (safeMethods.has(request.method) || reply.statusCode >= 400) return
    for (const [other, { caller, action }] of running) {
      if (other === reply) continue
      const now = standing(caller)
      // Without an error the other end of HTTP/2 would take what it has for the whole.
      if (now === undefined || access.apiError(now, action) !== undefined)
        other.raw.destroy(new Error('The right to it is gone'))
    }
  })

  return {
    watch: (request, reply, action) => {
      // What changes something was decided when it began; it isn't left without an answer.
      if (action.to === 'anyone' || !safeMethods.has(request.method)) return
      running.set(reply, { caller: request.caller, action })
      reply.raw.once(
        'close',
        guarded('access: an answer ends', () => running.delete(reply)),
      )
    },
  }
}
