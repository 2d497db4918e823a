import { assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import type { Refusal, Reply } from '../../api/reply.ts'
import { pathTo } from '../app/routes.ts'
import type { PageInput } from '../app/app.events.ts'
import { notProvided } from '../not-provided.ts'
import { notificationsOf } from '../notifications/notifications-ref.ts'
import { takePageRefusal } from '../notifications/page-refusal.ts'
import { refusalOf, unknownRefusal } from '../refusals.ts'

export type UserChange = 'block' | 'unblock' | 'delete'

export type UserInfoEvent =
  | { type: 'user.retried' }
  | { type: 'change.requested'; change: UserChange }
  | { type: 'change.confirmed' }
  | { type: 'change.cancelled' }

interface Context {
  login: string
  isSelf: boolean
  user: User | null
  refusal: Refusal | null
  change: UserChange
}

const successes = { block: 'userBlocked', unblock: 'userUnblocked', delete: 'userDeleted' } as const

/**
 * Who a user is (docs/behaviour.md §1), and what takes the user's rights away: blocking and deleting are asked first, unblocking
 * isn't. The last administrator can't go; the server refuses and the refusal is told in those words.
 */
export const userInfoMachine = setup({
  types: { context: {} as Context, events: {} as UserInfoEvent, input: {} as PageInput },
  actors: {
    fetchUser: fromPromise<Reply<User>, { login: string }>(notProvided),
    changeUser: fromPromise<Reply<object>, { login: string; change: UserChange }>(notProvided),
  },
  actions: {
    takeRefusal: enqueueActions((machine, { refusal }: { refusal: Refusal }) => takePageRefusal(machine, refusal)),
    describe: sendParent(({ context: { login } }) => ({ type: 'page.described', subject: { kind: 'user', id: login, name: login, canAdmin: true } })),
    tellMissing: sendParent({ type: 'page.missing' }),
    goToUsers: sendParent({ type: 'navigation.requested', href: pathTo('users') }),
    tellDone: enqueueActions(({ context: { login, change }, enqueue, system }) => {
      const notifications = notificationsOf(system)
      if (!notifications) return
      enqueue.sendTo(notifications, { type: 'notification.raised', tone: 'success', code: successes[change], values: { name: login } })
    }),
    tellRefusal: enqueueActions(({ enqueue, system }, { refusal }: { refusal: Refusal }) => {
      const notifications = notificationsOf(system)
      const code = refusal.code === 'ActionNotAcceptable' ? 'lastAdministrator' : refusal.code
      if (notifications) enqueue.sendTo(notifications, { type: 'notification.raised', tone: 'error', code })
    }),
  },
  guards: {
    isHarmless: ({ event }) => event.type === 'change.requested' && event.change === 'unblock',
  },
}).createMachine({
  id: 'userInfo',
  context: ({ input: { params, user } }) => ({
    login: params['login'] ?? '',
    isSelf: user !== null && user.name.toLowerCase() === params['login']?.toLowerCase(),
    user: null,
    refusal: null,
    change: 'block',
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchUser',
        src: 'fetchUser',
        input: ({ context }) => ({ login: context.login }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'ready',
            actions: [assign(({ event }) => (event.output.ok ? { user: event.output.value, refusal: null } : {})), 'describe'],
          },
          { guard: ({ event }) => refusalOf(event.output).status === 404, target: 'failed', actions: 'tellMissing' },
          { target: 'failed', actions: { type: 'takeRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output) }) } },
        ],
        onError: { target: 'failed', actions: { type: 'takeRefusal', params: { refusal: unknownRefusal } } },
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
            actions: ['tellDone', 'goToUsers'],
          },
          { guard: ({ event }) => event.output.ok, target: 'loading', actions: 'tellDone' },
          { target: 'ready', actions: { type: 'tellRefusal', params: ({ event }) => ({ refusal: refusalOf(event.output) }) } },
        ],
        onError: { target: 'ready', actions: { type: 'tellRefusal', params: { refusal: unknownRefusal } } },
      },
    },
    deleted: { tags: 'busy' },
    failed: { on: { 'user.retried': 'loading' } },
  },
})
