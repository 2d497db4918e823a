import { type ActorRefFrom, assign, enqueueActions, fromPromise, raise, sendParent, setup } from 'xstate'
import type { Session } from '../../api/contract/user.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { afterListRequest, type ListReply } from '../listed.ts'
import { notProvided } from '../not-provided.ts'
import { actionBroken, actionRefused, isGone, raiseDeleted } from '../notifications/action-error.ts'
import { raiseToast, type Toast } from '../notifications/toast.ts'
import { handlePageApiError } from '../notifications/page-error.ts'
import { userTokensFeature } from '../tokens/features.ts'
import { userTokensMachine } from '../tokens/user-tokens.machine.ts'
import { describedUser } from '../users/user-page.ts'

export type SessionsEvent =
  | { type: 'list.retried' }
  | { type: 'end.requested'; session: Session }
  | { type: 'endOthers.requested' }
  | { type: 'end.confirmed' }
  | { type: 'end.cancelled' }

interface Context {
  /** The user whose sessions they are; null: the current user. */
  login: string | null
  sessions: readonly Session[]
  /** When they were fetched, epoch ms. */
  at: number
  apiError: ApiError | null
  /** The session to end; null: all but the current one. */
  chosen: Session | null
  /** The user's API tokens; null on the current user's own page, and if the server lacks the feature. */
  tokens: ActorRefFrom<typeof userTokensMachine> | null
}

/**
 * The sessions of the current user, or of any user for administrators (docs/wire.md §5.4, sessions). Ending one, or all
 * but the current one, is confirmed first; then the list is fetched again. For administrators the page also lists the
 * user's API tokens.
 */
export const sessionsMachine = setup({
  types: { context: {} as Context, events: {} as SessionsEvent, input: {} as PageInput },
  actors: {
    fetchSessions: fromPromise<ListReply<Session>, { login: string | null }>(notProvided),
    endSession: fromPromise<Reply<object>, { login: string | null; id: string }>(notProvided),
    userTokens: userTokensMachine,
    endOthers: fromPromise<Reply<object>, { login: string | null; ids: readonly string[] }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    assignList: assign((_args, { reply, at }: ListReply<Session>) => ({
      sessions: reply.ok ? newestFirst(reply.value.items) : [],
      at,
      apiError: null,
    })),
    describe: enqueueActions(({ context: { login }, enqueue }) => {
      if (login !== null) enqueue.sendParent(describedUser(login))
    }),
    notifyMissing: sendParent({ type: 'page.missing' }),
    raiseToast: enqueueActions((machine, toast: Toast) => {
      raiseToast(machine, toast)
    }),
  },
  guards: {
    isGone,
  },
}).createMachine({
  id: 'sessions',
  type: 'parallel',
  context: ({ input: { params, settings }, spawn }) => {
    const login = params['login'] ?? null
    const hasTokens = login !== null && settings.features.includes(userTokensFeature)
    const tokens = hasTokens ? spawn('userTokens', { id: 'userTokens', input: { login } }) : null
    return { login, sessions: [], at: 0, apiError: null, chosen: null, tokens }
  },
  states: {
    list: {
      initial: 'loading',
      states: {
        loading: {
          tags: 'busy',
          // The request in progress may still find a session that has ended meanwhile.
          on: { 'list.retried': { target: 'loading', reenter: true } },
          invoke: {
            id: 'fetchSessions',
            src: 'fetchSessions',
            input: ({ context }) => ({ login: context.login }),
            ...afterListRequest<ListReply<Session>>(),
          },
        },
        ready: { entry: 'describe', on: { 'list.retried': 'loading' } },
        failed: { on: { 'list.retried': 'loading' } },
      },
    },
    dialog: {
      initial: 'closed',
      states: {
        closed: {
          on: {
            'end.requested': { target: 'confirming', actions: assign({ chosen: ({ event }) => event.session }) },
            'endOthers.requested': { target: 'confirming', actions: assign({ chosen: null }) },
          },
        },
        confirming: {
          on: {
            'end.cancelled': 'closed',
            'end.confirmed': [
              { guard: ({ context }) => context.chosen !== null, target: 'ending' },
              { target: 'endingOthers' },
            ],
          },
        },
        ending: {
          tags: 'busy',
          invoke: {
            id: 'endSession',
            src: 'endSession',
            input: ({ context }) => ({ login: context.login, id: context.chosen?.id ?? '' }),
            onDone: [
              {
                guard: { type: 'isGone', params: ({ event }) => ({ reply: event.output }) },
                target: 'ended',
                actions: [
                  assign(({ context }) => ({
                    sessions: context.sessions.filter(({ id }) => id !== context.chosen?.id),
                  })),
                  raiseDeleted('sessionEnded'),
                ],
              },
              actionRefused('closed'),
            ],
            onError: actionBroken('closed'),
          },
        },
        endingOthers: {
          tags: 'busy',
          invoke: {
            id: 'endOthers',
            src: 'endOthers',
            input: ({ context: { login, sessions } }) => ({ login, ids: othersOf(sessions).map(({ id }) => id) }),
            onDone: [
              {
                guard: ({ event }) => event.output.ok,
                target: 'ended',
                actions: [
                  assign(({ context }) => ({ sessions: context.sessions.filter(({ isCurrent }) => isCurrent) })),
                  { type: 'raiseToast', params: { tone: 'success', code: 'sessionsEnded' } },
                ],
              },
              // Some may have been ended before the refusal, so the list is fetched again.
              actionRefused('ended'),
            ],
            onError: actionBroken('closed'),
          },
        },
        ended: { entry: raise({ type: 'list.retried' }), always: 'closed' },
      },
    },
  },
})

const newestFirst = (sessions: readonly Session[]) =>
  sessions.toSorted((one, other) => (other.lastSeenTime ?? 0) - (one.lastSeenTime ?? 0))

export const othersOf = (sessions: readonly Session[]) => sessions.filter(({ isCurrent }) => !isCurrent)
