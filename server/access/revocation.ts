import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Configuration } from '../configuration/configuration.ts'
import { minuteMs } from '../durations.ts'
import type { App } from '../http/fastify.ts'
import { isClosed } from '../http/is-closed.ts'
import { safeMethods } from '../http/methods.ts'
import { guarded } from '../guarded.ts'
import type { License } from '../license/license.ts'
import { createRepeated } from '../store/serial-queue.ts'
import type { Store } from '../store/store.ts'
import type { Access, Action, Caller } from './access.ts'

export type Revocation = {
  /**
   * Decides a call: `decide` rejects, or returns the action that it allows. From then on the response is aborted as
   * soon as its caller loses the right to it. `decide` runs again, once, if access may have changed while it ran.
   */
  watch: (request: FastifyRequest, reply: FastifyReply, decide: () => Promise<Action | undefined>) => Promise<void>
  /** Checks all responses in progress again, after a change that no request made. */
  decideAgain: () => Promise<void>
}

/** Tables on which access depends. Cached queries read no others (server/store/cached-query.ts). */
export const accessTables = [
  'users',
  'totp',
  'sessions',
  'api_tokens',
  'streams',
  'stream_permissions',
  'stream_shares',
  'group_users',
  'group_streams',
  'group_grants',
  'group_stream_grants',
  'oidc_permissions',
  'mosaics',
  'exports',
  'export_items',
  'plans',
  'plan_cameras',
]
/** Never run: it names the tables whose writes count. */
const allTables = `SELECT 1 FROM ${accessTables.join(' JOIN ')}`

type Needs = {
  access: Access
  store: Store
  configuration: Configuration
  license: License
  now: () => number
}

/**
 * Aborts responses in progress whose caller lost the right to them: a blocked user, a withdrawn share. They are checked
 * after each change of what access depends on, and by calls of a later minute, as shares and tokens run out.
 */
export const installRevocation = (
  app: App,
  { access, store, configuration, license, now }: Needs,
  currentCaller: (caller: Caller) => Promise<Caller | undefined>,
): Revocation => {
  const inProgress = new Map<FastifyReply, { caller: Caller; action: Action }>()
  let requested = 0
  let checked: string | undefined

  /** Another text after each change on which access may depend. Undefined if unknown, as without the database. */
  const currentState = async (): Promise<string | undefined> => {
    const version = await store.versionOf(allTables).catch(() => undefined)
    if (version === undefined) return undefined
    const { secondFactorOf } = configuration.values().signIn
    return JSON.stringify([version, requested, secondFactorOf, license.isExpired(), Math.floor(now() / minuteMs)])
  }
  const isCurrent = async (state: string | undefined): Promise<boolean> =>
    state !== undefined && state === (await currentState())

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

  const checkAll = createRepeated(async () => {
    const state = await currentState()
    const isStillAllowed = createDecision()
    for (const [reply, watched] of inProgress) {
      const isAllowed = await isStillAllowed(watched.caller, watched.action)
      // Without an error, an HTTP/2 client would take the partial response for complete.
      if (!isAllowed && inProgress.get(reply) === watched)
        reply.raw.destroy(new Error('The caller has lost the right to this response'))
    }
    checked = state
  })

  const add = (request: FastifyRequest, reply: FastifyReply, action: Action | undefined): void => {
    // Added anew, it is the last one: a check that has begun comes to it.
    inProgress.delete(reply)
    // A request that changes something is checked at its start, and always gets its response.
    if (action === undefined || action.to === 'anyone' || !safeMethods.has(request.method) || isClosed(reply)) return
    inProgress.set(reply, { caller: request.caller, action })
    reply.raw.once(
      'close',
      guarded('access: a response ends', () => inProgress.delete(reply)),
    )
  }

  app.addHook('onReady', async () => {
    checked = await currentState()
  })

  app.addHook('onSend', async (request, reply) => {
    if (safeMethods.has(request.method) || reply.statusCode >= 400) return
    if (!(await isCurrent(checked))) await checkAll()
  })

  return {
    decideAgain: () => {
      requested += 1
      return checkAll()
    },
    watch: async (request, reply, decide) => {
      const before = await currentState()
      add(request, reply, await decide())
      if (await isCurrent(before)) return
      // The check after a change may have missed the response. Those after later changes don't: this is the last time.
      try {
        add(request, reply, await decide())
      } catch (error) {
        inProgress.delete(reply)
        throw error
      }
    },
  }
}
