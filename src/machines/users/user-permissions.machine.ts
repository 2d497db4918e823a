import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { Refusal, Reply } from '../../api/reply.ts'
import type { PageInput } from '../app/app.events.ts'
import { type FormReport, formMachineOf } from '../form/form.machine.ts'
import { notProvided } from '../not-provided.ts'
import { notificationsOf } from '../notifications/notifications-ref.ts'
import { refusalOf, unknownRefusal } from '../refusals.ts'
import { type NamedStream, type Permission, type Right, withRight } from './permissions.ts'

export interface PermissionValues {
  login: string
  permissions: readonly Permission[]
}

/** The answer of a save: the updated list, where the server gives one. */
export interface PermissionsAnswer {
  permissions?: readonly Permission[] | undefined
}

export const permissionsFormMachine = formMachineOf<PermissionValues, PermissionsAnswer>()

export type UserPermissionsEvent =
  | { type: 'list.retried' }
  | { type: 'query.changed'; query: string }
  | { type: 'granted.toggled' }
  | { type: 'rows.chosen'; uids: readonly string[]; isChosen: boolean }
  | { type: 'right.changed'; streams: readonly NamedStream[]; right: Right; isGiven: boolean }
  | FormReport<PermissionValues, PermissionsAnswer>

interface Context {
  login: string
  /** Administrators may do everything, whatever the list says. */
  isAdmin: boolean
  refusal: Refusal | null
  form: ActorRefFrom<typeof permissionsFormMachine> | null
  /** The streams there are, as far as they were read. */
  streams: readonly NamedStream[]
  total: number
  page: number
  query: string
  isGrantedOnly: boolean
  chosen: ReadonlySet<string>
}

/** What the server says of the user. */
export interface Known {
  permissions: readonly Permission[]
  isAdmin: boolean
}

interface StreamsRead {
  items: readonly NamedStream[]
  total: number
}

/**
 * Which streams a user may watch, watch back and administer. The list is asked for, then page after page the streams
 * that there are, so that others can be granted too; changes are kept in a form and replace the whole list when saved.
 */
export const userPermissionsMachine = setup({
  types: { context: {} as Context, events: {} as UserPermissionsEvent, input: {} as PageInput },
  actors: {
    form: permissionsFormMachine,
    fetchPermissions: fromPromise<Reply<Known>, { login: string }>(notProvided),
    fetchStreams: fromPromise<Reply<StreamsRead>, { page: number }>(notProvided),
  },
  actions: {
    takePermissions: assign(({ context: { login }, spawn }, { reply }: { reply: Reply<Known> }) =>
      reply.ok
        ? {
            refusal: null,
            isAdmin: reply.value.isAdmin,
            form: spawn('form', { id: 'form', input: { values: { login, permissions: reply.value.permissions }, afterSave } }),
          }
        : {},
    ),
    describe: sendParent(({ context: { login } }) => ({ type: 'page.described', subject: { kind: 'user', id: login, name: login, canAdmin: true } })),
    tellMissing: sendParent({ type: 'page.missing' }),
    tellSaved: enqueueActions(({ enqueue, system }) => {
      const notifications = notificationsOf(system)
      if (notifications) enqueue.sendTo(notifications, { type: 'notification.raised', tone: 'success', code: 'permissionsSaved' })
    }),
    takeStreams: assign(({ context }, { reply }: { reply: Reply<StreamsRead> }) => {
      if (!reply.ok) return {}
      const known = new Set(context.streams.map(({ uid }) => uid))
      const streams = [...context.streams, ...reply.value.items.filter(({ uid }) => !known.has(uid))]
      return { streams, total: Math.max(reply.value.total, streams.length), page: context.page + 1 }
    }),
    changeRight: enqueueActions(({ context: { form }, event, enqueue }) => {
      if (event.type !== 'right.changed' || form === null) return
      const { permissions } = form.getSnapshot().context.values
      enqueue.sendTo(form, { type: 'form.edited', values: { permissions: withRight(permissions, event.streams, event.right, event.isGiven) } })
    }),
  },
  guards: {
    /** A page that brings nothing new is the last one, whatever the total says. */
    hasMore: ({ context }, { reply }: { reply: Reply<StreamsRead> }) => {
      if (!reply.ok) return false
      const known = new Set(context.streams.map(({ uid }) => uid))
      const fresh = reply.value.items.filter(({ uid }) => !known.has(uid)).length
      return fresh > 0 && known.size + fresh < reply.value.total
    },
  },
}).createMachine({
  id: 'userPermissions',
  context: ({ input }) => ({
    login: input.params['login'] ?? '',
    isAdmin: false,
    refusal: null,
    form: null,
    streams: [],
    total: 0,
    page: 1,
    query: '',
    isGrantedOnly: false,
    chosen: new Set<string>(),
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchPermissions',
        src: 'fetchPermissions',
        input: ({ context }) => ({ login: context.login }),
        onDone: [
          {
            guard: ({ event }) => event.output.ok,
            target: 'ready',
            actions: [{ type: 'takePermissions', params: ({ event }) => ({ reply: event.output }) }, 'describe'],
          },
          { guard: ({ event }) => refusalOf(event.output).status === 404, target: 'failed', actions: 'tellMissing' },
          { target: 'failed', actions: assign({ refusal: ({ event }) => refusalOf(event.output) }) },
        ],
        onError: { target: 'failed', actions: assign({ refusal: unknownRefusal }) },
      },
    },
    failed: { on: { 'list.retried': 'loading' } },
    ready: {
      initial: 'reading',
      on: {
        'query.changed': { actions: assign({ query: ({ event }) => event.query }) },
        'granted.toggled': { actions: assign({ isGrantedOnly: ({ context }) => !context.isGrantedOnly }) },
        'rows.chosen': { actions: assign({ chosen: ({ context, event }) => chosenWith(context.chosen, event) }) },
        'right.changed': { actions: 'changeRight' },
        'form.saved': { actions: 'tellSaved' },
      },
      states: {
        reading: {
          invoke: {
            id: 'fetchStreams',
            src: 'fetchStreams',
            input: ({ context }) => ({ page: context.page }),
            onDone: [
              {
                guard: { type: 'hasMore', params: ({ event }) => ({ reply: event.output }) },
                target: 'reading',
                reenter: true,
                actions: { type: 'takeStreams', params: ({ event }) => ({ reply: event.output }) },
              },
              {
                guard: ({ event }) => event.output.ok,
                target: 'complete',
                actions: { type: 'takeStreams', params: ({ event }) => ({ reply: event.output }) },
              },
              { target: 'incomplete' },
            ],
            onError: 'incomplete',
          },
        },
        complete: {},
        /** The streams couldn't all be read: those that were, and those of the list, can be changed all the same. */
        incomplete: { on: { 'list.retried': 'reading' } },
      },
    },
  },
})

const afterSave = ({ permissions }: PermissionsAnswer): Partial<PermissionValues> => (permissions === undefined ? {} : { permissions })

function chosenWith(chosen: ReadonlySet<string>, { uids, isChosen }: { uids: readonly string[]; isChosen: boolean }): ReadonlySet<string> {
  const next = new Set(chosen)
  for (const uid of uids) {
    if (isChosen) next.add(uid)
    else next.delete(uid)
  }
  return next
}
