import { type ActorRefFrom, enqueueActions, setup } from 'xstate'
import { pathTo } from '../app/routes.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FormReport } from '../form/form.events.ts'
import { raiseToast } from '../notifications/toast.ts'
import { blankUser, userFormMachine, type UserValues } from './user-values.ts'

/** Adds a user by a form; then the page of the new user opens. */
export const userAddMachine = setup({
  types: {
    context: {} as { form: ActorRefFrom<typeof userFormMachine> },
    events: {} as FormReport<UserValues, object>,
    input: {} as PageInput,
  },
  actors: { form: userFormMachine },
  actions: {
    goToUser: enqueueActions(({ enqueue, system }, { name }: { name: string }) => {
      raiseToast({ enqueue, system }, { tone: 'success', code: 'userCreated' })
      enqueue.sendParent({ type: 'navigation.requested', href: pathTo('userInfo', { login: name }) })
    }),
  },
}).createMachine({
  id: 'userAdd',
  context: ({ spawn }) => ({
    form: spawn('form', {
      id: 'form',
      input: { values: blankUser, facts: null },
    }),
  }),
  on: { 'form.saved': { actions: { type: 'goToUser', params: ({ event }) => ({ name: event.values.name.trim() }) } } },
})
