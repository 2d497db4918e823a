import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/fastify.ts'
import { safeMethods } from '../http/methods.ts'
import { guarded } from '../guarded.ts'
import type { Access, Action, Caller } from './access.ts'

export type Revocation = {
  /** Runs `decide` again if permissions changed while it ran, then calls the function that it returned, if any. */
  decide: (decide: () => Promise<(() => void) | undefined>) => Promise<void>
  watch: (request: FastifyRequest, reply: FastifyReply, action: Action) => void
  /** Decides all anew, after a change that no request made. */
  decideAgain: () => Promise<void>
}

/** Aborts responses in progress when a change takes the right away, such as a blocked user or a withdrawn share. */
export const installRevocation = (
  app: App,
  access: Access,
  currentCaller: (caller: Caller) => Promise<Caller | undefined>,
): Revocation => {
  const running = new Map<FastifyReply, { caller: Caller; action: Action }>()
  let changes = 0

  /** Whether a caller still may do an action; each pair is checked once. */
  const createDecision = () => {
    const known = new Map<string, Promise<boolean>>()
    const decide = async (caller: Caller, action: Action): Promise<boolean> => {
      const now = await currentCaller(caller)
      return now !== undefined && (await access.apiError(now, action)) === undefined
    }
    return (caller: Caller, action: Action): Promise<boolean> => {
      const key = JSON.stringify([caller, action])
      const decided = known.get(key) ?? decide(caller, action)
      known.set(key, decided)
      return decided
    }
  }

  const decideAgain = async (but?: FastifyReply): Promise<void> => {
    changes += 1
    const mayGoOn = createDecision()
    for (const [reply, { caller, action }] of running) {
      // Without an error, an HTTP/2 client would take the partial response for complete.
      if (reply !== but && !(await mayGoOn(caller, action))) reply.raw.destroy(new Error('The right to it is gone'))
    }
  }

  app.addHook('onSend', async (request, reply) => {
    if (!safeMethods.has(request.method) && reply.statusCode < 400) await decideAgain(reply)
  })

  return {
    decideAgain,
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
      // A request that changes something is checked at its start and always gets its answer.
      if (action.to === 'anyone' || !safeMethods.has(request.method) || reply.raw.destroyed) return
      running.set(reply, { caller: request.caller, action })
      reply.raw.once(
        'close',
        guarded('access: an answer ends', () => running.delete(reply)),
      )
    },
  }
}
