import { type ActorRefFrom, sendParent, setup } from 'xstate'
import type { User } from '../../api/contract/user.ts'
import type { PageInput } from '../app/app.events.ts'
import type { FieldErrors, FormRefused, FormReport } from '../form/form.events.ts'
import { formMachineOf } from '../form/form.machine.ts'

export interface InitValues {
  login: string
  password: string
  email: string
  license: string
}

export const initFormMachine = formMachineOf<InitValues, User>({
  fieldOfCode: {
    /** Needs no toast, as the page then shows a message in place of the form. */
    ActionNotAcceptable: 'login',
    PasswordIsNotComplexEnough: 'password',
    IncorrectLicense: 'license',
    AlreadyUsed: 'login',
  },
  validate: requiredErrors,
})

/**
 * Server initialization (docs/behaviour.md §2): a form that creates the first administrator and signs them in. If the
 * server has been initialized meanwhile, it answers ActionNotAcceptable, and the page leads to sign-in.
 */
export const initMachine = setup({
  types: {
    context: {} as { form: ActorRefFrom<typeof initFormMachine> },
    events: {} as FormReport<InitValues, User> | FormRefused | { type: 'signIn.requested' },
    input: {} as PageInput,
  },
  actors: { form: initFormMachine },
  actions: {
    notifyStarted: sendParent((_args, { user }: { user: User }) => ({ type: 'session.started', user })),
    notifyInitialized: sendParent({ type: 'server.initialized' }),
  },
  guards: { isTaken: (_, { code }: { code: string }) => code === 'ActionNotAcceptable' },
}).createMachine({
  id: 'init',
  context: ({ spawn }) => ({
    form: spawn('form', {
      id: 'form',
      input: { values: { login: '', password: '', email: '', license: '' }, facts: null },
    }),
  }),
  initial: 'open',
  states: {
    open: {
      on: {
        'form.saved': { actions: { type: 'notifyStarted', params: ({ event }) => ({ user: event.answer }) } },
        'form.refused': { guard: { type: 'isTaken', params: ({ event }) => ({ code: event.code }) }, target: 'taken' },
      },
    },
    taken: { on: { 'signIn.requested': { actions: 'notifyInitialized' } } },
  },
})

function requiredErrors({ login, password }: InitValues): FieldErrors {
  return {
    ...(login.trim() === '' ? { login: 'required' } : {}),
    ...(password === '' ? { password: 'required' } : {}),
  }
}
