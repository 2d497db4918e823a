import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/fastify.ts'
import { safeMethods } from '../http/methods.ts'
import { guarded } from '../guarded.ts'
import type { Access, Action, Caller } from './access.ts'

export type Running = {
  /**
   * Decides a request by what holds until it is watched: a change that comes meanwhile makes it decide again. Returns
   * when `decide` answers nothing, or has called what it answers.
   */
  decide: (decide: () => Promise<(() => void) | undefined>) => Promise<void>
  watch: (request: FastifyRequest, reply: FastifyReply, action: Action) => void
}

/** Aborts responses in progress that a change no longer allows, as of a blocked user or a withdrawn share. */
export const installRunning = (
  app: App,
  access: Access,
  standing: (caller: Caller) => Promise<Caller | undefined>,
): Running => {
  const running = new Map<FastifyReply, { caller: Caller; action: Action }>()
  let changes = 0

  /** Whether they still may, asked once for all answers of one caller to one action. */
  const createDecision = () => {
    const known = new Map<string, Promise<boolean>>()
    const decide = async (caller: Caller, action: Action): Promise<boolean> => {
      const now = await standing(caller)
      return now !== undefined && (await access.apiError(now, action)) === undefined
    }
    return (caller: Caller, action: Action): Promise<boolean> => {
      const key = JSON.stringify([caller, action])
      const decided = known.get(key) ?? decide(caller, action)
      known.set(key, decided)
      return decided
    }
  }

  app.addHook('onSend', async (request, reply) => {
    if (safeMethods.has(request.method) || reply.statusCode >= 400) return
    changes += 1
    const mayGoOn = createDecision()
    for (const [other, { caller, action }] of running) {
      // Without an error, an HTTP/2 client would take the partial response for complete.
      if (other !== reply && !(await mayGoOn(caller, action))) other.raw.destroy(new Error('The right to it is gone'))
    }
  })

  return {
    decide: async (decide) => {
      for (;;) {
        const before = changes
        const then = await decide()
        if (changes !== before) continue
        then?.()
        return
      }
    },
    watch: (request, reply, action) => {
      // A request that changes something is decided at its start and always answered.
      if (action.to === 'anyone' || !safeMethods.has(request.method) || reply.raw.destroyed) return
      running.set(reply, { caller: request.caller, action })
      reply.raw.once(
        'close',
        guarded('access: an answer ends', () => running.delete(reply)),
      )
    },
  }
}
