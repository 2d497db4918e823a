import { type ActorRefFrom, assign, enqueueActions, fromPromise, sendParent, setup } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import type { ApiError, Reply } from '../../api/reply.ts'
import { pathTo } from '../app/routes.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { notProvided } from '../not-provided.ts'
import { raiseToast } from '../notifications/toast.ts'
import { afterPageRequest, handlePageApiError } from '../notifications/page-error.ts'
import { userFormMachine, type UserValues, userValuesOf } from './user-values.ts'
import { describedUser, visitedUser } from './user-page.ts'

export interface EditedUser {
  user: User
  /** The user is an administrator, and there is no other who could undo a change. */
  isOnlyAdministrator: boolean
}

interface Context {
  /** As saved: a changed login replaces it. */
  login: string
  /** The edited user is the signed-in one. */
  isSelf: boolean
  user: User | null
  isOnlyAdministrator: boolean
  apiError: ApiError | null
  form: ActorRefFrom<typeof userFormMachine> | null
}

/**
 * Editing a user: fetches the user, then shows a form; after saving, the user is fetched again. A changed login leads
 * to the page of the new login. If the edited user is the signed-in one, the root machine gets the user.
 */
export const userEditMachine = setup({
  types: {
    context: {} as Context,
    events: {} as FormReport<UserValues, object> | { type: 'user.retried' },
    input: {} as PageInput,
  },
  actors: {
    form: userFormMachine,
    fetchUser: fromPromise<Reply<EditedUser>, { login: string; isSelf: boolean }>(notProvided),
  },
  actions: {
    handleApiError: enqueueActions(handlePageApiError),
    assignUser: assign(({ context, spawn }, { reply }: { reply: Reply<EditedUser> }) => {
      if (!reply.ok) return {}
      const { user, isOnlyAdministrator } = reply.value
      const form =
        context.form ??
        spawn('form', {
          id: 'form',
          input: { values: userValuesOf(user), facts: null },
        })
      return { user, isOnlyAdministrator, apiError: null, form }
    }),
    notifyUser: enqueueActions(({ context: { user, isSelf }, enqueue }) => {
      if (user === null) return
      enqueue.sendParent(describedUser(user.name))
      if (isSelf) enqueue.sendParent({ type: 'user.changed', user })
    }),
    /**
     * The root machine gets the login before it leaves this page, as the next page compares it with its address, and
     * the permission type: one's own rights may be needed to fetch the user again.
     */
    notifySaved: enqueueActions(
      ({ context: { login, isSelf }, enqueue, system }, { values }: { values: UserValues }) => {
        const name = values.name.trim()
        const { permissionType } = values
        raiseToast({ enqueue, system }, { tone: 'success', code: 'userUpdated' })
        const changes = { name, permissionType, isAdmin: permissionType === 'admin' }
        if (isSelf) enqueue.sendParent({ type: 'user.patched', changes })
        if (name === login) return
        enqueue.sendParent({ type: 'navigation.requested', href: pathTo('userEdit', { login: name }) })
      },
    ),
    notifyMissing: sendParent({ type: 'page.missing' }),
  },
}).createMachine({
  id: 'userEdit',
  context: ({ input }) => ({
    ...visitedUser(input),
    user: null,
    isOnlyAdministrator: false,
    apiError: null,
    form: null,
  }),
  initial: 'loading',
  on: {
    'form.saved': {
      target: '.loading',
      reenter: true,
      actions: [
        { type: 'notifySaved', params: ({ event }) => ({ values: event.values }) },
        assign({ login: ({ event }) => event.values.name.trim() }),
      ],
    },
  },
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'fetchUser',
        src: 'fetchUser',
        input: ({ context: { login, isSelf } }) => ({ login, isSelf }),
        ...afterPageRequest<EditedUser>()('ready', 'assignUser', 'notifyUser'),
      },
    },
    ready: {},
    failed: { on: { 'user.retried': 'loading' } },
  },
})
