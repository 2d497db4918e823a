import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { pathTo } from '../app/routes.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { afterPageRequest, handlePageApiError } from '../notifications/page-error.ts'
import { apiErrorOf, raiseFault, raiseRefusal } from '../api-errors.ts'
import { userPasskeysFeature } from '../profile/features.ts'
import { describedUser, visitedUser } from './user-page.ts'
import { userPasskeysMachine } from './user-passkeys.machine.ts'

export type UserChange = 'block' | 'unblock' | 'delete' | 'removeTotp'

export type UserInfoEvent =
  | { type: 'user.retried' }
  | { type: 'change.requested'; change: UserChange }
  | { type: 'change.confirmed' }
  | { type: 'change.cancelled' }

interface Context {
  login: string
  /** The user is the signed-in one. */
  isSelf: boolean
  user: User | null
  apiError: ApiError | null
  change: UserChange
  /** Null if the user is the signed-in one, and if the server lacks the feature. */
  passkeys: ActorRefFrom<typeof userPasskeysMachine> | null
}

const successes = {
  block: 'userBlocked',
  unblock: 'userUnblocked',
  delete: 'userDeleted',
  removeTotp: 'userUpdated',
} as const

/**
 * The info page of a user (docs/behaviour.md §1). Blocking, deleting and turning two-factor authentication off are
 * confirmed first, unblocking isn't. The server refuses to delete the last administrator. The passkeys of another user
 * are listed below.
 */
export const userInfoMachine = setup({
  types: { context: {} as Context, events: {} as UserInfoEvent, input: {} as PageInput },
  actors: {
    fetchUser: fromPromise<Reply<User>, { login: string }>(notProvided),
    userPasskeys: userPasskeysMachine,
    changeUser: fromPromise<Reply<object>, { login: string; change: UserChange }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    assignUser: assign((_args, { reply }: { reply: Reply<User> }) =>
      reply.ok ? { user: reply.value, apiError: null } : {},
    ),
    describe: sendParent(({ context }) => describedUser(context.login)),
    notifyMissing: sendParent({ type: 'page.missing' }),
    goToUsers: sendParent({ type: 'navigation.requested', href: pathTo('users') }),
    notifyDone: enqueueActions(({ context, enqueue, system }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: successes[context.change] })
    }),
    raiseApiError: enqueueActions(({ context, enqueue, system }, { apiError }: { apiError: ApiError }) => {
      const isLast = apiError.code === 'ActionNotAcceptable' && context.change !== 'removeTotp'
      const code = isLast ? 'lastAdministrator' : apiError.code
      raiseToast({ enqueue, system }, { tone: 'error', code })
    }),
  },
  guards: {
    isDeletedElsewhere: ({ context }, { reply }: { reply: Reply<unknown> }) =>
      context.change === 'delete' && apiErrorOf(reply).status === 404,
    isHarmless: ({ event }) => event.type === 'change.requested' && event.change === 'unblock',
  },
}).createMachine({
  id: 'userInfo',
  context: ({ input, spawn }) => {
    const visited = visitedUser(input)
    const hasPasskeys = !visited.isSelf && input.settings.features.includes(userPasskeysFeature)
    const { login } = visited
    const passkeys = hasPasskeys ? spawn('userPasskeys', { id: 'userPasskeys', input: { login } }) : null
    return { ...visited, user: null, apiError: null, change: 'block', passkeys }
  },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchUser',
        src: 'fetchUser',
        input: ({ context }) => ({ login: context.login }),
        ...afterPageRequest<User>()('ready', 'assignUser', 'describe'),
      },
    },
    ready: {
      on: {
        'change.requested': [
          { guard: 'isHarmless', target: 'changing', actions: assign({ change: ({ event }) => event.change }) },
          { target: 'confirming', actions: assign({ change: ({ event }) => event.change }) },
        ],
      },
    },
    confirming: { on: { 'change.confirmed': 'changing', 'change.cancelled': 'ready' } },
    changing: {
      tags: 'busy',
      invoke: {
        id: 'changeUser',
        src: 'changeUser',
        input: ({ context: { login, change } }) => ({ login, change }),
        onDone: [
          {
            guard: ({ event, context }) => event.output.ok && context.change === 'delete',
            target: 'deleted',
            actions: ['notifyDone', 'goToUsers'],
          },
          { guard: ({ event }) => event.output.ok, target: 'loading', actions: 'notifyDone' },
          {
            guard: { type: 'isDeletedElsewhere', params: ({ event }) => ({ reply: event.output }) },
            target: 'deleted',
            actions: [raiseRefusal, 'goToUsers'],
          },
          {
            target: 'ready',
            actions: raiseRefusal,
          },
        ],
        onError: { target: 'ready', actions: raiseFault },
      },
    },
    deleted: { tags: 'busy' },
    failed: { on: { 'user.retried': 'loading' } },
  },
})
