import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/fastify.ts'
import { isClosed } from '../http/is-closed.ts'
import { safeMethods } from '../http/methods.ts'
import { guarded } from '../guarded.ts'
import type { Access, Action, Caller } from './access.ts'

export type Revocation = {
  /** Runs `decide` again if permissions changed while it ran, then calls the function that it returned, if any. */
  decide: (decide: () => Promise<(() => void) | undefined>) => Promise<void>
  /** Aborts the response as soon as its caller loses the right to it. */
  watch: (request: FastifyRequest, reply: FastifyReply, action: Action) => void
  /** Checks all responses in progress again, after a change that no request made. */
  decideAgain: () => Promise<void>
}

/** Aborts responses in progress whose caller lost the right to them: a blocked user, a withdrawn share. */
export const installRevocation = (
  app: App,
  access: Access,
  currentCaller: (caller: Caller) => Promise<Caller | undefined>,
): Revocation => {
  const inProgress = new Map<FastifyReply, { caller: Caller; action: Action }>()
  let changes = 0

  /** Whether a caller still may do an action. Checks each pair once. */
  const createDecision = () => {
    const decisions = new Map<string, Promise<boolean>>()
    const decide = async (caller: Caller, action: Action): Promise<boolean> => {
      const current = await currentCaller(caller)
      return current !== undefined && (await access.apiError(current, action)) === undefined
    }
    return (caller: Caller, action: Action): Promise<boolean> => {
      const key = JSON.stringify([caller, action])
      const decided = decisions.get(key) ?? decide(caller, action)
      decisions.set(key, decided)
      return decided
    }
  }

  const decideAgain = async (except?: FastifyReply): Promise<void> => {
    changes += 1
    const isStillAllowed = createDecision()
    for (const [reply, { caller, action }] of inProgress) {
      // Without an error, an HTTP/2 client would take the partial response for complete.
      if (reply !== except && !(await isStillAllowed(caller, action)))
        reply.raw.destroy(new Error('The caller has lost the right to this response'))
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
        const proceed = await decide()
        if (changes !== before) continue
        proceed?.()
        return
      }
    },
    watch: (request, reply, action) => {
      // A request that changes something is checked once, at its start, and always gets its response.
      if (action.to === 'anyone' || !safeMethods.has(request.method) || isClosed(reply)) return
      inProgress.set(reply, { caller: request.caller, action })
      reply.raw.once(
        'close',
        guarded('access: a response ends', () => inProgress.delete(reply)),
      )
    },
  }
}
